import { setImmediate as nextTurn } from 'node:timers/promises';
import { tableNames, type State } from './state.js';

/** How long after a commit packing begins, in milliseconds. */
const delayMs = 20;

/** Packs the rows of a world that have not changed for a while, a block at a time, so that nothing waits for it. */
export class Packing {
  #isUnderWay = false;

  /** Sees to it that what can be packed will be; called after each commit. */
  begin(state: State): void {
    if (this.#isUnderWay || !tableNames.some((name) => state[name].isLoose)) return;
    this.#isUnderWay = true;
    setTimeout(() => void this.#run(state), delayMs).unref();
  }

  async #run(state: State): Promise<void> {
    for (const name of tableNames) {
      while (state[name].isLoose) {
        state[name].pack();
        await nextTurn();
      }
    }
    this.#isUnderWay = false;
  }
}
