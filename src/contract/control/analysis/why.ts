import { z } from '@hono/zod-openapi';
import { AfterSchema } from '../../scenario/after.js';
import { ReasonSchema, TimestampSchema, orNull } from '../../shared/common.js';
import { maxSteps } from '../../scenario/scenario.js';

const CauseSchema = z
  .object({
    id: z.string().describe('Id of the cause, for example the X-Request-Id of a request.'),
    kind: z
      .enum(['REQUEST', 'CONTROL', 'RULE', 'DELIVERY', 'OTHER'])
      .openapi('CauseKind', {
        description:
          'Type of a cause: a request to the public API (REQUEST) or to the control API (CONTROL), a step of a scenario (RULE), a webhook attempt (DELIVERY), or another cause (OTHER).',
      })
      .describe('Type of the cause.'),
    summary: z.string().meta({ description: 'The cause as a sentence.', example: 'POST /api/operations/withdrawal, answered 201' }),
    rule: orNull(
      z
        .object({
          scenario: z.string().describe('Name of the scenario that contains the rule.'),
          name: z.string().describe('Name of the rule, or its position in the file.'),
          step: z.number().int().describe('Number of the step, starting at 1.'),
        })
        .openapi('CausingRule', { description: 'A step of a scenario rule.' }),
    ).describe('The rule and its step; null if the cause is not a rule.'),
    call: orNull(
      z
        .object({
          method: z.string().describe('HTTP method of the request.'),
          path: z.string().describe('Path of the request, without its query.'),
          status: z.number().int().describe('HTTP status of the response.'),
          idempotencyKey: z.string().nullable().describe('Idempotency key of the request; null if it had none.'),
          ruleId: z.string().nullable().meta({ description: 'Id of the rule or fault applied to the request; null if there was none.' }),
        })
        .openapi('CausingCall', { description: 'A request to the public API or the control API.' }),
    ).meta({ description: 'The request; null if the cause is not a request, or if the request was evicted.' }),
  })
  .openapi('Cause', { description: 'The request, step or event that led to a change.' });

export type Cause = z.infer<typeof CauseSchema>;

/** Maximum number of entries in an explanation. */
export const maxEntries = 1000;
/** Maximum number of notes in an explanation. */
export const maxNotes = 50;

const WhyEntrySchema = z
  .object({
    at: TimestampSchema.describe('World time of the entry.'),
    kind: z
      .enum(['STATE', 'DELIVERY', 'ATTEMPT', 'LEDGER', 'REQUEST'])
      .openapi('WhyEntryKind', {
        description:
          'Type of an entry: a status or an affected resource, a delivery, a delivery attempt, a booking in the ledger, or a request.',
      })
      .describe('Type of the entry.'),
    id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the delivery, the attempt, the ledger entry, the request or the affected resource; null for a status.' }),
    what: z.string().meta({ description: 'The new status, the event that was sent, or the booked amounts.', example: 'FAILED' }),
    reason: orNull(ReasonSchema).describe('Reason of the status; null if it has none.'),
    cause: CauseSchema.describe('Request or scenario step that led to this entry.'),
  })
  .openapi('WhyEntry', { description: 'A change of a resource.' });

export type WhyEntry = z.infer<typeof WhyEntrySchema>;

const PlanSchema = z
  .object({
    scenario: z.string().describe('Name of the scenario that contains the rule.'),
    rule: z.string().describe('Name of the rule, or its position in the file.'),
    steps: z
      .array(
        z
          .object({
            after: AfterSchema.describe('Delay after the previous step.'),
            what: z.string().describe('Effect of the step: the resulting status, or the simulated payment.'),
            outcome: z
              .enum(['PAST', 'SKIPPED', 'NEXT', 'LATER'])
              .openapi('StepOutcome', {
                description:
                  'PAST: executed, or cancelled because the resource became final. SKIPPED: not allowed when it was due. NEXT: the next step. LATER: a step after the next one.',
              })
              .describe('State of the step.'),
            skippedIn: z
              .string()
              .nullable()
              .meta({ description: 'The status in which the step was not allowed; null if it was not skipped.' }),
          })
          .openapi('PlannedStep', { description: 'A step of a plan, and its state.' }),
      )
      .max(maxSteps)
      .describe('The steps of the rule, in order.'),
    isWaiting: z
      .boolean()
      .meta({ description: 'True if steps remain but none is scheduled. The resource then does not change until it is forced.' }),
  })
  .openapi('WhyPlan', { description: 'The plan of a resource: the scenario steps that a rule set for it.' });

const PossibleMoveSchema = z
  .object({
    verb: z.string().meta({
      description: 'Action for the control request: the last part of its path, for example POST /_sandbox/operations/{id}/complete.',
      example: 'complete',
    }),
    to: z.string().meta({ description: 'The resulting status.', example: 'COMPLETED' }),
    asset: z
      .string()
      .optional()
      .meta({ description: 'The asset of the account that changes; absent if the requested resource itself changes.', example: 'BRL' }),
  })
  .openapi('PossibleMove', { description: 'A forced transition that is allowed now.' });

export type PossibleMove = z.infer<typeof PossibleMoveSchema>;

export const WhySchema = z
  .object({
    id: z.string().describe('The requested id, as in the path.'),
    resource: z.string().meta({ description: 'Kind of resource concerned, for example OPERATION.', example: 'OPERATION' }),
    status: z.string().nullable().describe('Present status of the resource; null if it has no status.'),
    plan: orNull(PlanSchema).meta({ description: 'The plan that a rule created for the resource; null without one.' }),
    possible: z.array(PossibleMoveSchema).max(100).meta({
      description:
        'The forced transitions that are allowed now, including those of the assets of an account. Empty if the resource has no status, or a final one.',
    }),
    notes: z
      .array(z.string().describe('A fact as a sentence.'))
      .max(maxNotes)
      .meta({
        description:
          'Facts that explain the state: a frozen clock, the numbers of an insufficient balance, open requirements, the error of a request, or an earlier generation.',
        example: ['The next step is due at 2026-11-21T14:00:05.000Z.'],
      }),
    entries: z
      .array(WhyEntrySchema)
      .max(maxEntries)
      .meta({ description: 'All changes of the resource with their causes, oldest first; at most the newest 1,000.' }),
  })
  .openapi('Why', { description: 'The explanation of the present state of a resource.' });

export type Why = z.infer<typeof WhySchema>;
