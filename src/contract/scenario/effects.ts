import { z } from '@hono/zod-openapi';
import { DurationSchema, RealDurationSchema, durationMs } from '../shared/duration.js';
import { whole } from '../shared/messages/forms.js';
import { errorCodes } from '../shared/error-codes.js';
import { EventTypeSchema } from '../public/webhooks.js';

/** Effects that rules and faults inject into requests and deliveries. */

const isAscending = (durations: readonly string[]): boolean => {
  const all = durations.map((each) => durationMs(each) ?? 0);
  return all[0]! > 0 && all.every((each, index) => index === 0 || each >= all[index - 1]!);
};

const spanOf = (duration: typeof DurationSchema, name: string) =>
  z
    .union([
      duration,
      z
        .strictObject({ min: duration.describe('Minimum duration.'), max: duration.describe('Maximum duration.') })
        .refine(({ min, max }) => (durationMs(min) ?? 0) <= (durationMs(max) ?? 0), {
          path: ['max'],
          message: 'expected a duration that is not shorter than min',
          when: ({ issues }) => issues.length === 0,
        })
        .openapi(`${name}Range`, { description: 'A range from which the world picks a random duration.' }),
      z
        .strictObject({
          p50: duration.describe('Half of the durations are at most this long.'),
          p95: duration.describe('95 % of the durations are at most this long.'),
          p99: duration.describe('99 % of the durations are at most this long.'),
        })
        .refine(({ p50, p95, p99 }) => isAscending([p50, p95, p99]), {
          message: 'expected p50 above zero, p95 not shorter than p50, and p99 not shorter than p95',
          when: ({ issues }) => issues.length === 0,
        })
        .openapi(`${name}Percentiles`, {
          description: 'Percentiles of a log-normal distribution from which the world picks a random duration, at most four times p99.',
        }),
    ])
    .openapi(name, { description: 'A duration, or a range or distribution from which the world picks a random one.' });

const SpanSchema = spanOf(DurationSchema, 'Delay');

export type Span = z.infer<typeof SpanSchema>;

const someEffect = [
  (effect: object) => Object.values(effect).some((value) => value !== undefined),
  { message: 'expected at least one effect', when: ({ issues }: z.core.ParsePayload) => issues.length === 0 },
] as const;

/** Effects that change the content of a response. By default they apply after the request has taken effect, to its response. */
export const answerShapes = ['unknownFields', 'malformedJson', 'truncate', 'slowBody', 'hideNewerThan'] as const;

const LimitSchema = z
  .strictObject({
    calls: whole(1, 1_000_000).describe('Number of requests that are allowed in each period.'),
    per: RealDurationSchema.refine((text) => durationMs(text) !== 0, { message: 'expected a time above zero, for example "1s"' }).describe(
      'Length of the period in real time.',
    ),
    burst: whole(1, 1_000_000).optional().describe('Number of requests that are allowed at once after a pause. Default: `calls`.'),
    by: z
      .enum(['rule', 'operation'])
      .openapi('LimitScope', {
        description: 'Scope of a limit: all requests of the rule together, or the requests of each operation separately.',
      })
      .optional()
      .describe('Whether all matching requests share the limit, or each operation has its own. Default: `rule`.'),
  })
  .openapi('RequestLimit', { description: 'A rate limit of the world, as a token bucket in real time.' });

export type RequestLimit = z.infer<typeof LimitSchema>;

export const RequestEffectSchema = z
  .strictObject({
    delay: spanOf(RealDurationSchema, 'RealDelay').optional().describe('Delay the request by this much real time.'),
    status: whole(400, 599).optional().describe('Respond with this HTTP status.'),
    code: z
      .enum(errorCodes)
      .openapi('EffectCode', { description: 'An error code that a rule or a fault can return.' })
      .optional()
      .describe('Respond with this error code. Default: the usual code for the status.'),
    limit: LimitSchema.optional().describe(
      'Reject requests beyond this rate with 429 RATE_LIMIT_EXCEEDED and the Retry-After header. The rule counts only rejected requests as hits.',
    ),
    retryAfter: DurationSchema.optional().describe('Retry-After header of the response.'),
    expireToken: z.literal(true).optional().describe('Expire the token of the request: later requests with it get EXPIRED_ACCESS_TOKEN.'),
    unknownFields: z.literal(true).optional().describe('Add fields to the response that the API does not define.'),
    hideNewerThan: DurationSchema.optional().describe('Remove resources from a list that were created less than this world time ago.'),
    malformedJson: z.literal(true).optional().describe('Respond with a body that is not valid JSON.'),
    truncate: z.literal(true).optional().describe('Close the connection in the middle of the body.'),
    slowBody: z
      .union([z.literal(true), RealDurationSchema])
      .optional()
      .describe('Send the body slowly over this duration; `true` means 2s.'),
    connectionReset: z.literal(true).optional().describe('Reset the connection instead of sending a response.'),
    respondAfter: z
      .enum(['events', 'outcome'])
      .openapi('RespondAfter', { description: 'events: after the first webhooks of the request. outcome: after all of them.' })
      .optional()
      .describe(
        'Send the response after the webhooks that the request caused were answered, at most 5 s of real time later. A frozen clock first advances through the timers of the resources that the request created or changed, at most ten: with `events` until an event is sent, with `outcome` until no timer is left.',
      ),
  })
  .refine(...someEffect)
  .refine(({ retryAfter, status, code }) => retryAfter === undefined || status !== undefined || code !== undefined, {
    message: 'expected status or code with retryAfter, because only error responses have this header',
    when: ({ issues }: z.core.ParsePayload) => issues.length === 0,
  })
  .refine(({ limit, status, code }) => limit === undefined || (status === undefined && code === undefined), {
    message: 'expected limit without status and code, because a limit rejects with 429 RATE_LIMIT_EXCEEDED',
    when: ({ issues }: z.core.ParsePayload) => issues.length === 0,
  })
  .openapi('RequestEffect', {
    description: 'The effect of a rule or a fault on a request. At least one field is required.',
    minProperties: 1,
  });

