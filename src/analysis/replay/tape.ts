import { maxFailedVerifications, maxReplayBytes } from '../../contract/control/analysis/replay.js';
import type { StateCapture } from '../../world/document/capture.js';
import type { TapedStep } from './step.js';

/** Size of a step in memory without its JSON, in bytes. */
const stepBytes = 150;

/** The state at the beginning of a tape: a new world, an exported one, or null if that is too large for a file. */
export type TapeBase = 'created' | StateCapture | null;

/** The steps of a world since its present generation or the latest marked test began: what a replay file needs. */
export class Tape {
  readonly #maxBytes: number;
  #base: TapeBase = null;
  #beganMs = 0;
  #generation = 0;
  #test: string | null = null;
  #steps: TapedStep[] = [];
  #bytes = 0;
  /** Commit of the first missing step; Infinity if none is missing. */
  #cutCommit = Infinity;
  #failed: string[] = [];

  constructor(maxBytes = maxReplayBytes) {
    this.#maxBytes = Math.min(maxBytes, maxReplayBytes);
  }

  /** Begins again. @param beganMs world time, in milliseconds since 1970 */
  begin(base: TapeBase, beganMs: number, generation: number): void {
    this.#base = base;
    this.#beganMs = beganMs;
    this.#generation = generation;
    this.#test = null;
    this.#steps = [];
    this.#bytes = 0;
    this.#cutCommit = Infinity;
    this.#failed = [];
  }

  /** Names the test of the tape. */
  beginTest(name: string): void {
    this.#test = name;
  }

  get base(): TapeBase {
    return this.#base;
  }

  get beganMs(): number {
    return this.#beganMs;
  }

  get test(): string | null {
    return this.#test;
  }

  get failedVerifications(): readonly string[] {
    return this.#failed;
  }

  /** True if steps after the last one are missing. */
  get isCut(): boolean {
    return this.#cutCommit < Infinity;
  }

  /** True if nothing has happened since it began. */
  get isEmpty(): boolean {
    return this.#steps.length === 0 && !this.isCut;
  }

  /** Size in memory, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a step, until the tape is full. A request of an earlier generation had no effect on this one. */
  add(step: TapedStep, generation: number): void {
    if (generation !== this.#generation || this.isCut) return;
    const bytes = stepBytes + step.json.length;
    if (this.#bytes + bytes > this.#maxBytes) {
      this.#cutCommit = step.moment.commit;
      return;
    }
    this.#steps.push(step);
    this.#bytes += bytes;
  }

  /** Notes a failed verification by the first line of its message. */
  verificationFailed(line: string): void {
    if (this.#failed.length < maxFailedVerifications) this.#failed.push(line.slice(0, 500));
  }

  /** Removes all steps to free memory. @returns the freed bytes */
  cut(): number {
    const freed = this.#bytes;
    this.#steps = [];
    this.#bytes = 0;
    if (freed > 0) this.#cutCommit = 0;
    return freed;
  }

  /** The steps in the order in which to repeat them: after the commits that they saw, and before the next ones. */
  steps(): TapedStep[] {
    return this.#steps
      .filter(({ moment }) => moment.commit < this.#cutCommit)
      .toSorted((a, b) => a.moment.commit - b.moment.commit || Number(b.moment.isOwn) - Number(a.moment.isOwn) || a.order - b.order);
  }
}
