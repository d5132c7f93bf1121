import { z } from '@hono/zod-openapi';
import { TimestampSchema, orNull } from '../../shared/common.js';

/** The dimensions of coverage. Each has its own items. */
export const dimensions = ['operations', 'statuses', 'outcomes', 'transitions', 'reasons', 'events', 'rules', 'resilience'] as const;
export type Dimension = (typeof dimensions)[number];

/** Faults of write requests that the scenario `challenge` injects. */
export const scenarioWriteChallenges = [
  'lostResponse',
  '503',
  '429',
  'timeout',
  'malformed',
  'unknownFields',
  'expireToken',
  'early',
] as const;

/** Faults of write requests that test the resilience of a client. */
export const writeChallenges = [...scenarioWriteChallenges, 'crash'] as const;
export const WriteChallengeSchema = z.enum(writeChallenges).openapi('WriteChallenge', {
  description:
    'An injected fault of a write request, named as in the coverage of `resilience`. `crash`: the client closed the connection during a delay with a reset after it. The sandbox does not see whether the program was killed or only stopped waiting.',
});
export type WriteChallenge = (typeof writeChallenges)[number];

/** Faults of webhooks that the scenario `challenge` injects. */
export const scenarioEventChallenges = ['duplicate', 'reorder', 'drop', 'badSignature'] as const;

/** Faults of webhooks that test the resilience of a client. */
export const eventChallenges = [...scenarioEventChallenges, 'late', 'overlap', 'lost', 'crash'] as const;
export const EventChallengeSchema = z.enum(eventChallenges).openapi('EventChallenge', {
  description:
    'An injected fault of a webhook, named as in the coverage of `resilience`. `crash`: the webhook was sent, and its response was ignored. The sandbox does not see whether the program was killed.',
});
export type EventChallenge = (typeof eventChallenges)[number];

const tiers = ['core', 'all'] as const;
export type Tier = (typeof tiers)[number];
export const TierSchema = z
  .enum(tiers)
  .openapi('CoverageTier', { description: '`core`: the items that every client should cover. `all`: everything in the API.' });

const share = {
  covered: z.number().int().meta({ description: 'Number of covered items.', example: 12 }),
  total: z.number().int().meta({ description: 'Total number of items.', example: 48 }),
  percent: z.number().min(0).max(100).meta({ description: 'Share of covered items in percent, with one decimal place.', example: 25 }),
};

const ShareSchema = z.object(share).openapi('CoverageShare', { description: 'Number and share of covered items.' });

const ReproductionStepSchema = z
  .object({
    method: z.string().meta({ description: 'HTTP method, for example POST.', example: 'POST' }),
    path: z.string().meta({ description: 'Path and query. Replace a name in braces with your id.', example: '/_sandbox/faults' }),
    body: z.unknown().optional().meta({ description: 'Body as JSON; absent without one. Replace a string in braces with your value.' }),
  })
  .openapi('ReproductionStep', { description: 'A request that causes a missing item.' });

export type ReproductionStep = z.infer<typeof ReproductionStepSchema>;

const CellSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the item within its dimension.', example: 'createWithdrawal.lostResponse' }),
    state: z
      .enum(['NOT_COVERED', 'COVERED', 'PENDING', 'PASSED', 'FAILED'])
      .openapi('CoverageState', {
        description:
          'NOT_COVERED: the client has not observed the item. COVERED: the client has observed it. Items of `resilience` have other states instead of COVERED: PASSED if the client handled every case, FAILED if it failed in one, PENDING while the result is pending.',
      })
      .describe('Whether the client has covered the item.'),
    count: z.number().int().meta({ description: 'How often the item occurred.', example: 1 }),
    firstAt: orNull(TimestampSchema).describe('World time of the first occurrence; null without one.'),
    test: orNull(z.string()).meta({ description: 'The test in progress at the first occurrence; null if there was none.' }),
    how: z
      .string()
      .optional()
      .meta({ description: 'How to cause the item, in a sentence; only for missing items.', example: 'Create it, then force it.' }),
    steps: z
      .array(ReproductionStepSchema)
      .max(20)
      .optional()
      .meta({ description: 'The requests that cause the item, in order; only for missing items.' }),
  })
  .openapi('CoverageItem', { description: 'An item that a client can cover, and its state.' });

export type CoverageItem = z.infer<typeof CellSchema>;

const DimensionSchema = z
  .object({
    ...share,
    items: z.array(CellSchema).max(5000).describe('The items of the tier; only the missing ones if these were requested.'),
  })
  .openapi('CoverageDimension', { description: 'The items of one kind that a client can cover.' });

const meanings: Readonly<Record<Dimension, string>> = {
  operations: 'Operations of the public API, covered by any response: `createQuote`.',
  statuses: 'Operations with each HTTP status that they can return: `createQuote.503`.',
  outcomes: 'Operations with `ok` and with each error code that they can return: `createWithdrawal.QUOTE_EXPIRED`.',
  transitions: 'Status changes that a response or an accepted webhook has shown: `OPERATION.PROCESSING.COMPLETED`.',
  reasons: 'Reasons of statuses that a response or an accepted webhook has shown: `OPERATION.RAIL_UNAVAILABLE`.',
  events: 'Event types of which the client has accepted at least one webhook.',
  rules: 'Rules of the scenarios in use, covered when applied: `challenge/createQuote.503`.',
  resilience: 'Injected faults, and whether the client handled them: `createWithdrawal.lostResponse`, `OPERATION_FAILED.duplicate`.',
};

export const CoverageSchema = z
  .object({
    tier: TierSchema.describe('Tier of the other figures, except those in `all`.'),
    ...share,
    all: ShareSchema.describe('The same figures for all items, regardless of the tier.'),
    dimensions: z
      .object(
        Object.fromEntries(dimensions.map((each) => [each, DimensionSchema.describe(meanings[each])])) as Record<
          Dimension,
          typeof DimensionSchema
        >,
      )
      .openapi('CoverageDimensions', { description: 'All items that clients can cover, by dimension.' })
      .describe('All dimensions with their items.'),
  })
  .openapi('Coverage', {
    description: 'The part of the API that the client of a world has covered. An item is covered only if the client has observed it.',
  });

export type CoverageView = z.infer<typeof CoverageSchema>;
