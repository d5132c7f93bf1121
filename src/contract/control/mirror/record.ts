import { z } from '@hono/zod-openapi';
import { TimestampSchema, UuidSchema, orNull } from '../../shared/common.js';
import { EventTypeSchema } from '../../public/webhooks.js';
import { expected } from '../../shared/messages/forms.js';

/** What the record holds of the calls and attempts of a world. */

const TextSchema = z
  .object({
    text: z.string().meta({ description: 'What came, without secrets, as far as it is kept.' }),
    bytes: z.number().int().meta({ description: 'How many bytes it had in all.' }),
    truncated: z.boolean().meta({ description: 'Whether only its beginning is kept.' }),
  })
  .openapi('RecordedText', { description: 'The beginning of a body, without secrets.' });

const BodySchema = TextSchema.extend({
  mediaType: z.string().meta({ description: 'What its Content-Type declares, without parameters.', example: 'application/json' }),
  file: z
    .object({
      name: z.string().describe('The name that it was sent under.'),
      size: z.number().int().meta({ description: 'How many bytes its content has.' }),
      type: z.string().nullable().meta({ description: 'What its content is; null when it is nothing that is taken.' }),
      sha256: z.string().meta({ description: 'The SHA-256 of its content, in hex digits.' }),
    })
    .openapi('RecordedFile', { description: 'A file that was sent. Its content is not kept.' })
    .optional()
    .describe('What was uploaded beside the body, if anything was.'),
}).openapi('RecordedBody', { description: 'The body of a request, without secrets.' });

const HeadersSchema = (whose: string) =>
  z.record(z.string(), z.string().describe('Its value, without secrets.')).meta({ description: `${whose}, by name in lower case.` });

export const fates = ['INTACT', 'ALTERED', 'LOST', 'CLIENT_GONE'] as const;

const AnswerSchema = z
  .object({
    headers: HeadersSchema('Headers of the answer'),
    body: orNull(TextSchema).meta({ description: 'Its body; null when it had none, or when it was made while it was sent.' }),
    replay: z.boolean().meta({ description: 'Whether it was the stored answer of an earlier request with the same key.' }),
    fate: z
      .enum(fates)
      .openapi('Fate', {
        description:
          'INTACT: sent as it was meant. ALTERED: sent with fields that no contract names. LOST: reset, cut, not readable, or replaced by another one after everything had happened. CLIENT_GONE: the client went before all of it was sent.',
      })
      .describe('What became of it on its way.'),
    outcome: z
      .number()
      .int()
      .meta({ description: 'The status that the sandbox itself came to: not `status` where a fault put another answer in its place.' }),
    effect: orNull(z.record(z.string(), z.unknown())).meta({ description: 'What a rule or a fault did; null when none struck.' }),
    ruleId: z.string().nullable().meta({ description: 'Id of that rule or fault; null when none struck.' }),
  })
  .openapi('RecordedAnswer', { description: 'What a call was answered, and what became of the answer.' });

const common = {
  seq: z.number().int().meta({ description: 'Its place in the timeline of its world, from 1.' }),
  id: z.string().meta({ description: 'X-Request-Id of a call, id of the execution log of an attempt.' }),
  world: z.string().nullable().meta({ description: 'The world that it belongs to; null for a call that came to none.' }),
  chapter: z.number().int().meta({ description: 'Which chapter of the world it stands in: each reset, restore and import begins one.' }),
  test: z.string().nullable().meta({ description: 'The test that it belongs to; null outside of tests.' }),
  at: orNull(TimestampSchema).meta({ description: 'When it began, by the clock of the world; null for a call that came to none.' }),
  startedAt: TimestampSchema.meta({ description: 'When it began, in real time.' }),
  durationMs: z.number().int().nullable().meta({ description: 'How long it took, in real time; null while it is under way.' }),
};

const finding = z
  .array(z.string().describe('Id of a finding.'))
  .meta({ description: 'Ids of what is wrong with the client for which this stands as evidence.' });

const CausedSchema = z
  .object({
    resource: z.string().meta({ description: 'What kind of thing.', example: 'OPERATION' }),
    id: z.string().describe('What it is called wherever it is shown.'),
  })
  .openapi('Caused', { description: 'Something that a call made or changed.' });

const call = {
  ...common,
  connection: z.number().int().nullable().meta({ description: 'The number of the connection that it came over.' }),
  method: z.string().describe('What was asked for, as GET or POST.'),
  path: z.string().describe('Path without the query.'),
  url: z.string().meta({ description: 'Path and query as they came, without secrets.' }),
  operationId: z.string().nullable().meta({ description: 'The operation, by its name in the contract; null when no route took it.' }),
  params: z.record(z.string(), z.string().describe('Its value.')).meta({ description: 'Parameters of the path, by name.' }),
  query: z
    .record(
      z.string(),
      z
        .union([z.string(), z.array(z.string())])
        .openapi('QueryValue', { description: 'What a parameter says, or all that it says when it comes several times.' }),
    )
    .meta({ description: 'Parameters of the query, by name, without secrets.' }),
  version: z.string().nullable().meta({ description: 'The API version that served it; null on the control plane.' }),
  token: z.string().nullable().meta({ description: '8 hex digits of the SHA-256 of its token; null without one.', example: '7f3a91c2' }),
  idempotencyKey: z.string().nullable().describe('Its idempotency key; null without one.'),
  traceId: z.string().nullable().meta({ description: 'The trace id of `traceparent`; null without one.' }),
  headers: HeadersSchema('Headers of the request'),
  body: orNull(BodySchema).meta({ description: 'Its body; null when it had none, or was refused before it was read.' }),
  unknown: z
    .array(z.string().describe('A field or parameter.'))
    .meta({ description: 'The fields and parameters that the contract does not name.', example: ['body:nickname'] }),
  status: z.number().int().nullable().meta({ description: 'The status that it was answered with; null while it is under way.' }),
  code: z.string().nullable().meta({ description: 'The error code of the answer; null when it is none.' }),
  answer: orNull(AnswerSchema).meta({ description: 'The answer; null while it is under way.' }),
  caused: z.array(CausedSchema).meta({ description: 'What it made or changed, at most 50.' }),
  findings: finding,
};

