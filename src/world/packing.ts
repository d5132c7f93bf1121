import { setImmediate as nextTurn } from 'node:timers/promises';
import { flowsOf, tableNames, type State } from './state.js';
import { inTurns } from './turns.js';

/** How long after a commit packing begins, in milliseconds. */
const delayMs = 20;

/** Does for a world what can wait, a little at a time: packs rows that have not changed for a while, and counts what has come as text. */
export class Packing {
  #isUnderWay = false;

  /** Sees to it that what can be packed will be; called after each commit. */
  begin(state: State): void {
    if (this.#isUnderWay || !(flowsOf(state).isBehind || tableNames.some((name) => state[name].isLoose))) return;
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
    await inTurns(flowsOf(state).catchUp((id) => state.operations.get(id)));
    this.#isUnderWay = false;
  }
}
