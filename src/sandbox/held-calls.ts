import type { World } from '../world/world.js';

/**
 * Maximum number of calls that faults and inboxes hold: of one world, and of all worlds together. A world may always hold `ofEach` calls,
 * however many other worlds hold.
 */
export const heldLimits = { ofEach: 16, ofWorld: 256, ofAll: 1024 } as const;

/** Counts the calls that wait before their response, because each keeps a connection open. */
export class HeldCalls {
  readonly #byWorld = new Map<World, number>();
  #all = 0;

  /** Number of held calls in all worlds. */
  get size(): number {
    return this.#all;
  }

  /** Counts a call that will wait. @returns a function that ends the count; null if the call may not wait, because too many wait already */
  take(world: World): (() => void) | null {
    const own = this.#byWorld.get(world) ?? 0;
    if (own >= heldLimits.ofWorld || (own >= heldLimits.ofEach && this.#all >= heldLimits.ofAll)) return null;
    this.#byWorld.set(world, own + 1);
    this.#all += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#all -= 1;
      const left = this.#byWorld.get(world)! - 1;
      if (left === 0) this.#byWorld.delete(world);
      else this.#byWorld.set(world, left);
    };
  }
}
