const iso = /^P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:\.([0-9]{1,3}))?S)?)?$/;
const short = /^([0-9]+)(ms|s|m|h|d)$/;
const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const maxDays = 3650;

/**
 * Parses a duration to milliseconds: ISO 8601 (`PT30S`, `P1DT2H`) or short (`500ms`, `30s`, `2m`, `1h`, `1d`). Returns null if the
 * duration is invalid or longer than ten years.
 */
export function durationMs(text: string): number | null {
  const brief = short.exec(text);
  if (brief) return limited(Number(brief[1]) * unitMs[brief[2] as keyof typeof unitMs]);
  const long = iso.exec(text);
  if (!long || /[PT]$/.test(text)) return null;
  const [, days, hours, minutes, seconds, fraction] = long;
  const whole =
    Number(days ?? 0) * unitMs.d + Number(hours ?? 0) * unitMs.h + Number(minutes ?? 0) * unitMs.m + Number(seconds ?? 0) * unitMs.s;
  return limited(whole + Number((fraction ?? '').padEnd(3, '0')));
}

/** Formats a duration in the largest unit that gives a whole number: 90000 becomes `90s`. */
export function durationText(ms: number): string {
  const unit = (['d', 'h', 'm', 's'] as const).find((each) => ms % unitMs[each] === 0) ?? 'ms';
  return `${ms / unitMs[unit]}${unit}`;
}

function limited(ms: number): number | null {
  return ms <= maxDays * unitMs.d ? ms : null;
}
