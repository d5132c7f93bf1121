import { z } from '@hono/zod-openapi';
import { UuidSchema, orNull } from '../shared/common.js';
import { patternSchema } from '../shared/messages/forms.js';
import { exactlyOne, fieldsOf, rule } from '../shared/rule.js';

export const ListenerNameSchema = patternSchema(
  /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/,
  'a name of 1 to 64 letters, digits, dots, hyphens and underscores that does not start with a dot',
  'laptop',
).meta({
  description:
    'Name of the listener: 1 to 64 letters, digits, dots, hyphens and underscores, not starting with a dot. The first use creates the listener.',
  example: 'laptop',
});

export const ListenQuerySchema = z.object({
  session: z
    .string()
    .regex(/^[\x21-\x7e]{1,64}$/, { error: 'expected 1 to 64 characters without spaces' })
    .optional()
    .meta({ description: 'Id of this session, to continue after a lost connection. Without it, you cannot continue.', example: 'f3b1' }),
  takeOver: z.enum(['true', 'false']).default('false').describe('Whether to disconnect another session of this listener.'),
});

export const ListenedAttemptSchema = z
  .object({
    attempt: UuidSchema.meta({
      description: 'Id of the attempt, for the response to it. After a lost connection, the attempt is sent again with the same id.',
    }),
    messageId: orNull(z.string()).meta({ description: 'X-Message-Id of the webhook; null if it has none.' }),
    eventType: orNull(z.string()).meta({ description: 'X-Event-Type of the webhook; null if it has none.' }),
    headers: z.record(z.string(), z.string()).meta({ description: 'Headers of the webhook, with the original case of their names.' }),
    body: z.string().meta({ description: 'Body of the webhook in base64.', example: 'e30=' }),
  })
  .openapi('ListenedAttempt', { description: 'A webhook for a listener, which must respond to it.' });

export type ListenedAttempt = z.infer<typeof ListenedAttemptSchema>;

export const ListenerAnswerSchema = rule(
  z.strictObject({
    status: z.number().int().min(200).max(599).optional().describe('HTTP status from the endpoint.'),
    headers: z
      .record(z.string().max(256), z.string().max(8192))
      .optional()
      .describe('Headers from the endpoint; only `Location` is stored.'),
    body: z.string().optional().meta({ description: 'Body from the endpoint; the first KiB is stored.' }),
    error: z.string().min(1).max(1000).optional().meta({
      description: 'Reason why there is no response. Not allowed together with `status`.',
      example: 'connect ECONNREFUSED 127.0.0.1:3000',
    }),
  }),
  (raw, report) => {
    const { status, error } = fieldsOf(raw);
    if (status === undefined && error === undefined) report('REQUIRED', ['status'], 'expected a status, or an error');
    if (status !== undefined && error !== undefined) report('INVALID_FORMAT', ['error'], 'expected only one of status and error');
  },
).openapi('ListenerAnswer', {
  description: 'The result of a webhook: a response or an error.',
  example: { status: 200 } as never,
  ...exactlyOne('status', 'error'),
});

export type ListenerAnswer = z.output<typeof ListenerAnswerSchema>;
