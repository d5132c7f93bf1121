import { localTime, timestampOf } from './zoned-time.js';

/** The holidays of a bank calendar. Saturdays and Sundays are never business days. */
export interface Calendar {
  /** IANA time zone of the banks. */
  readonly zone: string;
  /** Days such as `2027-01-01`. */
  readonly holidays: ReadonlySet<string>;
  /** First and last year with known holidays; null if the holidays of all years are known. */
  readonly years: { readonly from: number; readonly to: number } | null;
}

/** The rule for a due time. Times are minutes since local midnight. */
export interface BusinessDayRule {
  readonly days: number;
  /** Before this time, day 0 is the current day; after it, the next business day. */
  readonly cutoff: number;
  readonly opens: number;
  readonly zone: string;
}

const dayMs = 86_400_000;

/** Returns the day after `day`. */
const nextDay = (day: string) => new Date(Date.parse(`${day}T00:00:00.000Z`) + dayMs).toISOString().slice(0, 10);

/** True if banks of a calendar work on a day. */
export function isBusinessDay(day: string, { holidays }: Pick<Calendar, 'holidays'>): boolean {
  const weekday = new Date(`${day}T00:00:00.000Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidays.has(day);
}

/** Returns the first business day after `day`. */
function nextBusinessDay(day: string, calendar: Calendar): string {
  let next = nextDay(day);
  while (!isBusinessDay(next, calendar)) next = nextDay(next);
  return next;
}

/**
 * Returns the due time in Unix milliseconds: the opening of the nth business day from `startMs`, but never before `startMs`.
 * `isKnown` is false if the calendar does not cover all years until then; in years without holidays only weekends count.
 */
export function dueAfterBusinessDays(
  startMs: number,
  { days, cutoff, opens, zone }: BusinessDayRule,
  calendar: Calendar,
): { ms: number; isKnown: boolean } {
  const start = localTime(startMs, zone);
  let day = start.day;
  if (!isBusinessDay(day, calendar) || start.minutes >= cutoff) day = nextBusinessDay(day, calendar);
  for (let count = 0; count < days; count += 1) day = nextBusinessDay(day, calendar);
  const { years } = calendar;
  const isKnown = years === null || (Number(start.day.slice(0, 4)) >= years.from && Number(day.slice(0, 4)) <= years.to);
  return { ms: Math.max(startMs, timestampOf({ day, minutes: opens }, zone)), isKnown };
}
