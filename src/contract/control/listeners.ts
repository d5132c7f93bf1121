import { z } from '@hono/zod-openapi';
import { UuidSchema, orNull } from '../shared/common.js';
import { form } from '../shared/messages/forms.js';
import { exactlyOne, fieldsOf, rule } from '../shared/rule.js';

export const ListenerNameSchema = form(
  /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/,
  'a name of 1 to 64 letters, digits, dots, hyphens and underscores that does not begin with a dot',
  'laptop',
).meta({
  description:
    'Name of the listener, which comes to be by being used: 1 to 64 letters, digits, dots, hyphens and underscores. It does not begin with a dot.',
  example: 'laptop',
});

export const ListenQuerySchema = z.object({
  session: z
    .string()
    .regex(/^[\x21-\x7e]{1,64}$/, { error: 'expected 1 to 64 characters without blanks' })
    .optional()
    .meta({ description: 'Names this reader, so that it can take up again what was broken off. Left out: it cannot.', example: 'f3b1' }),
  takeOver: z.enum(['true', 'false']).default('false').describe('Whether to put out a reader of another session that is connected.'),
});

export const ListenedAttemptSchema = z
  .object({
    attempt: UuidSchema.meta({
      description: 'Names the attempt, for its answer. It comes again with the same id when the connection was lost.',
    }),
    messageId: orNull(z.string()).meta({ description: 'X-Message-Id of the webhook; null when it came without one.' }),
    eventType: orNull(z.string()).meta({ description: 'X-Event-Type of the webhook; null when it came without one.' }),
    headers: z.record(z.string(), z.string()).meta({ description: 'Its headers, with their names as they are sent.' }),
    body: z.string().meta({ description: 'Its body, the bytes in base64.', example: 'e30=' }),
  })
  .openapi('ListenedAttempt', { description: 'A webhook on its way to a listener, which is to answer it.' });

export type ListenedAttempt = z.infer<typeof ListenedAttemptSchema>;

export const ListenerAnswerSchema = rule(
  z.strictObject({
    status: z.number().int().min(200).max(599).optional().describe('HTTP status that the endpoint answered with.'),
    headers: z.record(z.string().max(256), z.string().max(8192)).optional().describe('What the endpoint sent with it: `Location` is kept.'),
    body: z.string().optional().meta({ description: 'Body of its answer; the first KiB is kept.' }),
    error: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: 'Why there is no answer, in place of all else.', example: 'connect ECONNREFUSED 127.0.0.1:3000' }),
  }),
  (raw, report) => {
    const { status, error } = fieldsOf(raw);
    if (status === undefined && error === undefined) report('REQUIRED', ['status'], 'expected a status, or an error');
    if (status !== undefined && error !== undefined) report('INVALID_FORMAT', ['error'], 'expected only one of status and error');
  },
).openapi('ListenerAnswer', {
  description: 'What came of a webhook: an answer, or an error.',
  example: { status: 200 } as never,
  ...exactlyOne('status', 'error'),
});

export type ListenerAnswer = z.output<typeof ListenerAnswerSchema>;
