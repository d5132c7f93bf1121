import { startOf } from '../contract/shared/messages/cut.js';
import { maxReplayBytes } from '../contract/control/analysis/replay-limits.js';
import { maxFailedVerifications } from '../contract/control/analysis/replay.js';
import type { Moment } from '../world/commit.js';
import type { StateCapture } from '../world/document/capture.js';
import type { Exchange } from './entry.js';
import type { AttemptRecord, RequestRecord } from './exchange.js';

/** The state of the world before the first step: a new world, an exported state, or null if the state is too large for a file. */
export type ReplayBase = 'created' | StateCapture | null;

/**
 * The exchanges of a world for a replay file, since its present generation or the latest marked test began. The buffer keeps exchanges that the log of the world evicts, until the buffer is full.
 */
export class ReplayBuffer {
  readonly #maxBytes: number;
  #base: ReplayBase = null;
  #beganMs = 0;
  #realMs = 0;
  #generation = 0;
  #test: string | null = null;
  #exchanges = new Set<Exchange>();
  #bytes = 0;
  #heldBytes = 0;
  /** Commit of the first missing exchange; Infinity if none is missing. */
  #cutCommit = Infinity;
  #failed: string[] = [];

  constructor(maxBytes = maxReplayBytes) {
    this.#maxBytes = Math.min(maxBytes, maxReplayBytes);
  }

  /** Removes all steps, and sets the state before the first step. @param times world time and real time, in milliseconds since 1970 */
  begin(base: ReplayBase, { worldMs, realMs }: { worldMs: number; realMs: number }, generation: number): void {
    this.#base = base;
    this.#beganMs = worldMs;
    this.#realMs = realMs;
    this.#generation = generation;
    this.#test = null;
    this.#exchanges.clear();
    this.#bytes = this.#heldBytes = 0;
    this.#cutCommit = Infinity;
    this.#failed = [];
  }

  /** Sets the name of the test that the buffer records. */
  beginTest(name: string): void {
    this.#test = name;
  }

  get base(): ReplayBase {
    return this.#base;
  }

  /** World time at which the buffer begins, in milliseconds since 1970. */
  get beganMs(): number {
    return this.#beganMs;
  }

  /** Real time at which the buffer begins, in milliseconds since 1970. */
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

  /** True if there was no step since the buffer began. */
  get isEmpty(): boolean {
    return this.#exchanges.size === 0 && !this.isCut;
  }

  /** Size of the exchanges that the log of the world has evicted, in bytes. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** True if exchanges of a generation belong into the buffer: those of earlier generations have no effect on the current one. */
  takes(generation: number): boolean {
    return generation === this.#generation && !this.isCut;
  }

  /** Adds an exchange, until the buffer is full. */
  add(exchange: Exchange): void {
    if (this.#bytes + exchange.bytes > this.#maxBytes) {
      this.#cutCommit = momentOf(exchange).commit;
      return;
    }
    this.#exchanges.add(exchange);
    this.#bytes += exchange.bytes;
  }

  /** Counts an exchange that the log has evicted and the buffer keeps. */
  evicted(exchange: Exchange): void {
    if (this.#exchanges.has(exchange)) this.#heldBytes += exchange.bytes;
  }

  /** Replaces an exchange by an amended copy. */
  replace(exchange: Exchange, by: Exchange): void {
    if (this.#exchanges.delete(exchange)) this.#exchanges.add(by);
  }

  /** Stores the first line of the message of a failed verification. */
  verificationFailed(line: string): void {
    if (this.#failed.length < maxFailedVerifications) this.#failed.push(startOf(line, 500));
  }

  /** Removes all exchanges to free memory. @returns the freed bytes */
  cut(): number {
    const freed = this.#heldBytes;
    if (this.#exchanges.size > 0) this.#cutCommit = 0;
    this.#exchanges.clear();
    this.#bytes = this.#heldBytes = 0;
    return freed;
  }

  /** The exchanges before the first missing one. */
  get exchanges(): Exchange[] {
    return [...this.#exchanges].filter((each) => momentOf(each).commit < this.#cutCommit);
  }
}

/** Returns the moment of an exchange in the buffer. */
const momentOf = ({ source }: Exchange): Moment => (source as AttemptRecord | RequestRecord).moment!;
