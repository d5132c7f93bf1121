import type { World } from '../world/world.js';

/** Maximum delay of a Node.js timer in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** The remaining time to live (`ttl`) of a world. */
interface Life {
  readonly ttlMs: number;
  /** Number of open requests. */
  calls: number;
  timer?: NodeJS.Timeout;
}

const nothing = () => undefined;

/** Deletes worlds that had no request during their time to live, measured in real time. */
export class WorldExpiry {
  readonly #end: (world: World) => void;
  readonly #lives = new Map<World, Life>();

  /** @param end deletes a world */
  constructor(end: (world: World) => void) {
    this.#end = end;
  }

  /** Starts the time to live of a world; no effect for a world without one. */
  begin(world: World): void {
    const { ttlMs } = world.identity;
    if (ttlMs === undefined) return;
    const life: Life = { ttlMs, calls: 0 };
    this.#lives.set(world, life);
    this.#wait(world, life, ttlMs);
  }

  /** Pauses the time to live of a world until the returned function is called. The full time starts again when no request is open. */
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

  /** Stops the time to live of a world. */
  forget(world: World): void {
    clearTimeout(this.#lives.get(world)?.timer);
    this.#lives.delete(world);
  }

  /** Stops all times to live. */
  stop(): void {
    for (const world of this.#lives.keys()) this.forget(world);
  }

  #wait(world: World, life: Life, leftMs: number): void {
    const waitMs = Math.min(leftMs, maxTimerMs);
    const over = () => (leftMs > waitMs ? this.#wait(world, life, leftMs - waitMs) : this.#end(world));
    life.timer = setTimeout(over, waitMs).unref();
  }
}
