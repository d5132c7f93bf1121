import type { World } from '../world/world.js';

/** The longest delay that a Node timer takes. */
const maxTimerMs = 2 ** 31 - 1;

/** Ends worlds with a time to live that nobody has called for so long, in real time. */
export class WorldExpiry {
  readonly #end: (world: World) => void;
  readonly #timers = new Map<World, NodeJS.Timeout>();

  /** @param end deletes a world */
  constructor(end: (world: World) => void) {
    this.#end = end;
  }

  /** Gives a world its whole time to live again, if it has one. */
  touch(world: World): void {
    const { ttlMs } = world.identity;
    if (ttlMs !== undefined) this.#wait(world, ttlMs);
  }

  /** Lets a world live, or be gone already. */
  forget(world: World): void {
    clearTimeout(this.#timers.get(world));
    this.#timers.delete(world);
  }

  /** Ends no world any more. */
  stop(): void {
    for (const world of this.#timers.keys()) this.forget(world);
  }

  #wait(world: World, leftMs: number): void {
    clearTimeout(this.#timers.get(world));
    const waitMs = Math.min(leftMs, maxTimerMs);
    const over = () => (leftMs > waitMs ? this.#wait(world, leftMs - waitMs) : this.#end(world));
    this.#timers.set(world, setTimeout(over, waitMs).unref());
  }
}
