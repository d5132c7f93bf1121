import { z } from '@hono/zod-openapi';
import { orNull, TimestampSchema } from '../../shared/common.js';
import { patternSchema } from '../../shared/messages/forms.js';
import { exactlyOne } from '../../shared/rule.js';
import { responseOutcomes } from './record.js';

/** The expected requests of a test, and the result of their verification. */

const MatchSchema = z
  .record(z.string(), z.unknown())
  .refine((match) => Object.keys(match).length > 0, { message: 'expected at least one condition' })
  .refine((match) => !('match' in match || 'count' in match), {
    message: 'expected fields of entries; match and count are not such fields',
    abort: true, // A step with these fields is meant for the other branch, so only the errors of that branch are useful.
  })
  .openapi('Match', {
    description:
      'Conditions on recorded entries, all of which must match: fields as dotted paths or nested objects, with a value or with operators as in `when` of a scenario. ' +
      'Three more operators: `matches` (a regular expression in the syntax of RE2 that matches a part of the string), `exists` (true or false), and `equals` (the whole value, for example of `body`). ' +
      '`body` is the JSON of the request, `response.body` that of the response, also with fields that the API does not define. Header names are in lower case: `headers.x-idempotency-key`. ' +
      '`status` can be a class such as `2xx`; it does not match a response that the client did not receive, except together with a condition on `response.outcome`. `outcome`, `replay`, `ruleId` and `originalStatus` are short for the fields in `response`. A JSON number never equals a string. A condition matches a list if any element matches. ' +
      'Default of `kind`: API requests, or webhook attempts if a field exists only in them.',
    example: { operationId: 'createWithdrawal', status: { lt: 300 } } as never,
    minProperties: 1,
  });

const times = z.number().int().min(0).max(1_000_000);
const StepSchema = z
  .union([
    z.strictObject({
      match: MatchSchema.describe('The conditions of the step.'),
      count: times.min(1).optional().describe('Number of matching entries. Default: 1.'),
    }),
    MatchSchema,
  ])
  .openapi('SequenceStep', { description: 'A step of a sequence: conditions, optionally with the number of matching entries.' });

const waitMs = z.number().int().min(0).max(60_000);

export const VerifyRequestSchema = z
  .strictObject({
    match: MatchSchema.optional().describe('The entries to count. Exactly one of `match` and `sequence` is required.'),
    count: times.optional().describe('Exact number of matching entries; 0 for none.'),
    atLeast: times.optional().describe('Minimum number of matching entries. Default: 1, if no other number is given.'),
    atMost: times.optional().describe('Maximum number of matching entries.'),
    noOthers: z.boolean().optional().describe('If true, there must be no other API requests. Token requests are ignored.'),
    sequence: z
      .array(StepSchema)
      .min(1)
      .max(50)
      .optional()
      .describe('Entries that must occur in this order: each starts after the response to the previous one.'),
    strict: z.boolean().optional().describe('If true, no other entries may occur between the steps of the sequence.'),
    withinMs: waitMs
      .optional()
      .describe(
        'Maximum time to wait for the expectation, in milliseconds of real time. Fails immediately if the expectation can no longer be met.',
      ),
    duringMs: waitMs.optional().describe('Time for which the expectation must stay true, in milliseconds of real time.'),
    since: patternSchema(
      /^(test|generation|start|[A-Za-z]+_[A-Za-z0-9_-]{1,60}|[0-9a-f-]{36})$/,
      'test, generation, start or the id of an entry',
      'generation',
    )
      .optional()
      .describe(
        'Start of the search: `test` (the present test, or `generation` without one), `generation` (the present generation), `start`, or after the entry with this id.',
      ),
  })
  .openapi('VerifyRequest', {
    description:
      'The expectation on the recorded entries: a number of them, or a sequence. All steps together have at most 100 conditions, 1,000 values in lists, and 65,536 characters in names and texts.',
    example: { match: { operationId: 'createWithdrawal' }, count: 1 } as never,
    ...exactlyOne('match', 'sequence'),
  });

export type VerifyRequest = z.output<typeof VerifyRequestSchema>;

const BriefEntrySchema = z
  .object({
    id: z.string().meta({ description: 'Id of the entry. `GET /_sandbox/requests/{id}` returns the full entry.' }),
    at: TimestampSchema.describe('Real time at the start.'),
    what: z.string().meta({ description: 'The operation, or the event of an attempt.', example: 'createWithdrawal' }),
    status: z.number().int().nullable().meta({ description: 'HTTP status of the response; null while in progress.' }),
    code: z.string().nullable().describe('Error code of the response; null if it is not an error.'),
    outcome: orNull(
      z
        .enum(responseOutcomes)
        .openapi('BriefResponseOutcome', { description: 'Whether the client received a response, as in the full entry.' }),
    ).describe('Whether the client received the response.'),
    ruleId: z.string().nullable().meta({ description: 'Id of the applied rule or fault; null if there was none.' }),
    idempotencyKey: z.string().nullable().describe('Idempotency key of the request; null without one.'),
    findings: z.array(z.string().describe('Id of a finding.')).describe('Ids of the findings for which this entry is evidence.'),
  })
  .openapi('BriefEntry', { description: 'A summary of a recorded entry.' });

export type BriefEntry = z.infer<typeof BriefEntrySchema>;

export const VerifiedSchema = z
  .object({
    verified: z.literal(true).describe('Always true. A failed expectation returns the error VERIFICATION_FAILED.'),
    count: z.number().int().meta({ description: 'Number of matching entries.' }),
    requests: z.array(BriefEntrySchema).max(100).meta({ description: 'The newest 100 matching entries, oldest first.' }),
  })
  .openapi('Verified', { description: 'The result of a successful verification.' });

export type Verified = z.infer<typeof VerifiedSchema>;
