import type { InlineScenario } from '../types.js';

/** What the functions of an exploration know about the current run. */
export interface JourneyContext {
  /** Identifies the journey: the same if it runs again after a crash. */
  readonly ref: string;
  /** Aborts if the run takes too long or the exploration is interrupted. */
  readonly signal: AbortSignal;
}

/** The program of the client, which crash points kill. */
export interface ClientProcess {
  /** Kills the program at once. */
  kill(): Promise<void>;
  /** Starts the program, and resolves when it is ready. */
  start(): Promise<void>;
}

/** Progress of an exploration. */
export interface ExploreProgress {
  /** Number of schedules that were tried, and maximum number. */
  readonly done: number;
  readonly of: number;
  readonly failures: number;
  /** Remaining budget in milliseconds. */
  readonly leftMs: number;
}

/** Options for an exploration. */
export interface ExploreOptions<T = unknown> {
  /** Returns the state of the client about this journey, as JSON. It is compared with that of the undisturbed journey. */
  readonly observe?: ((value: T, context: JourneyContext) => unknown) | undefined;
  /** Lets the client find what it missed: its polling or synchronisation job. Lost events are only tried with it. */
  readonly recover?: ((value: T, context: JourneyContext) => unknown) | undefined;
  /** Returns the records of the client about this journey, for `POST /_sandbox/reconcile`. */
  readonly reconcile?: ((value: T, context: JourneyContext) => unknown) | undefined;
  /** Resets the client before each run, if it has global state. Its duration is not part of the budget. */
  readonly reset?: (() => unknown) | undefined;
  /** Default: 200 schedules, 60 seconds */
  readonly budget?: { readonly schedules?: number | undefined; readonly seconds?: number | undefined } | undefined;
  /** Chooses the order of pairs and triples. Default: 1 */
  readonly seed?: number | undefined;
  /** Maximum number of deviations in a schedule: 1, 2 or 3. Default: 2 */
  readonly deviations?: number | undefined;
  /** Paths that are not compared, for example `payment.updatedAt`; `*` stands for any name. */
  readonly ignore?: readonly string[] | undefined;
  /** Longest time to wait for the state of the undisturbed journey, in milliseconds. Default: 2,000 */
  readonly patience?: number | undefined;
  /** Number of this part, from 1, and number of parts. */
  readonly shard?: readonly [number, number] | undefined;
  /** False to return a result with failures instead of throwing it. */
  readonly throws?: boolean | undefined;
  /** The program of the client. Crash points are only tried with it. */
  readonly process?: ClientProcess | undefined;
  /** Saves the scenario of a failing schedule, and returns where. */
  readonly save?: ((scenario: InlineScenario) => string | Promise<string>) | undefined;
  readonly onProgress?: ((progress: ExploreProgress) => void) | undefined;
  /** Ends the search; what was found so far is the result. */
  readonly signal?: AbortSignal | null | undefined;
}
