import type { InlineScenario, Replay } from '../types.js';

/** The current run of the journey, for the functions of an exploration. */
export interface JourneyContext {
  /** Unique reference of the run. It stays the same if the journey runs again after a crash. */
  readonly ref: string;
  /** Aborts if the run takes too long or the exploration is interrupted. */
  readonly signal: AbortSignal;
}

/** The program of the client, which an exploration of crashes kills and starts again. */
export interface ClientProcess {
  /** Kills the program at once. */
  kill(): Promise<void>;
  /** Starts the program, and resolves when it is ready. */
  start(): Promise<void>;
}

/** Progress of an exploration. */
export interface ExploreProgress {
  /** Number of tried schedules. */
  readonly done: number;
  /** Maximum number of schedules. */
  readonly of: number;
  /** Number of different causes of failures so far. */
  readonly failures: number;
  /** Remaining budget in milliseconds. */
  readonly leftMs: number;
}

/** Options for an exploration. */
export interface ExploreOptions<T = unknown> {
  /** Returns the state of the client about this journey, as JSON, to be compared with the state after the journey without deviations. */
  readonly observe?: ((value: T, context: JourneyContext) => unknown) | undefined;
  /** Runs the recovery of the client, for example its polling job. Without this function, the exploration tries no lost events. */
  readonly recover?: ((value: T, context: JourneyContext) => unknown) | undefined;
  /** Returns the records of the client about this journey, for `POST /_sandbox/reconcile`. */
  readonly reconcile?: ((value: T, context: JourneyContext) => unknown) | undefined;
  /** Resets the global state of the client before each run. The time of resets is not part of the budget. */
  readonly reset?: (() => unknown) | undefined;
  /** Maximum number of schedules and maximum time of the search. Default: 200 schedules, 60 seconds */
  readonly budget?: { readonly schedules?: number | undefined; readonly seconds?: number | undefined } | undefined;
  /** Seed of the order in which pairs and triples of deviations are tried. Default: 1 */
  readonly seed?: number | undefined;
  /** Maximum number of deviations in a schedule: 1, 2 or 3. Default: 2 */
  readonly deviations?: number | undefined;
  /** Paths that are not compared, for example `payment.updatedAt`; `*` stands for any name. */
  readonly ignore?: readonly string[] | undefined;
  /** Maximum time to wait until the client has the state of the journey without deviations, in milliseconds. Default: 2,000 */
  readonly patience?: number | undefined;
  /** Part of the schedules to try: its number, from 1, and the number of parts. Default: all schedules */
  readonly shard?: readonly [number, number] | undefined;
  /** False to return a result that is not PASSED instead of throwing an ExplorationError. Default: true */
  readonly throws?: boolean | undefined;
  /** The program of the client. Without it, the exploration tries no crashes. */
  readonly process?: ClientProcess | undefined;
  /**
   * Saves a failing schedule as a scenario, and returns the path of the file. `replay` is the replay file of a run that failed with this
   * schedule; null if the schedule did not fail again, the run is too large for a file, or the sandbox records nothing.
   */
  readonly save?: ((scenario: InlineScenario, replay: Replay | null) => string | Promise<string>) | undefined;
  readonly onProgress?: ((progress: ExploreProgress) => void) | undefined;
  /** Interrupts the search. The result then contains the failures so far. */
  readonly signal?: AbortSignal | null | undefined;
}
