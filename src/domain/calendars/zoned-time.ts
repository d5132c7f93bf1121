/** A local day and time. */
export interface LocalTime {
  /** For example `2027-01-31`. */
  readonly day: string;
  /** Minutes since midnight. */
  readonly minutes: number;
}

/** Formatters by the spelling of their zone. A zone has many spellings, because case does not matter. */
const formats = new Map<string, Intl.DateTimeFormat>();
/** Formatters by the canonical name of their zone, of which there are about 500. */
const byCanonicalName = new Map<string, Intl.DateTimeFormat>();
const maxSpellings = 1000;

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const name = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
    if (formats.size >= maxSpellings) formats.clear();
    formats.set(zone, (format = canonicalFormat(name)));
  }
  return format;
}

function canonicalFormat(zone: string): Intl.DateTimeFormat {
  let format = byCanonicalName.get(zone);
  if (!format) {
    const [two, four] = ['2-digit', 'numeric'] as const;
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: four,
      month: two,
      day: two,
      hour: two,
      minute: two,
    });
    byCanonicalName.set(zone, format);
  }
  return format;
}

/** Returns the local time of a timestamp. @param ms Unix milliseconds @param zone IANA time zone */
export function localTime(ms: number, zone: string): LocalTime {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const { year = '', month = '', day = '', hour = '', minute = '' } = parts;
  return { day: `${year.padStart(4, '0')}-${month}-${day}`, minutes: Number(hour) * 60 + Number(minute) };
}

/** Returns the Unix milliseconds of a local time. A time that a clock change skips becomes the time after the change. */
export function timestampOf({ day, minutes }: LocalTime, zone: string): number {
  const wanted = Date.parse(`${day}T00:00:00.000Z`) + minutes * 60_000;
  let ms = wanted;
  // The second round corrects the offset if the first guess lies on the other side of a clock change.
  for (let round = 0; round < 2; round += 1) {
    const shown = localTime(ms, zone);
    ms += wanted - (Date.parse(`${shown.day}T00:00:00.000Z`) + shown.minutes * 60_000);
  }
  return ms;
}

/** Returns the minutes since midnight of a time such as `17:00`. */
export function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}
