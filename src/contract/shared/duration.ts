import { z } from '@hono/zod-openapi';
import { durationMs } from './duration-text.js';
import { expected } from './messages/forms.js';

export { durationMs, durationText } from './duration-text.js';

const secondsPart = '[0-9]+(\\.[0-9]{1,3})?S';
const timePart = `T([0-9]+H([0-9]+M)?(${secondsPart})?|[0-9]+M(${secondsPart})?|${secondsPart})`;
/** Pattern of both formats for JSON Schema, with at least one part after each P and T. */
const durationPattern = `^([0-9]+(ms|s|m|h|d)|P([0-9]+D(${timePart})?|${timePart}))$`;
/** First time of a clock, in Unix milliseconds. */
export const minWorldMs = 0;
/** Last time of a clock, in Unix milliseconds. Any duration from then on ends in a year of four digits. */
export const maxWorldMs = Date.UTC(9990, 0, 1);

/** Error for a wrong duration in a scenario file or a control request. */
const aDuration = expected('a duration of at most ten years in ms, s, m, h or d, or in ISO 8601 with days or smaller units', '30s');

export const DurationSchema = z
  .string({ error: aDuration })
  .max(40, { error: aDuration })
  .refine((text) => typeof text === 'string' && durationMs(text) !== null, {
    message: aDuration,
    params: { code: 'INVALID_FORMAT' },
  })
  .openapi('Duration', {
    pattern: durationPattern,
    description:
      'Duration of at most ten years: ISO 8601 with days or smaller units (`PT30S`, `P1DT2H`) or short (`500ms`, `30s`, `2m`, `1h`, `1d`).',
    example: 'PT30S',
  });

/** Returns the schema of a duration of at most `longest`. */
function durationUpTo(longest: string, ofWhat: string) {
  const maximumMs = durationMs(longest) ?? 0;
  return DurationSchema.refine((text) => (durationMs(text) ?? 0) <= maximumMs, {
    message: `expected at most ${longest} of ${ofWhat}`,
    params: { code: 'OUT_OF_RANGE' },
  });
}

/** A duration of real time. It is limited because tests have to wait for it. */
export const RealDurationSchema = durationUpTo('10m', 'real time').openapi('RealDuration', {
  description: 'Duration in real time, at most ten minutes.',
  example: '250ms',
});

/** A duration of world time in the settings. An advance of a clock with `untilIdle` has the same limit. */
export const SettingSpanSchema = durationUpTo('365d', 'world time').openapi('SettingSpan', {
  description: 'Duration in world time, at most 365 days.',
  example: '30s',
});

const isAboveZero = (text: string): boolean => durationMs(text) !== 0;

/** The world time between two changes of a rate. */
export const RateTickSchema = SettingSpanSchema.refine(isAboveZero, { message: expected('a time above zero', '1s') }).openapi('RateTick', {
  description: 'Duration in world time, above zero, at most 365 days.',
  example: '1s',
});

/** The real time for which a resource is stored after its last use, or a report is valid. */
export const TimeToLiveSchema = DurationSchema.refine(isAboveZero, { message: expected('a time above zero', '1h') }).openapi('TimeToLive', {
  description: 'Duration in real time, above zero, at most ten years.',
  example: '1h',
});

/** The timeout of a webhook endpoint. During this time the attempt occupies one of the limited slots for open attempts. */
export const DeliveryTimeoutSchema = durationUpTo('2m', 'real time')
  .refine(isAboveZero, { message: expected('a time above zero', '10s') })
  .openapi('DeliveryTimeout', { description: 'Duration in real time, above zero, at most two minutes.', example: '10s' });

/** The time for which a client secret stays valid after its replacement. */
export const RotationGraceSchema = durationUpTo('30d', 'real time').openapi('RotationGrace', {
  description: 'Duration in real time, at most 30 days.',
  example: '1h',
});

/** The maximum time that a delivery waits for a listener to reconnect. */
export const ListenerGraceSchema = durationUpTo('2m', 'real time').openapi('ListenerGrace', {
  description: 'Duration in real time, at most two minutes.',
  example: '5s',
});
