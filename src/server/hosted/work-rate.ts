import { DomainError } from '../../domain/errors.js';
import type { Lane } from '../../world/turns.js';

/** How long the node may work for each lane: a bucket of that many milliseconds a second, which fills up again evenly. */
export class WorkRate {
  readonly #msPerSecond: number;
  readonly #now: () => number;
  readonly #buckets = new WeakMap<Lane, { leftMs: number; atMs: number; usedMs: number }>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(msPerSecond: number, now: () => number = () => performance.now()) {
    this.#msPerSecond = msPerSecond;
    this.#now = now;
  }

  /** Admits a request to a lane. @throws DomainError RATE_LIMIT_EXCEEDED if its earlier requests have used up the time */
  admit(lane: Lane): void {
    const most = this.#msPerSecond;
    const atMs = this.#now();
    const { usedMs } = lane;
    const bucket = this.#buckets.get(lane) ?? { leftMs: most, atMs, usedMs };
    const leftMs = Math.min(most, bucket.leftMs + ((atMs - bucket.atMs) / 1000) * most) - (usedMs - bucket.usedMs);
    // One long request keeps those after it waiting for a second at most.
    this.#buckets.set(lane, { leftMs: Math.max(leftMs, -most), atMs, usedMs });
    if (leftMs > 0) return;
    const message = `The requests of a world take at most ${most} ms of work a second. Try again in a second.`;
    throw new DomainError('RATE_LIMIT_EXCEEDED', message, { setting: 'SANDBOX_WORLD_WORK_MS', maximum: most });
  }
}
