import { durationMs } from '../shared/duration-text.js';

/** The fields of a fault that decide for how long it applies. */
interface FaultLife {
  readonly hits: number;
  readonly times?: number | undefined;
  readonly ttl?: string | undefined;
  readonly createdAt: string;
}

/**
 * Returns the milliseconds of world time for which a fault still applies: 0 or less if its `ttl` is over, or if it was applied as often as
 * it can be; Infinity without `ttl`.
 * @param nowMs world time, in milliseconds since 1970
 */
export function leftMs({ hits, times = Infinity, ttl, createdAt }: FaultLife, nowMs: number): number {
  if (hits >= times) return 0;
  return ttl === undefined ? Infinity : Date.parse(createdAt) + (durationMs(ttl) ?? 0) - nowMs;
}
