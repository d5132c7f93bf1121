import { DomainError } from '../../domain/errors.js';
import type { World } from '../../world/world.js';

/** How many calls a second each world may have answered: a bucket of as many, that fills up again evenly. */
export class CallRate {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #buckets = new WeakMap<World, { left: number; atMs: number }>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Counts a call to a world. @throws DomainError RATE_LIMIT_EXCEEDED when there were too many of late */
  admit(world: World): void {
    const atMs = this.#now();
    const bucket = this.#buckets.get(world) ?? { left: this.#perSecond, atMs };
    bucket.left = Math.min(this.#perSecond, bucket.left + ((atMs - bucket.atMs) / 1000) * this.#perSecond);
    bucket.atMs = atMs;
    this.#buckets.set(world, bucket);
    if (bucket.left < 1) {
      const message = `A world answers at most ${this.#perSecond} calls a second. Try again in a second.`;
      throw new DomainError('RATE_LIMIT_EXCEEDED', message, { setting: 'SANDBOX_WORLD_RATE', maximum: this.#perSecond });
    }
    bucket.left -= 1;
  }
}
