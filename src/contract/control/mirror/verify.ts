import { z } from '@hono/zod-openapi';
import { orNull, TimestampSchema } from '../../shared/common.js';
import { form } from '../../shared/messages/forms.js';
import { exactlyOne } from '../../shared/rule.js';
import { fates } from './record.js';

/** What a test expects clients to have done, and what there was instead. */

const MatchSchema = z
  .record(z.string(), z.unknown())
  .refine((match) => Object.keys(match).length > 0, { message: 'expected at least one condition' })
  .refine((match) => !('match' in match || 'count' in match), {
    message: 'expected fields of entries, which match and count are not',
    abort: true, // So that a step with one of them is told of what it was meant as.
  })
  .openapi('Match', {
    description:
      'Conditions on entries of the record, all of which have to hold: fields by dotted paths or as nested objects, with a value or with operators as in the `when` of a scenario. ' +
      '`body` is the JSON that was sent, `answer.body` the JSON that was answered; `fate`, `replay`, `ruleId` and `outcome` are short for those of the answer. A JSON number never equals a text; of a list, any element may be meant. ' +
      'Calls of the API are meant, or what `kind` says; a field that only attempts have means those.',
    example: { operationId: 'createWithdrawal', status: { lt: 300 } } as never,
    minProperties: 1,
  });

const times = z.number().int().min(0).max(1_000_000);
const StepSchema = z
  .union([
    z.strictObject({
      match: MatchSchema.describe('What the step is.'),
      count: times.min(1).optional().describe('How many such entries; one when left out.'),
    }),
    MatchSchema,
  ])
  .openapi('SequenceStep', { description: 'One step of a sequence: conditions, or conditions with how often they have to be met.' });

const waitMs = z.number().int().min(0).max(60_000);

export const VerifyRequestSchema = z
  .strictObject({
    match: MatchSchema.optional().describe('What to count. Either this or `sequence`.'),
    count: times.optional().describe('How many there have to be, exactly; 0 for none.'),
    atLeast: times.optional().describe('How many there have to be at least; 1 when no number is given.'),
    atMost: times.optional().describe('How many there may be at most.'),
    noOthers: z.boolean().optional().describe('Whether there may be no other calls of the API besides, those for tokens aside.'),
    sequence: z
      .array(StepSchema)
      .min(1)
      .max(50)
      .optional()
      .describe('What has to come in this order: each begins after the one before was answered.'),
    strict: z.boolean().optional().describe('Whether nothing else may come between the steps of the sequence.'),
    withinMs: waitMs
      .optional()
      .describe('How long to wait for it, in milliseconds of real time; what has become impossible is told at once.'),
    duringMs: waitMs.optional().describe('How long it has to stay so, in milliseconds of real time.'),
    since: form(
      /^(test|chapter|start|[A-Za-z]+_[A-Za-z0-9_-]{1,60}|[0-9a-f-]{36})$/,
      'test, chapter, start or the id of an entry',
      'chapter',
    )
      .optional()
      .describe(
        'From where on to look: `test` (when one is marked, else `chapter`), `chapter`, `start`, or the id of an entry, itself not included.',
      ),
  })
  .openapi('VerifyRequest', {
    description: 'What is expected of the record: a number of entries, or a sequence of them.',
    example: { match: { operationId: 'createWithdrawal' }, count: 1 } as never,
    ...exactlyOne('match', 'sequence'),
  });

export type VerifyRequest = z.output<typeof VerifyRequestSchema>;

const BriefEntrySchema = z
  .object({
    id: z.string().meta({ description: 'Its id, by which `GET /_sandbox/requests/{id}` shows all of it.' }),
    at: TimestampSchema.describe('When it began, in real time.'),
    what: z.string().meta({ description: 'The operation, or the event of an attempt.', example: 'createWithdrawal' }),
    status: z.number().int().nullable().meta({ description: 'What it was answered with; null while it is under way.' }),
    code: z.string().nullable().describe('The error code of the answer; null when it is no error.'),
    fate: orNull(
      z.enum(fates).openapi('BriefFate', { description: 'What became of an answer on its way, as an entry of the record tells it.' }),
    ).describe('What became of the answer.'),
    ruleId: z.string().nullable().meta({ description: 'Id of the rule or fault that struck it; null when none did.' }),
    idempotencyKey: z.string().nullable().describe('The key that the request brought; null without one.'),
    findings: z.array(z.string().describe('Id of a finding.')).describe('Ids of the findings for which it stands as evidence.'),
  })
  .openapi('BriefEntry', { description: 'An entry of the record in short.' });

export type BriefEntry = z.infer<typeof BriefEntrySchema>;

export const VerifiedSchema = z
  .object({
    verified: z.literal(true).describe('Always true: what is not so is refused with VERIFICATION_FAILED.'),
    count: z.number().int().meta({ description: 'How many entries matched.' }),
    requests: z.array(BriefEntrySchema).max(100).meta({ description: 'The newest hundred of them at most, oldest first.' }),
  })
  .openapi('Verified', { description: 'What was expected is so.' });

export type Verified = z.infer<typeof VerifiedSchema>;
