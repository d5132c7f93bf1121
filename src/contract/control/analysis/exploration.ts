import { z } from '@hono/zod-openapi';
import { deviationKinds } from '../../scenario/guarantees.js';
import { orNull } from '../../shared/common.js';

const name = z.string().max(200);

const DeviationSchema = z
  .strictObject({
    kind: z
      .enum(deviationKinds)
      .openapi('DeviationKind', { description: 'Kind of a deviation: a change to a journey that the service permits.' })
      .describe('Kind of deviation, for example an event that is late, early, lost or sent twice, or overlapping events.'),
    subject: name.meta({ description: 'The event, write or operation that differs.', example: 'OPERATION_REQUESTED#1' }),
    at: orNull(name).meta({
      description: 'The other event or write, `now`, `end`, or the point of a crash; null if the kind needs none.',
      example: 'OPERATION_COMPLETED#1',
    }),
  })
  .openapi('Deviation', { description: 'A change to a journey that the service permits, for example a late event.' });

const DifferenceSchema = z
  .strictObject({
    path: z.string().max(500).meta({ description: 'Path of the value that differs.', example: 'payment.status' }),
    expected: z
      .unknown()
      .optional()
      .meta({ description: 'The value after the journey without deviations; absent if there was none.', example: 'COMPLETED' }),
    found: z.unknown().optional().meta({ description: 'The value after this schedule; absent if there was none.', example: 'REQUESTED' }),
  })
  .openapi('ExplorationDifference', { description: 'A difference in the state of the client.' });

const FractionSchema = z
  .array(z.number().int().min(0).describe('The count, then the total.'))
  .min(2)
  .max(2)
  .openapi('CountOfTotal', { description: 'A count and the total, for example 3 tried schedules of 14.' });

const count = z.number().int().min(0);
const deviations = z.array(DeviationSchema).max(10);
const differences = z.array(DifferenceSchema).max(200);

const FailureSchema = z
  .strictObject({
    deviations: deviations.describe('The smallest schedule that breaks the client.'),
    shrunkFrom: deviations.describe('The schedule that was found first.'),
    schedules: count.meta({ description: 'Number of tried schedules that failed for this cause.' }),
    stability: z
      .strictObject({
        kind: z
          .enum(['STABLE', 'RACY'])
          .openapi('StabilityKind', { description: 'STABLE: every run fails. RACY: only some do, so there is a race inside the client.' })
          .describe('Whether every run fails.'),
        runs: FractionSchema.describe('Number of failed runs, and of all runs.'),
      })
      .openapi('Stability', { description: 'How often a schedule fails.' })
      .describe('How often the schedule fails.'),
    point: z
      .enum(['AFTER_DELIVERY', 'AFTER_RECOVERY'])
      .openapi('ObservationPoint', { description: 'When the client was observed: after all deliveries, or after its recovery.' })
      .describe('When the difference was observed.'),
    differences: differences.describe('Differences between the state of the client and that after the journey without deviations.'),
    effects: z
      .array(
        z
          .strictObject({
            operationId: name.describe('Id of the request in the OpenAPI document, for example `createWithdrawal`.'),
            expected: count.meta({ description: 'Number of effects in the journey without deviations.' }),
            found: count.meta({ description: 'Number of effects with this schedule.' }),
          })
          .openapi('ChangedEffect', {
            description: 'A write that had an effect more or less often than in the journey without deviations.',
          }),
      )
      .max(100)
      .describe('Writes that had an effect more or less often than in the journey without deviations.'),
    money: z
      .array(
        z
          .strictObject({
            asset: name.describe('Currency or stablecoin in which the money is counted.'),
            expected: name.meta({
              description: 'Sum on the accounts of the client in the journey without deviations.',
              example: '-150.00',
            }),
            found: name.meta({ description: 'Sum with this schedule.', example: '-300.00' }),
          })
          .openapi('ChangedMoney', { description: 'A sum of money that differs from that in the journey without deviations.' }),
      )
      .max(100)
      .describe('Sums of money that differ from those in the journey without deviations.'),
    evidence: z
      .array(z.string().max(500).describe('A sentence about an attempt.'))
      .max(20)
      .describe('The webhook attempts of the deviating events, as sentences.'),
    how: z.string().max(2000).describe('How this happens in production.'),
    savedAs: orNull(z.string().max(1000)).describe('Scenario file with this schedule; null if it was not saved.'),
  })
  .openapi('ExplorationFailure', { description: 'A schedule that breaks the client.' });

export const ExplorationSchema = z
  .strictObject({
    verdict: z
      .enum(['PASSED', 'FAILED', 'UNSTABLE', 'NOTHING_TO_EXPLORE'])
      .openapi('ExplorationVerdict', {
        description:
          'PASSED: no schedule breaks the client. FAILED: one does. UNSTABLE: no two of three journeys without deviations agree. NOTHING_TO_EXPLORE: the journey has no event and no write.',
      })
      .describe('Whether a schedule breaks the client.'),
    seed: z.number().int().describe('Number that chose the order of the pairs.'),
    baseline: z
      .strictObject({
        events: z.array(name.describe('An event.')).max(12).describe('The explored events, in their order.'),
        writes: z.array(name.describe('A write.')).max(12).describe('The explored writes, in their order.'),
        deviations: z.array(DeviationSchema).max(1000).describe('All possible single deviations.'),
      })
      .openapi('ExplorationBaseline', {
        description: 'Events and writes of the journey without deviations, and the deviations that can be tried.',
      })
      .describe('The journey without deviations.'),
    tried: z
      .strictObject({
        singles: FractionSchema.describe('Schedules with one deviation: tried, and possible.'),
        pairs: FractionSchema.describe('Schedules with two deviations: tried, and possible.'),
        triples: count.meta({ description: 'Schedules with three deviations that were tried.' }),
      })
      .openapi('TriedSchedules', { description: 'How many single deviations, pairs and triples were tried.' })
      .describe('Numbers of tried schedules. Schedules whose deviations did not occur are not counted.'),
    ended: z
      .enum(['ALL', 'BUDGET', 'INTERRUPTED'])
      .openapi('ExplorationEnd', {
        description: 'ALL: all schedules were tried. BUDGET: the budget was used up. INTERRUPTED: a signal ended the search.',
      })
      .describe('Why the search ended.'),
    sequences: count.meta({ description: 'Number of different sequences of requests and attempts.' }),
    resetMs: count.meta({ description: 'Time spent on resets of the client, in milliseconds.' }),
    notOccurred: z.array(DeviationSchema).max(1000).describe('Deviations that were tried but never occurred.'),
    unstable: differences.describe('Differences between two journeys without deviations.'),
    failures: z.array(FailureSchema).max(100).describe('The failures of the client, one for each cause.'),
  })
  .openapi('Exploration', { description: 'The result of an exploration: the orders of events that break the client.' });

export type ExplorationView = z.infer<typeof ExplorationSchema>;
