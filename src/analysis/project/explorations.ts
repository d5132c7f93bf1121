import type { ExplorationView } from '../../contract/control/analysis/exploration.js';
import { WeighedMap } from '../../domain/kept-memory.js';
import type { World } from '../../world/world.js';

/** The latest exploration of each world, in memory. */
export class Explorations {
  /** Explorations as JSON, by the incarnation of their world. */
  readonly #latest = new WeighedMap<Buffer>('explorations', ({ length }) => length);

  put({ identity }: World, exploration: ExplorationView): ExplorationView {
    this.#latest.set(identity.incarnation, Buffer.from(JSON.stringify(exploration)));
    return exploration;
  }

  /** Returns the latest exploration of a world; undefined if there was none, or if it was evicted. */
  of({ identity }: World): ExplorationView | undefined {
    const json = this.#latest.get(identity.incarnation);
    return json && (JSON.parse(json.toString()) as ExplorationView);
  }

  /** Deletes the exploration of a deleted world. */
  deleted({ identity }: World): void {
    this.#latest.delete(identity.incarnation);
  }
}
