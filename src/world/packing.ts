import { setImmediate as nextTurn } from 'node:timers/promises';
import { flowsOf, tableNames, type State } from './state.js';
import { Pace } from './turns.js';

/** How long after a commit packing begins, in milliseconds, and for how long commits are taken to keep coming. */
const delayMs = 20;
/** How many commits come between two of its steps while they keep coming. They bring about half of what a block holds. */
const commitsPerBlock = 4;

/** Does for a world what can wait, a little at a time: packs rows that have not changed for a while, and counts what has come as text. */
export class Packing {
  #isUnderWay = false;
  #committedMs = -delayMs;
  /** How many commits the next step waits for, and how it goes on. */
  #awaited = 0;
  #goOn: () => void = () => undefined;

  /** Sees to it that what can be packed will be; called after each commit. */
  begin(state: State): void {
    this.#committedMs = performance.now();
    this.#awaited -= 1;
    if (this.#awaited === 0) this.#goOn();
    if (this.#isUnderWay || !(flowsOf(state).isBehind || tableNames.some((name) => state[name].isLoose))) return;
    this.#isUnderWay = true;
    setTimeout(() => void this.#run(state), delayMs).unref();
  }

  async #run(state: State): Promise<void> {
    for (const name of tableNames) {
      while (state[name].isLoose) {
        state[name].pack();
        await this.#pause();
      }
    }
    const counting = flowsOf(state).catchUp((id) => state.operations.get(id));
    const pace = new Pace();
    while (!counting.next().done) {
      if (pace.step()) await this.#pause().then(() => pace.rest());
    }
    this.#isUnderWay = false;
  }

  /** Lets others have their turn. While commits keep coming, a few of them: after the start of a large store there is much to do, and each of its steps would hold up the next request. */
  async #pause(): Promise<void> {
    await nextTurn();
    if (performance.now() - this.#committedMs >= delayMs) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs).unref();
      this.#awaited = commitsPerBlock;
      this.#goOn = () => {
        clearTimeout(timer);
        setImmediate(resolve); // After the answer.
      };
    });
  }
}
