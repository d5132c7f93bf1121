import type { ExplorationView } from '../contract/control/analysis/exploration.js';
import type { World } from '../world/world.js';

/** The latest exploration of each world, in memory. */
export class Explorations {
  readonly #latest = new WeakMap<World, ExplorationView>();

  put(world: World, exploration: ExplorationView): ExplorationView {
    this.#latest.set(world, exploration);
    return exploration;
  }

  /** Returns the latest exploration of a world; undefined if there was none. */
  of(world: World): ExplorationView | undefined {
    return this.#latest.get(world);
  }
}
