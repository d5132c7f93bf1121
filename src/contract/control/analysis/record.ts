import { z } from '@hono/zod-openapi';
import { TimestampSchema, UuidSchema, orNull } from '../../shared/common.js';
import { SentEventTypeSchema } from '../../public/webhooks.js';
import { expected } from '../../shared/messages/forms.js';

/** The recorded requests and webhook attempts of a world. */

const TextSchema = z
  .object({
    text: z.string().meta({ description: 'The stored part of the body, without secrets.' }),
    bytes: z.number().int().meta({ description: 'Full size in bytes.' }),
    truncated: z.boolean().meta({ description: 'True if only the beginning is stored.' }),
  })
  .openapi('RecordedText', { description: 'The beginning of a body, without secrets.' });

const BodySchema = TextSchema.extend({
  mediaType: z.string().meta({ description: 'Media type from the Content-Type header, without parameters.', example: 'application/json' }),
  file: z
    .object({
      name: z.string().describe('Name of the file in the upload.'),
      size: z.number().int().meta({ description: 'Size of the content in bytes.' }),
      type: z.string().nullable().meta({ description: 'Media type detected from the content; null if the type is not supported.' }),
      sha256: z.string().meta({ description: 'SHA-256 of the content, in hex.' }),
    })
    .openapi('RecordedFile', { description: 'An uploaded file. Its content is not stored.' })
    .optional()
    .describe('The uploaded file; absent without one.'),
}).openapi('RecordedBody', { description: 'The body of a request, without secrets.' });

const HeadersSchema = (whose: string) =>
  z
    .record(z.string(), z.string().describe('Value of the header, without secrets.'))
    .meta({ description: `${whose}, by name in lower case.` });

export const responseOutcomes = ['DELIVERED', 'MODIFIED', 'LOST', 'CLIENT_DISCONNECTED'] as const;

export const ResponseOutcomeSchema = z.enum(responseOutcomes).openapi('ResponseOutcome', {
  description:
    'DELIVERED: sent unchanged. MODIFIED: sent with fields that the API does not define. LOST: reset, truncated, unreadable or replaced, after the request had taken effect. CLIENT_DISCONNECTED: the client disconnected before the whole response was sent.',
});

const ResponseSchema = z
  .object({
    headers: HeadersSchema('Response headers'),
    body: orNull(TextSchema).meta({ description: 'Body of the response; null if it had none or was streamed.' }),
    replay: z.boolean().meta({ description: 'True if the response was stored for an earlier request with the same idempotency key.' }),
    outcome: ResponseOutcomeSchema.describe('Whether the client received the response.'),
    originalStatus: z
      .number()
      .int()
      .meta({ description: 'The original status of the sandbox. Differs from `status` if a fault replaced the response.' }),
    effect: orNull(z.record(z.string(), z.unknown())).meta({ description: 'The effect of a rule or a fault; null if none was applied.' }),
    ruleId: z.string().nullable().meta({ description: 'Id of the applied rule or fault; null if none was applied.' }),
  })
  .openapi('RecordedResponse', { description: 'The response to a request, and whether the client received it.' });

const common = {
  seq: z.number().int().meta({ description: 'Position in the timeline of its world, starting at 1.' }),
  id: z.string().meta({ description: 'X-Request-Id of a request, or id of the execution log of an attempt.' }),
  world: z.string().nullable().meta({ description: 'The world of the entry; null for an unattributed request.' }),
  generation: z.number().int().meta({ description: 'Generation of the world. Each reset, restore and import starts the next.' }),
  test: z.string().nullable().meta({ description: 'The test of the entry; null outside of tests.' }),
  at: orNull(TimestampSchema).meta({ description: 'World time at the start; null for an unattributed request.' }),
  startedAt: TimestampSchema.meta({ description: 'Real time at the start.' }),
  durationMs: z.number().int().nullable().meta({ description: 'Duration in milliseconds of real time; null while in progress.' }),
};

const finding = z
  .array(z.string().describe('Id of a finding.'))
  .meta({ description: 'Ids of the findings for which this entry is evidence.' });

/** Maximum number of fields and parameters outside the contract that are recorded for a request. */
export const maxUnknown = 50;

/** Maximum number of created or changed resources that are recorded for a request. */
export const maxCaused = 50;

const CausedSchema = z
  .object({
    resource: z.string().meta({ description: 'Kind of resource concerned, for example OPERATION.', example: 'OPERATION' }),
    id: z.string().describe('Id of the resource in its world.'),
  })
  .openapi('Caused', { description: 'A resource that a request created or changed.' });

const call = {
  ...common,
  connection: z.number().int().nullable().meta({ description: 'Number of the TCP connection that the request used.' }),
  method: z.string().describe('HTTP method, for example GET or POST.'),
  path: z.string().describe('Path without the query.'),
  url: z.string().meta({ description: 'Path and query as received, without secrets.' }),
  operationId: z.string().nullable().meta({ description: 'Operation id in the contract; null if no route matched.' }),
  params: z.record(z.string(), z.string().describe('Value of the parameter.')).meta({ description: 'Parameters of the path, by name.' }),
  query: z
    .record(
      z.string(),
      z
        .union([z.string(), z.array(z.string())])
        .openapi('QueryValue', { description: 'Value of a parameter, or a list of values if it occurs several times.' }),
    )
    .meta({ description: 'Parameters of the query, by name, without secrets.' }),
  version: z.string().nullable().meta({ description: 'API version of the request; null in the control API.' }),
  token: z
    .string()
    .nullable()
    .meta({ description: 'First 8 hex digits of the SHA-256 of the access token; null without one.', example: '7f3a91c2' }),
  idempotencyKey: z.string().nullable().describe('Idempotency key of the request; null without one.'),
  traceId: z.string().nullable().meta({ description: 'The trace id of `traceparent`; null without one.' }),
  purpose: z.string().nullable().meta({
    description: 'What the payment is for, from `X-Sandbox-Purpose`; null without a valid value.',
    example: 'invoice-4711',
  }),
  headers: HeadersSchema('Request headers'),
  body: orNull(BodySchema).meta({
    description: 'Body of the request; null if it had none, or if the request was rejected before the body was read.',
  }),
  unknown: z
    .array(z.string().describe('A field or parameter.'))
    .max(maxUnknown)
    .meta({ description: `Fields and parameters that the contract does not define, at most ${maxUnknown}.`, example: ['body:nickname'] }),
  status: z.number().int().nullable().meta({ description: 'HTTP status of the response; null while in progress.' }),
  code: z.string().nullable().meta({ description: 'Error code of the response; null if it is not an error.' }),
  response: orNull(ResponseSchema).meta({ description: 'The response; null while in progress.' }),
  caused: z
    .array(CausedSchema)
    .max(maxCaused)
    .meta({ description: `Resources that the request created or changed, at most ${maxCaused}.` }),
  findings: finding,
};

