import { z } from '@hono/zod-openapi';
import { DurationSchema, durationMs } from '../shared/duration.js';
import { expected, patternSchema, whole } from '../shared/messages/forms.js';

/** The calendars of `fixtures/calendars.yaml`. */
export const calendarNames = ['BR', 'TARGET', 'US', 'CA', 'GB'] as const;
export type CalendarName = (typeof calendarNames)[number];

/** Maximum number of business days of a step. */
export const maxBusinessDays = 250;
/** Maximum number of holidays in a calendar that a step defines. */
const maxOwnHolidays = 200;

const isDay = (text: string): boolean => {
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
};

export const DaySchema = patternSchema(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'a day', '2027-01-01').refine(isDay, {
  message: 'expected a day that exists',
});

const ClockTimeSchema = patternSchema(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'a local time in quotes', '17:00');

/** Known spellings of time zones, and whether the runtime knows them. A formatter takes 0.1 ms to create. */
const zones = new Map<string, boolean>();
const maxZones = 1000;

/** True if the runtime knows a time zone. */
export function isZone(zone: string): boolean {
  if (!zone.includes('/') || zone.length > maxZoneLength) return false;
  let isKnown = zones.get(zone);
  if (isKnown === undefined) {
    if (zones.size >= maxZones) zones.clear();
    zones.set(zone, (isKnown = canFormat(zone)));
  }
  return isKnown;
}

function canFormat(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Maximum length of the name of a time zone, in characters. */
const maxZoneLength = 64;

export const ZoneSchema = z
  .string()
  .max(maxZoneLength)
  .refine(isZone, { message: expected('an IANA time zone', 'America/Sao_Paulo'), params: { code: 'INVALID_FORMAT' } });

const ordered = {
  path: ['max'],
  when: ({ issues }: z.core.ParsePayload) => issues.length === 0,
};

const StepRangeSchema = z
  .strictObject({ min: DurationSchema.describe('Minimum delay.'), max: DurationSchema.describe('Maximum delay.') })
  .refine(({ min, max }) => (durationMs(min) ?? 0) <= (durationMs(max) ?? 0), {
    ...ordered,
    message: 'expected a duration that is not shorter than min',
  })
  .openapi('StepDelayRange', { description: "A range of delays. The world's seed and the resource determine the delay." });

const days = whole(0, maxBusinessDays);

const BusinessDaysSchema = z
  .strictObject({
    businessDays: z
      .union([
        days,
        z
          .strictObject({ min: days.describe('Minimum number of days.'), max: days.describe('Maximum number of days.') })
          .refine(({ min, max }) => min <= max, { ...ordered, message: 'expected a number that is not smaller than min' })
          .openapi('BusinessDaysRange', {
            description: 'Minimum and maximum number of days to wait. The seed of the world determines the number.',
          }),
      ])
      .describe(
        'Number of business days, or a range. Day 0 is today if it is a business day before the cut-off, otherwise the next business day.',
      ),
    calendar: z
      .union([
        z.enum(calendarNames).openapi('CalendarName', { description: 'A calendar of `fixtures/calendars.yaml`.' }),
        z
          .strictObject({ holidays: z.array(DaySchema).max(maxOwnHolidays).describe('Weekdays that are not business days.') })
          .openapi('OwnCalendar', { description: 'Your own calendar: Monday to Friday without these holidays. Needs `zone`.' }),
      ])
      .describe('Calendar with the holidays.'),
    cutoff: ClockTimeSchema.optional().describe('Local time from which a day no longer counts as day 0. Default: midnight.'),
    opens: ClockTimeSchema.optional().describe(
      'Local time at which the step is due. Default: "09:00". On day 0 the step is due at once if this time has passed.',
    ),
    zone: ZoneSchema.optional().describe('IANA time zone of the local times. Default: that of the calendar.'),
    plus: z
      .union([DurationSchema, StepRangeSchema])
      .optional()
      .describe('Delay or range that is added to the due time, for example the minutes of a review.'),
  })
  .refine(({ calendar, zone }) => typeof calendar === 'string' || zone !== undefined, {
    path: ['zone'],
    message: 'expected a time zone with your own calendar, such as "America/Sao_Paulo"',
    when: ({ issues }: z.core.ParsePayload) => issues.length === 0,
  })
  .openapi('BusinessDaysDelay', { description: 'A number of business days, as banks count them.' });

export type BusinessDays = z.infer<typeof BusinessDaysSchema>;

/** The delay of a step. */
export const AfterSchema = z
  .union([DurationSchema, StepRangeSchema, BusinessDaysSchema])
  .openapi('StepDelay', { description: 'Delay of a step: a duration, a range, or business days.' });

export type After = z.infer<typeof AfterSchema>;

/** Returns a delay in milliseconds: the fixed one, or one from a range. @param fraction position in the range, from 0 to below 1 */
export function spanMs(span: string | { min: string; max: string }, fraction: number): number {
  if (typeof span === 'string') return durationMs(span) ?? 0;
  const [least, most] = [durationMs(span.min) ?? 0, durationMs(span.max) ?? 0];
  return Math.round(least + (most - least) * fraction);
}
