import { DomainError } from '../../domain/errors.js';
import type { Lane } from '../../world/turns.js';

/** Limits the working time for each lane (the request queue of a world) with a token bucket of milliseconds, refilled continuously. */
export class WorkRateLimiter {
  readonly #msPerSecond: number;
  readonly #now: () => number;
  readonly #buckets = new WeakMap<Lane, { leftMs: number; atMs: number; usedMs: number }>();

  /** @param now returns the time of a monotonic clock in milliseconds */
  constructor(msPerSecond: number, now: () => number = () => performance.now()) {
    this.#msPerSecond = msPerSecond;
    this.#now = now;
  }

  /** Admits a request to a lane. @throws DomainError RATE_LIMIT_EXCEEDED if earlier requests have used up the working time */
  admit(lane: Lane): void {
    const most = this.#msPerSecond;
    const atMs = this.#now();
    const { usedMs } = lane;
    const bucket = this.#buckets.get(lane) ?? { leftMs: most, atMs, usedMs };
    const leftMs = Math.min(most, bucket.leftMs + ((atMs - bucket.atMs) / 1000) * most) - (usedMs - bucket.usedMs);
    // After one long request, the lane must wait for at most about a second.
    this.#buckets.set(lane, { leftMs: Math.max(leftMs, -most), atMs, usedMs });
    if (leftMs > 0) return;
    const message = `The requests of a world may use at most ${most} ms of work per second. Retry in a second.`;
    throw new DomainError('RATE_LIMIT_EXCEEDED', message, { setting: 'SANDBOX_WORLD_WORK_MS', maximum: most });
  }
}