export const RecordedRequestSchema = z
  .object({ kind: z.literal('REQUEST').describe('A request to the public API.'), ...call })
  .openapi('RecordedRequest', { description: 'A request to the public API, and its response.' });

export const RecordedControlSchema = z
  .object({ kind: z.literal('CONTROL').describe('A request to the control API.'), ...call })
  .openapi('RecordedControl', { description: 'A request to the control API that may have changed data.' });

export const AttemptKindSchema = z.enum(['FIRST', 'RETRY', 'DUPLICATE', 'RESEND']).openapi('AttemptKind', {
  description: 'Kind of an attempt: the first one, a retry, a copy made by a rule, or a requested resend.',
});

export const RecordedAttemptSchema = z
  .object({
    kind: z.literal('ATTEMPT').describe('An attempt to deliver a webhook.'),
    ...common,
    messageId: UuidSchema.describe('X-Message-Id. All attempts of a delivery have the same one.'),
    eventType: SentEventTypeSchema.describe('Type of the event that the webhook reports.'),
    resourceId: UuidSchema.describe('Id of the operation, instruction or account that changed.'),
    subscriptionId: UuidSchema.describe('The subscription that defines the endpoint.'),
    url: z.string().meta({ description: 'URL of the attempt, without secrets.' }),
    attemptKind: AttemptKindSchema.describe('First attempt, retry, copy made by a rule, or requested resend.'),
    number: z.number().int().meta({ description: 'Number of the attempt within its delivery, starting at 1.' }),
    causeId: z.string().meta({ description: 'Id of the cause of the event, for use with `why`.' }),
    toInbox: z.boolean().meta({ description: 'True if the attempt was sent to an inbox of the sandbox.' }),
    synthetic: z.boolean().meta({ description: 'True if the event is an example and not an event of the world.' }),
    effect: orNull(z.record(z.string(), z.unknown())).meta({ description: 'The effect of a rule or a fault; null if none was applied.' }),
    headers: HeadersSchema('Request headers'),
    body: TextSchema.describe('The body as sent to the endpoint.'),
    httpStatus: z.number().int().meta({ description: 'HTTP status of the response; 0 if there was none.' }),
    error: z.string().nullable().meta({ description: 'The error; null if there was a response.' }),
    location: z.string().nullable().meta({ description: 'Location header of the response; null without one.' }),
    response: orNull(TextSchema).meta({ description: 'The first KiB of the response; null if there was none.' }),
    findings: finding,
  })
  .openapi('RecordedAttempt', { description: 'A finished attempt to deliver a webhook.' });

export const RecordedMarkSchema = z
  .object({
    kind: z.literal('MARK').describe('The start or end of a test or generation.'),
    ...common,
    what: z
      .enum(['TEST', 'TEST_END', 'RESET', 'RESTORE', 'IMPORT', 'RECREATE'])
      .openapi('MarkKind', { description: 'Type of a marker: the start or end of a test, or the start of a generation.' })
      .describe('Type of the marker.'),
  })
  .openapi('RecordedMark', { description: 'A marker in the timeline.' });

export const recordKinds = ['REQUEST', 'ATTEMPT', 'CONTROL', 'MARK'] as const;

export const RecordEntrySchema = z
  .discriminatedUnion('kind', [RecordedRequestSchema, RecordedControlSchema, RecordedAttemptSchema, RecordedMarkSchema])
  .openapi('RecordEntry', { description: 'A recorded entry. `kind` selects the variant.' });

export type RecordEntry = z.infer<typeof RecordEntrySchema>;
export type RecordedCall = z.infer<typeof RecordedRequestSchema> | z.infer<typeof RecordedControlSchema>;
export type RecordedAttempt = z.infer<typeof RecordedAttemptSchema>;
export type RecordedMark = z.infer<typeof RecordedMarkSchema>;
export type RecordedText = z.infer<typeof TextSchema>;

const testName = expected('a string of 1 to 200 characters, without line breaks and other control characters', 'pays out');

export const TestMarkSchema = z
  .strictObject({
    name: z
      .string({ error: testName })
      .min(1, { error: testName })
      .max(200, { error: testName })
      .regex(/^[ -~\u00a0-\uffff]*$/, { error: testName })
      .meta({ description: 'Name of the test: at most 200 characters, without control characters.', example: 'pays out' }),
    negative: z.boolean().optional().meta({
      description:
        'True for a test that misuses the API on purpose. Its findings are listed separately and fail no report, except for money that moved twice. Default: false.',
    }),
  })
  .openapi('TestMark', { description: 'The test that starts now.', example: { name: 'pays out' } });