export const RecordedRequestSchema = z
  .object({ kind: z.literal('REQUEST').describe('Says that it is a call of the API.'), ...call })
  .openapi('RecordedRequest', { description: 'A call of the API, and what it was answered.' });

export const RecordedControlSchema = z
  .object({ kind: z.literal('CONTROL').describe('Says that it is a call of the control plane.'), ...call })
  .openapi('RecordedControl', { description: 'A call of the control plane that may have changed something.' });

export const RecordedAttemptSchema = z
  .object({
    kind: z.literal('ATTEMPT').describe('Says that it is an attempt to deliver a webhook.'),
    ...common,
    messageId: UuidSchema.describe('X-Message-Id: the same for every attempt of a delivery.'),
    eventType: EventTypeSchema.describe('What the event tells of.'),
    resourceId: UuidSchema.describe('What the event is about.'),
    subscriptionId: UuidSchema.describe('Whose endpoint was called.'),
    url: z.string().meta({ description: 'Where it went, without secrets.' }),
    which: z
      .enum(['FIRST', 'RETRY', 'DUPLICATE', 'RESEND'])
      .openapi('AttemptKind', {
        description: 'Why an attempt is made: by itself, as a retry, as a copy by a rule, or because somebody asked.',
      })
      .describe('Why it was made.'),
    number: z.number().int().meta({ description: 'Which attempt of its message it was, from 1.' }),
    causeId: z.string().meta({ description: 'Id of what led to the event, which `why` tells of.' }),
    own: z.boolean().meta({ description: 'Whether it went to an inbox of the sandbox.' }),
    synthetic: z.boolean().meta({ description: 'Whether the event is an example rather than one of the world.' }),
    effect: orNull(z.record(z.string(), z.unknown())).meta({ description: 'What a rule or a fault did to it; null when none did.' }),
    headers: HeadersSchema('Headers that were sent'),
    body: TextSchema.describe('What was sent.'),
    httpStatus: z.number().int().meta({ description: 'The status that the endpoint answered with; 0 without an answer.' }),
    error: z.string().nullable().meta({ description: 'What went wrong; null when an answer came.' }),
    location: z.string().nullable().meta({ description: 'Where the answer points; null when it points nowhere.' }),
    answer: orNull(TextSchema).meta({ description: 'The first KiB of the answer; null without one.' }),
    findings: finding,
  })
  .openapi('RecordedAttempt', { description: 'An attempt to deliver a webhook that has ended.' });

export const RecordedMarkSchema = z
  .object({
    kind: z.literal('MARK').describe('Says that something began or ended here.'),
    ...common,
    what: z
      .enum(['TEST', 'TEST_END', 'RESET', 'RESTORE', 'IMPORT', 'REMAKE'])
      .openapi('MarkKind', { description: 'What a mark stands for: a test that began or ended, or what began a chapter.' })
      .describe('What began or ended here.'),
  })
  .openapi('RecordedMark', { description: 'Something that divides the timeline.' });

export const recordKinds = ['REQUEST', 'ATTEMPT', 'CONTROL', 'MARK'] as const;

export const RecordEntrySchema = z
  .discriminatedUnion('kind', [RecordedRequestSchema, RecordedControlSchema, RecordedAttemptSchema, RecordedMarkSchema])
  .openapi('RecordEntry', { description: 'What happened between a client and the sandbox; `kind` tells which of the shapes it is.' });

export type RecordEntry = z.infer<typeof RecordEntrySchema>;
export type RecordedCall = z.infer<typeof RecordedRequestSchema> | z.infer<typeof RecordedControlSchema>;
export type RecordedAttempt = z.infer<typeof RecordedAttemptSchema>;
export type RecordedMark = z.infer<typeof RecordedMarkSchema>;
export type RecordedText = z.infer<typeof TextSchema>;

const testName = expected('a text of 1 to 200 characters, without line breaks and other control characters', 'pays out');

export const TestMarkSchema = z
  .strictObject({
    name: z
      .string({ error: testName })
      .min(1, { error: testName })
      .max(200, { error: testName })
      .regex(/^[ -~\u00a0-\uffff]*$/, { error: testName })
      .meta({ description: 'What the test is called: at most 200 characters, none of them a control character.', example: 'pays out' }),
  })
  .openapi('TestMark', { description: 'The test that what begins now belongs to.', example: { name: 'pays out' } });
