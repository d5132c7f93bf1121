import { z } from '@hono/zod-openapi';
import { DurationSchema, RealDurationSchema, durationMs } from '../shared/duration.js';
import { whole } from '../shared/messages/forms.js';
import { errorCodes } from '../shared/error-codes.js';

/** What a rule or a fault does to a request or to a delivery, instead of or besides what would happen by itself. */

const spanOf = (duration: typeof DurationSchema, name: string) =>
  z
    .union([
      duration,
      z
        .strictObject({ min: duration.describe('The shortest that is drawn.'), max: duration.describe('The longest that is drawn.') })
        .refine(({ min, max }) => (durationMs(min) ?? 0) <= (durationMs(max) ?? 0), {
          path: ['max'],
          message: 'expected a duration that is not shorter than min',
          when: ({ issues }) => issues.length === 0,
        })
        .openapi(`${name}Range`, { description: 'A range from which the world draws a duration.' }),
    ])
    .openapi(name, { description: 'A duration, or a range from which the world draws one.' });

const SpanSchema = spanOf(DurationSchema, 'Delay');

export type Span = z.infer<typeof SpanSchema>;

const someEffect = [
  (effect: object) => Object.values(effect).some((value) => value !== undefined),
  { message: 'expected at least one effect', when: ({ issues }: z.core.ParsePayload) => issues.length === 0 },
] as const;

/** The shapes of an answer that a client has to survive. They need an answer to work on. */
export const answerShapes = ['unknownFields', 'malformedJson', 'truncate', 'slowBody'] as const;

export const RequestEffectSchema = z
  .strictObject({
    delay: spanOf(RealDurationSchema, 'RealDelay').optional().describe('Wait this long, of real time.'),
    status: whole(400, 599).optional().describe('Answer with this status.'),
    code: z
      .enum(errorCodes)
      .openapi('EffectCode', { description: 'An error code that a rule or a fault can answer with.' })
      .optional()
      .describe('Answer with this error code; without it, the usual one of the status.'),
    retryAfter: DurationSchema.optional().describe('The Retry-After header of that answer.'),
    expireToken: z.literal(true).optional().describe('The token of the request answers EXPIRED_ACCESS_TOKEN from now on.'),
    unknownFields: z.literal(true).optional().describe('Add fields to the answer that no contract names.'),
    malformedJson: z.literal(true).optional().describe('Answer with a body that is no JSON.'),
    truncate: z.literal(true).optional().describe('End the connection in the middle of the body.'),
    slowBody: z
      .union([z.literal(true), RealDurationSchema])
      .optional()
      .describe('Send the body drop by drop, over this long; 2s when true.'),
    connectionReset: z.literal(true).optional().describe('Reset the connection instead of answering.'),
  })
  .refine(...someEffect)
  .refine(({ retryAfter, status, code }) => retryAfter === undefined || status !== undefined || code !== undefined, {
    message: 'expected status or code beside retryAfter, since an answer that is no error has no such header',
    when: ({ issues }: z.core.ParsePayload) => issues.length === 0,
  })
  .openapi('RequestEffect', { description: 'What a rule or a fault does to a request. At least one of these.', minProperties: 1 });

export type RequestEffect = z.infer<typeof RequestEffectSchema>;

/** How many times more a delivery can be made than once. */
export const maxDuplicates = 10;

export const DeliveryEffectSchema = z
  .strictObject({
    delay: SpanSchema.optional().describe('Hold the delivery back for this long, of world time.'),
    duplicate: whole(1, maxDuplicates).optional().describe('Deliver it this many times more.'),
    reorder: z
      .literal(true)
      .optional()
      .describe("Hold it until the subscription's next delivery was attempted, 5 s of world time at most."),
    drop: z.literal(true).optional().describe('Do not send it; the attempt counts as failed.'),
    corruptSignature: z.literal(true).optional().describe('Sign it wrongly.'),
    unsigned: z.literal(true).optional().describe('Send it without any signature.'),
    staleTimestamp: z
      .literal(true)
      .optional()
      .describe('Sign it rightly, an hour ago by `webhook-timestamp`; `X-Message-Signature` has no time.'),
  })
  .refine(...someEffect)
  .openapi('DeliveryEffect', { description: 'What a rule or a fault does to a delivery. At least one of these.', minProperties: 1 });

export type DeliveryEffect = z.infer<typeof DeliveryEffectSchema>;