export type RequestEffect = z.infer<typeof RequestEffectSchema>;

/** Duration of `slowBody: true`, in milliseconds. */
const usualSlowBodyMs = 2000;

/** Returns the duration of sending the body with an effect, in milliseconds; 0 for an effect without `slowBody`. */
export function slowBodyMsOf({ slowBody }: RequestEffect): number {
  return slowBody === true ? usualSlowBodyMs : slowBody === undefined ? 0 : (durationMs(slowBody) ?? 0);
}

/** Resources whose event ends a delay: that of the delayed event, or any resource. */
const waitScopes = ['sameResource', 'any'] as const;

export const UntilSchema = z
  .union([
    z.literal('end'),
    z
      .strictObject({
        eventType: EventTypeSchema.describe('Event type to wait for, for example `OPERATION_COMPLETED`.'),
        of: z
          .enum(waitScopes)
          .openapi('AwaitedEventScope', { description: '`sameResource`: an event of the same resource. `any`: of any resource.' })
          .describe('Which events of the type count.'),
      })
      .openapi('AwaitedEvent', { description: 'The next event of a type to the same subscription.' }),
  ])
  .openapi('AwaitedEnd', {
    description:
      'End of a delay. `end`: when nothing else is left to do. Otherwise: when the first attempt of the given event has ended. In any case, the delay ends after one day of world time, and at the end of an advance with `untilIdle`.',
  });

export type Until = z.infer<typeof UntilSchema>;

/** Maximum number of additional copies of a delivery. */
export const maxDuplicates = 10;

export const DeliveryEffectSchema = z
  .strictObject({
    delay: SpanSchema.optional().describe('Delay the delivery by this much world time.'),
    duplicate: whole(1, maxDuplicates).optional().describe('Send this many additional copies.'),
    reorder: z
      .literal(true)
      .optional()
      .describe('Delay the delivery until after the next delivery of the subscription, by at most 5 s of world time.'),
    until: UntilSchema.optional().describe(
      'Delay the delivery until the first attempt of another event has ended, or until nothing else is left to do.',
    ),
    again: z
      .strictObject({ until: UntilSchema.describe('The delay of the copy.') })
      .openapi('SentAgain', { description: 'A copy of a webhook that is sent later.' })
      .optional()
      .describe('Send one additional copy later.'),
    overlap: z
      .literal(true)
      .optional()
      .describe('Delay the delivery until the next event of the same resource, and send both at the same time.'),
    simultaneous: z
      .literal(true)
      .optional()
      .describe('Send the webhook twice at the same time, over two connections. The attempt has the first response.'),
    drop: z.literal(true).optional().describe('Do not send the webhook. The attempt counts as failed.'),
    dropResponse: z.literal(true).optional().describe('Send the webhook, and ignore the response. The attempt counts as failed.'),
    lost: z.literal(true).optional().describe('Do not send the webhook, and do not retry. The delivery counts as failed.'),
    corruptSignature: z.literal(true).optional().describe('Send the webhook with a wrong signature.'),
    unsigned: z.literal(true).optional().describe('Send the webhook without a signature.'),
    staleTimestamp: z
      .literal(true)
      .optional()
      .describe('Sign the webhook correctly, but with a `webhook-timestamp` one hour ago. `X-Message-Signature` contains no time.'),
    unknownFields: z.literal(true).optional().describe('Add fields to the body that the API does not define.'),
    unknownEvent: z
      .literal(true)
      .optional()
      .describe(
        'Send one additional webhook with the same body, its own message id, and an unknown event type, for example `OPERATION_FUTURE_EVENT`. Only for subscriptions with `includeAll`, and without rules and faults.',
      ),
  })
  .refine(...someEffect)
  .openapi('DeliveryEffect', {
    description: 'The effect of a rule or a fault on a delivery. At least one field is required.',
    minProperties: 1,
  });

export type DeliveryEffect = z.infer<typeof DeliveryEffectSchema>;
