import type { Replay } from '../../contract/control/analysis/replay.js';
import type { World } from '../../world/world.js';

/** The real time of a sandbox that replays a file. It changes only when the replay moves it, until {@link run} is called. */
export class ReplayTime {
  /** Real time at which the file begins, in milliseconds since 1970. */
  readonly #beganMs: number;
  #heldMs: number | null;
  /** Time of this machine minus real time of the sandbox, in milliseconds, once the time runs. */
  #behindMs = 0;
  /** Real time of the replay minus that of the recording, in milliseconds. */
  #shiftMs = 0;

  /** Starts at the time at which the world of the file is created, so that a world without a configured start time begins as in the recording. */
  constructor({ clock, beganAt, realAt }: Replay['world']) {
    this.#beganMs = Date.parse(realAt);
    this.#heldMs = clock.now === undefined ? Date.parse(beganAt) : this.#beganMs;
  }

  /** Returns real time in milliseconds since 1970. */
  readonly now = (): number => this.#heldMs ?? Date.now() - this.#behindMs;

  /**
   * Moves the time so that the running clock of a world shows `worldMs`.
   * @param world has a clock that is not being advanced
   * @param realMs milliseconds since the beginning of the file, for a world with a frozen clock
   */
  moveTo({ clock }: World, worldMs: number, realMs: number): void {
    if (this.#heldMs === null) return;
    if (clock.mode === 'FROZEN') {
      this.#heldMs = Math.max(this.#heldMs, this.#beganMs + this.#shiftMs + realMs);
      return;
    }
    const ms = worldMs - clock.offsetMs;
    this.#shiftMs = ms - this.#beganMs - realMs;
    this.#heldMs = ms;
  }

  /** Moves the time to the beginning of the file, after the world was created. */
  begin(): void {
    this.#heldMs = this.#beganMs;
  }

  /** Lets the time run, from its present value. Does nothing if it runs. */
  run(): void {
    if (this.#heldMs === null) return;
    this.#behindMs = Date.now() - this.now();
    this.#heldMs = null;
  }
}
