import type { Observer } from '../exchange/observer.js';
import type { World } from '../world/world.js';

/** The open worlds of this node. As an observer, this object learns of each opened, released and deleted world. */
export class OpenWorlds implements Observer {
  readonly #byName = new Map<string, World>();

  /** The worlds by name, oldest first. */
  get byName(): ReadonlyMap<string, World> {
    return this.#byName;
  }

  opened(world: World): void {
    const { name } = world.identity;
    this.#byName.delete(name);
    this.#byName.set(name, world);
  }

  deleted(world: World): void {
    this.#remove(world);
  }

  left(world: World): void {
    this.#remove(world);
  }

  /** Removes a world unless a newer one has its name: `deleted` is called only after the deletion is stored. */
  #remove(world: World): void {
    if (this.#byName.get(world.identity.name) === world) this.#byName.delete(world.identity.name);
  }
}
