import type { World } from '../world/world.js';

/** The longest delay that a Node timer takes. */
const maxTimerMs = 2 ** 31 - 1;

/** What is known of a world with a time to live. */
interface Life {
  readonly ttlMs: number;
  /** How many calls are under way. */
  calls: number;
  timer?: NodeJS.Timeout;
}

const nothing = () => undefined;

/** Ends worlds with a time to live that nobody has called for so long, in real time. */
export class WorldExpiry {
  readonly #end: (world: World) => void;
  readonly #lives = new Map<World, Life>();

  /** @param end deletes a world */
  constructor(end: (world: World) => void) {
    this.#end = end;
  }

  /** Lets the time of a world run, if it has a time to live. */
  begin(world: World): void {
    const { ttlMs } = world.identity;
    if (ttlMs === undefined) return;
    const life: Life = { ttlMs, calls: 0 };
    this.#lives.set(world, life);
    this.#wait(world, life, ttlMs);
  }

  /** Holds the time of a world until the returned function is called, from when on it has its whole time to live again. */
  hold(world: World): () => void {
    const life = this.#lives.get(world);
    if (!life) return nothing;
    life.calls += 1;
    clearTimeout(life.timer);
    return () => {
      life.calls -= 1;
      if (life.calls === 0 && this.#lives.get(world) === life) this.#wait(world, life, life.ttlMs);
    };
  }

  /** Lets a world live, or be gone already. */
  forget(world: World): void {
    clearTimeout(this.#lives.get(world)?.timer);
    this.#lives.delete(world);
  }

  /** Ends no world any more. */
  stop(): void {
    for (const world of this.#lives.keys()) this.forget(world);
  }

  #wait(world: World, life: Life, leftMs: number): void {
    const waitMs = Math.min(leftMs, maxTimerMs);
    const over = () => (leftMs > waitMs ? this.#wait(world, life, leftMs - waitMs) : this.#end(world));
    life.timer = setTimeout(over, waitMs).unref();
  }
}
