import { z } from '@hono/zod-openapi';
import { TimestampSchema, orNull } from '../../shared/common.js';

/** Which part of the API clients have met. */

/** What is counted, each by cells of its own. */
export const dimensions = ['operations', 'statuses', 'outcomes', 'transitions', 'reasons', 'events', 'rules', 'robustness'] as const;
export type Dimension = (typeof dimensions)[number];

/** How writes go wrong, so that a client shows whether it copes. */
export const writeChallenges = ['lostAnswer', '503', '429', 'timeout', 'malformed', 'unknownFields', 'expireToken'] as const;
export const WriteChallengeSchema = z
  .enum(writeChallenges)
  .openapi('WriteChallenge', { description: 'How a write goes wrong on purpose, named as in the coverage of robustness.' });
export type WriteChallenge = (typeof writeChallenges)[number];

/** How webhooks go wrong. */
export const eventChallenges = ['duplicate', 'reorder', 'drop', 'badSignature'] as const;
export const EventChallengeSchema = z
  .enum(eventChallenges)
  .openapi('EventChallenge', { description: 'How a webhook goes wrong on purpose, named as in the coverage of robustness.' });
export type EventChallenge = (typeof eventChallenges)[number];

const tiers = ['core', 'all'] as const;
export type Tier = (typeof tiers)[number];
export const TierSchema = z
  .enum(tiers)
  .openapi('CoverageTier', { description: '`core`: what every client should meet. `all`: everything that the API can show.' });

const share = {
  met: z.number().int().meta({ description: 'How many cells are met.', example: 12 }),
  total: z.number().int().meta({ description: 'How many cells there are.', example: 48 }),
  percent: z
    .number()
    .min(0)
    .max(100)
    .meta({ description: 'The share that is met, in percent, with one digit behind the point.', example: 25 }),
};

const ShareSchema = z.object(share).openapi('CoverageShare', { description: 'How many cells of some are met.' });

const ProvocationSchema = z
  .object({
    method: z.string().meta({ description: 'What to send it by: one of the methods of HTTP.', example: 'POST' }),
    path: z.string().meta({ description: 'Path and query; a name in braces stands for an id of yours.', example: '/_sandbox/faults' }),
    body: z
      .unknown()
      .optional()
      .meta({ description: 'The body, as JSON; absent when there is none. A text in braces stands for a value of yours.' }),
  })
  .openapi('Provocation', { description: 'A request that leads to what is missing.' });

export type Provocation = z.infer<typeof ProvocationSchema>;

const CellSchema = z
  .object({
    id: z.string().meta({ description: 'Names the cell within its dimension.', example: 'createWithdrawal.lostAnswer' }),
    state: z
      .enum(['NOT_MET', 'MET', 'OPEN', 'SURVIVED', 'FAILED'])
      .openapi('CoverageState', {
        description:
          'NOT_MET: it has not come up. MET: the client has seen it. Of robustness instead of MET: SURVIVED, when the client coped each time; FAILED, when it did not once; OPEN, while that is not clear.',
      })
      .describe('What became of it.'),
    count: z.number().int().meta({ description: 'How often it came up.', example: 1 }),
    firstAt: orNull(TimestampSchema).describe("When it came up first, by the world's clock; null when it has not."),
    test: orNull(z.string()).meta({ description: 'The test that was marked when it came up first; null when none was.' }),
    how: z
      .string()
      .optional()
      .meta({ description: 'How to come by it, in a sentence; only of what is missing.', example: 'Create it, then force it.' }),
    provoke: z
      .array(ProvocationSchema)
      .max(20)
      .optional()
      .meta({ description: 'The requests for that, in order; only of what is missing.' }),
  })
  .openapi('CoverageCell', { description: 'One thing that a client can meet, and whether it has.' });

export type Cell = z.infer<typeof CellSchema>;

const DimensionSchema = z
  .object({
    ...share,
    items: z.array(CellSchema).max(5000).describe('The cells of the tier; only the missing ones where these were asked for.'),
  })
  .openapi('CoverageDimension', { description: 'One kind of thing that a client can meet.' });

const meanings: Readonly<Record<Dimension, string>> = {
  operations: 'The operations of the public API, met when one was answered: `createQuote`.',
  statuses: 'Operations with the HTTP statuses that they can answer with: `createQuote.503`.',
  outcomes: 'Operations with `ok` and with each code that they can be refused with: `createWithdrawal.QUOTE_EXPIRED`.',
  transitions: 'Status changes that an answer or an accepted webhook has shown: `OPERATION.PROCESSING.COMPLETED`.',
  reasons: 'Reasons of statuses that an answer or an accepted webhook has shown: `OPERATION.RAIL_UNAVAILABLE`.',
  events: 'Types of events of which the client has accepted one.',
  rules: 'The rules of the scenarios in use, met when one has applied: `challenge/createQuote.503`.',
  robustness: 'What went wrong on purpose, and whether the client coped: `createWithdrawal.lostAnswer`, `OPERATION_FAILED.duplicate`.',
};

export const CoverageSchema = z
  .object({
    tier: TierSchema.describe('What the figures beside it are of.'),
    ...share,
    all: ShareSchema.describe('The same of everything, whatever the tier.'),
    dimensions: z
      .object(
        Object.fromEntries(dimensions.map((each) => [each, DimensionSchema.describe(meanings[each])])) as Record<
          Dimension,
          typeof DimensionSchema
        >,
      )
      .openapi('CoverageDimensions', { description: 'The cells by what they are about.' })
      .describe('What there is to meet.'),
  })
  .openapi('Coverage', {
    description: 'Which part of the API the client of a world has met. What happened without its being told counts as not met.',
  });

export type CoverageView = z.infer<typeof CoverageSchema>;
