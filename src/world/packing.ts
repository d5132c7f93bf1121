import { setImmediate as nextTurn } from 'node:timers/promises';
import { flowsOf, tableNames, type State } from './state.js';
import { Pace } from './turns.js';

/** How long after a commit packing begins, in milliseconds, and for how long commits are taken to keep coming. */
const delayMs = 20;
/** How many commits pay for a step while they keep coming. They bring less than what a block holds, so that packing keeps up with them. */
const commitsPerStep = 4;

/** Does for a world what can wait, a little at a time: packs rows that have not changed for a while, and counts what has come as text. */
export class Packing {
  #isUnderWay = false;
  #committedMs = -delayMs;
  /** How many commits have come that no step was taken for, and what happens when they are enough for one. */
  #commits = 0;
  #goOn: (() => void) | null = null;

  /** Sees to it that what can be packed will be; called after each commit. */
  begin(state: State): void {
    this.#committedMs = performance.now();
    this.#commits += 1;
    if (this.#commits >= commitsPerStep) this.#goOn?.();
    if (this.#isUnderWay || !(flowsOf(state).isBehind || tableNames.some((name) => state[name].isLoose))) return;
    this.#isUnderWay = true;
    this.#commits = 0;
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
    if (this.#commits < commitsPerStep) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delayMs).unref();
        this.#goOn = () => {
          this.#goOn = null;
          clearTimeout(timer);
          setImmediate(resolve); // After the answer.
        };
      });
    }
    this.#commits = Math.max(0, this.#commits - commitsPerStep);
  }
}
