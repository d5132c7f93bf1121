import type { Commit } from './commit.js';
import type { Attempted } from './ticker.js';
import type { World } from './world.js';

/** A call that has come. */
export interface BegunCall {
  readonly id: string;
  /** Which plane it came to. */
  readonly kind: 'REQUEST' | 'CONTROL';
  readonly method: string;
  readonly path: string;
}

/** A call and what it was answered. */
export interface Exchange extends BegunCall {
  /** The answer's status; what a rule or a fault made of it on the way does not count. */
  readonly status: number;
  /** The rule or fault that struck it; null when none did. */
  readonly ruleId: string | null;
  readonly idempotencyKey: string | null;
}

/** What watches a sandbox at work, each method where it cares. It only looks on, and throws nothing. */
export interface Witness {
  began?(call: BegunCall): void;
  /** @param world null for a call that came to none */
  exchange?(world: World | null, seen: Exchange): void;
  attempt?(world: World, seen: Attempted): void;
  committed?(world: World, commit: Commit): void;
}
