import type { FaultRequest } from '../../contract/scenario/scenario.js';
import { durationMs } from '../../contract/shared/duration-text.js';
import { spanText } from '../parts/timestamp.js';

type EffectOn<K extends FaultRequest['on']> = Extract<FaultRequest, { on: K }>['effect'];
/** All effects, and the drawn delay of a recorded attempt. */
type Effects = EffectOn<'REQUEST'> & EffectOn<'DELIVERY'> & { readonly delayMs?: number };

const durationWords = (text: string): string => spanText(durationMs(text) ?? 0);

/** Returns a duration, a range or percentiles in words. */
function delayWords(delay: NonNullable<Effects['delay']>): string {
  if (typeof delay === 'string') return durationWords(delay);
  if ('min' in delay) return `${durationWords(delay.min)} to ${durationWords(delay.max)}`;
  return `about ${durationWords(delay.p50)}, rarely more than ${durationWords(delay.p99)}`;
}

const untilWords = (until: NonNullable<Effects['until']>): string => (until === 'end' ? 'at the end' : `after ${until.eventType}`);

/** What each effect does to a request or a webhook. */
const words: { readonly [E in keyof Required<Omit<Effects, 'retryAfter'>>]: (value: NonNullable<Effects[E]>) => string } = {
  status: (status) => `fails with ${status}`,
  code: (code) => `fails with ${code}`,
  delay: (delay) => `is delayed by ${delayWords(delay)}`,
  delayMs: (ms) => `is delayed by ${spanText(ms)}`,
  limit: ({ calls, per }) => `fails with 429 above ${calls} calls in ${durationWords(per)}`,
  expireToken: () => 'fails with an expired token',
  connectionReset: () => 'fails with a reset connection',
  unknownFields: () => 'has unknown fields',
  hideNewerThan: (age) => `does not list what is newer than ${durationWords(age)}`,
  malformedJson: () => 'gets a response that is not JSON',
  truncate: () => 'gets half a response',
  slowBody: () => 'gets a slow response',
  respondAfter: (what) => `gets its response after its ${what === 'events' ? 'first webhooks' : 'last webhook'}`,
  drop: () => 'is dropped',
  lost: () => 'is dropped, and so are its retries',
  dropResponse: () => 'loses its response',
  duplicate: (copies) => `is sent ${copies + 1} times`,
  simultaneous: () => 'is sent twice at once',
  reorder: () => 'is sent after the next one',
  until: (until) => `is sent ${untilWords(until)}`,
  again: (again) => `is sent again ${untilWords(again.until)}`,
  overlap: () => 'is sent together with the next one of its resource',
  corruptSignature: () => 'has a wrong signature',
  unsigned: () => 'has no signature',
  staleTimestamp: () => 'has a timestamp one hour ago',
  unknownEvent: () => 'is followed by an unknown event',
};

/**
 * Returns effects in words that follow the name of a request or a webhook: `fails with 503`. The Retry-After header is not named.
 * @param isCommitted whether a reset of the connection comes after the request has changed the world, so that only the response is lost
 */
export const effectWords = (effect: object, isCommitted = false): string =>
  Object.entries(effect)
    .filter(([name]) => name !== 'retryAfter')
    .map(([name, value]) => [name === 'connectionReset' && isCommitted ? 'dropResponse' : name, value] as const)
    .map(([name, value]) =>
      Object.hasOwn(words, name) ? words[name as keyof typeof words](value as never) : `${name} ${JSON.stringify(value)}`,
    )
    .join(', ');

/** Returns a condition in words: `amount gt 100`, `method POST`. */
const conditionWords = ([field, value]: readonly [string, unknown]): string =>
  `${field} ${typeof value === 'object' && value !== null ? Object.entries(value).flat().join(' ') : String(value)}`;

/** Returns a fault in words, without its number of times: `createWithdrawal fails with 503`. */
export function faultWords({ on, when = {}, effect, after = 0, probability, ttl, ...others }: FaultRequest): string {
  const [field, any] = on === 'REQUEST' ? (['operationId', 'any call'] as const) : (['eventType', 'any webhook'] as const);
  const conditions = Object.entries(when);
  const named = conditions.find((each): each is [string, string] => each[0] === field && typeof each[1] === 'string');
  return [
    named?.[1] ?? any,
    effectWords(effect, 'phase' in others && others.phase === 'after_commit'),
    ...conditions.filter((each) => each !== named).map((each, index) => `${index === 0 ? 'if' : 'and'} ${conditionWords(each)}`),
    ...(after > 0 ? [`after the first ${after}`] : []),
    ...(probability === undefined ? [] : [`in ${probability * 100} % of the cases`]),
    ...(ttl === undefined ? [] : [`for ${durationWords(ttl)} of world time`]),
  ].join(' ');
}
