import { z } from '@hono/zod-openapi';
import { durationMs } from './duration-text.js';
import { expected } from './messages/forms.js';

export { durationMs, durationText } from './duration-text.js';

const secondsPart = '[0-9]+(\\.[0-9]{1,3})?S';
const timePart = `T([0-9]+H([0-9]+M)?(${secondsPart})?|[0-9]+M(${secondsPart})?|${secondsPart})`;
/** Both forms, as JSON Schema says them: with something behind every P and T. */
const durationPattern = `^([0-9]+(ms|s|m|h|d)|P([0-9]+D(${timePart})?|${timePart}))$`;
/** Where clocks begin, in milliseconds since 1970. */
export const firstInstantMs = 0;
/** How far a clock goes, in milliseconds since 1970: whatever is planned from there has a year of four digits, too. */
export const lastInstantMs = Date.UTC(9990, 0, 1);

/** A duration in a scenario file or a control request. */
const aDuration = expected('a duration of at most ten years in ms, s, m, h or d, or in ISO 8601 of days and smaller', '30s');

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
      'A span of time, at most ten years: ISO 8601 of days and smaller (`PT30S`, `P1DT2H`) or short (`500ms`, `30s`, `2m`, `1h`, `1d`).',
    example: 'PT30S',
  });

/** A duration of at most `longest`, which is one as well. */
function durationUpTo(longest: string, ofWhat: string) {
  const maximumMs = durationMs(longest) ?? 0;
  return DurationSchema.refine((text) => (durationMs(text) ?? 0) <= maximumMs, {
    message: `expected at most ${longest} of ${ofWhat}`,
    params: { code: 'OUT_OF_RANGE' },
  });
}

/** A duration of real time, for which somebody has to wait. */
export const RealDurationSchema = durationUpTo('10m', 'real time').openapi('RealDuration', {
  description: 'A span of real time, at most ten minutes.',
  example: '250ms',
});

const isAboveZero = (text: string): boolean => durationMs(text) !== 0;

/** How long something outlives its last use. */
export const TimeToLiveSchema = DurationSchema.refine(isAboveZero, { message: expected('a time above zero', '1h') }).openapi('TimeToLive', {
  description: 'A span of real time above zero, at most ten years.',
  example: '1h',
});

/** How long an endpoint may take, during which it holds one of the places for open attempts. */
export const DeliveryTimeoutSchema = durationUpTo('2m', 'real time')
  .refine(isAboveZero, { message: expected('a time above zero', '10s') })
  .openapi('DeliveryTimeout', { description: 'A span of real time above zero, at most two minutes.', example: '10s' });

/** How long something may wait for a listener. */
export const ListenerGraceSchema = durationUpTo('2m', 'real time').openapi('ListenerGrace', {
  description: 'A span of real time, at most two minutes.',
  example: '5s',
});

/** A span of world time among the settings: as far as a clock is advanced to be idle. */
export const SettingSpanSchema = durationUpTo('365d', 'world time').openapi('SettingSpan', {
  description: 'A span of world time, at most 365 days.',
  example: '30s',
});
