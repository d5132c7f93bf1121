import { maxReplayBytes } from '../../contract/control/analysis/replay-limits.js';
import { maxFailedVerifications } from '../../contract/control/analysis/replay.js';
import type { StateCapture } from '../../world/document/capture.js';
import type { TapedStep } from './step.js';
import { startOf } from '../../contract/shared/messages/cut.js';

/** Size of a step in memory without its JSON, in bytes. */
const stepBytes = 150;

/** The state at the beginning of a tape: a new world, an exported state, or null if the state is too large for a file. */
export type TapeBase = 'created' | StateCapture | null;

/** The steps for the replay file of a world, since its present generation or the latest marked test began. */
export class Tape {
  readonly #maxBytes: number;
  #base: TapeBase = null;
  #beganMs = 0;
  #realMs = 0;
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

  /** Removes all steps, and begins the tape again. @param times world time and real time, in milliseconds since 1970 */
  begin(base: TapeBase, { worldMs, realMs }: { worldMs: number; realMs: number }, generation: number): void {
    this.#base = base;
    this.#beganMs = worldMs;
    this.#realMs = realMs;
    this.#generation = generation;
    this.#test = null;
    this.#steps = [];
    this.#bytes = 0;
    this.#cutCommit = Infinity;
    this.#failed = [];
  }

  /** Sets the name of the test that the tape records. */
  beginTest(name: string): void {
    this.#test = name;
  }

  get base(): TapeBase {
    return this.#base;
  }

  /** World time at which the tape begins, in milliseconds since 1970. */
  get beganMs(): number {
    return this.#beganMs;
  }

  /** Real time at which the tape begins, in milliseconds since 1970. */
  get realMs(): number {
    return this.#realMs;
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

  /** True if there was no step since the tape began. */
  get isEmpty(): boolean {
    return this.#steps.length === 0 && !this.isCut;
  }

  /** Size in memory, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a step, until the tape is full. Ignores requests of earlier generations, which have no effect on the current one. */
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

  /** Stores the first line of the message of a failed verification. */
  verificationFailed(line: string): void {
    if (this.#failed.length < maxFailedVerifications) this.#failed.push(startOf(line, 500));
  }

  /** Removes all steps to free memory. @returns the freed bytes */
  cut(): number {
    const freed = this.#bytes;
    this.#steps = [];
    this.#bytes = 0;
    if (freed > 0) this.#cutCommit = 0;
    return freed;
  }

  /** Returns the steps in the order of repetition: each after the commits that it saw, and before the next commit. */
  steps(): TapedStep[] {
    const steps = this.#steps
      .filter(({ moment }) => moment.commit < this.#cutCommit)
      .toSorted((a, b) => a.moment.commit - b.moment.commit || Number(b.moment.isOwn) - Number(a.moment.isOwn) || a.order - b.order);
    // With rules for requests, the first commit of a request counts them. Another request may write between this commit and its write.
    for (let end = 1; end < steps.length; end += 1) {
      for (let index = end; index > 0 && isOvertaking(steps[index]!, steps[index - 1]!); index -= 1)
        [steps[index - 1], steps[index]] = [steps[index]!, steps[index - 1]!];
    }
    return steps;
  }
}

/**
 * Returns the number of jobs that ran before each step and after the earlier ones. Of two requests that overlapped, the later step can have
 * seen fewer jobs.
 */
export function jobsBefore(steps: readonly Pick<TapedStep, 'moment'>[]): number[] {
  let jobs = steps[0]?.moment.jobs ?? 0;
  return steps.map(({ moment }) => {
    const added = Math.max(0, moment.jobs - jobs);
    jobs += added;
    return added;
  });
}

/** True if two requests overlapped, and the write of `after` was before that of `before`. */
function isOvertaking(after: TapedStep, before: TapedStep): boolean {
  return after.isWrite && before.isWrite && after.moment.last < before.moment.last;
}
