import { computed } from '@preact/signals';
import { clock } from '../store.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const monthOf = (iso: string) => months[Number(iso.slice(5, 7)) - 1];

/** Returns a timestamp in readable form: `22 Nov 2026 06:51:56.592 Z`. */
export const longTimestamp = (iso: string): string =>
  `${Number(iso.slice(8, 10))} ${monthOf(iso)} ${iso.slice(0, 4)} ${iso.slice(11, 23)} Z`;

/** The current date of the world, for example `2026-11-22`; null if unknown. */
const today = computed(() => clock.value?.now.slice(0, 10) ?? null);

/**
 * Returns a short timestamp: `06:50:56.6`, with the date before it if the date differs from that of `above`: `21 Nov 06:50:56.6`, with the
 * year if that differs too.
 * @param above timestamp in the row above. Default: the current date of the world
 */
export function shortTime(iso: string, above: string = today.value ?? iso): string {
  const time = iso.slice(11, 21);
  if (iso.slice(0, 10) === above.slice(0, 10)) return time;
  const year = iso.slice(0, 4) === above.slice(0, 4) ? '' : `\u00a0${iso.slice(0, 4)}`;
  return `${iso.slice(8, 10)}\u00a0${monthOf(iso)}${year} ${time}`;
}

/** Returns the short world time of a recorded request; its real time, with the word `real`, if it belongs to no world. */
export const entryTime = ({ at, startedAt }: { readonly at: string | null; readonly startedAt: string }, above?: string): string =>
  at === null ? `real ${shortTime(startedAt, above)}` : shortTime(at, above);

/** Returns a duration in readable form: `3 s`, `5 min`, `2 h`. */
export function spanText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return ms < 172_800_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} d`;
}
