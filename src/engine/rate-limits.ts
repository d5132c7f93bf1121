import { durationMs } from '../contract/shared/duration.js';
import type { RequestLimit } from '../contract/scenario/effects.js';
import type { World } from '../world/world.js';

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Maximum number of buckets of a world. If there are more, all are deleted, because some may belong to deleted rules. */
const maxBuckets = 20_000;

const buckets = new WeakMap<World, Map<string, Bucket>>();

/** The rate limits of a world, at the time of one request. They count in real time. A restart of the sandbox resets them. */
export class RateLimits {
  readonly #buckets: Map<string, Bucket>;
  readonly #nowMs: number;

  /** @param nowMs real time of the request in Unix milliseconds */
  constructor(world: World, nowMs: number) {
    let known = buckets.get(world);
    if (!known) buckets.set(world, (known = new Map()));
    this.#buckets = known;
    this.#nowMs = nowMs;
  }

  /** Counts a request against the limit of a rule. `waitMs` is 0 if the request is allowed, else the time until one is, in milliseconds. */
  take(ruleId: string, { calls, per, burst = calls, by = 'rule' }: RequestLimit, operationId: string): { waitMs: number } {
    const key = by === 'rule' ? ruleId : `${ruleId} ${operationId}`;
    const perMs = durationMs(per) ?? 1;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, atMs: this.#nowMs };
    const passedMs = Math.max(0, this.#nowMs - bucket.atMs);
    bucket.tokens = Math.min(burst, bucket.tokens + (passedMs * calls) / perMs);
    bucket.atMs = Math.max(bucket.atMs, this.#nowMs);
    if (!this.#buckets.has(key)) {
      if (this.#buckets.size >= maxBuckets) this.#buckets.clear();
      this.#buckets.set(key, bucket);
    }
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return { waitMs: 0 };
    }
    return { waitMs: Math.max(1, Math.ceil(((1 - bucket.tokens) * perMs) / calls)) };
  }
}
