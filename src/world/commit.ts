import type { Change, State, WorldRows } from './state.js';

/** A commit: changes of single rows, or a new state of the whole world. */
export type Commit = RowCommit | { readonly state: State };

/** A commit that changes single rows. */
export interface RowCommit {
  readonly changes: readonly Change[];
  /** Changes that undo the commit, in reverse order. */
  readonly undo: readonly Change[];
  readonly causeId: string;
  /** World time of the change in Unix milliseconds. */
  readonly atMs: number;
}

/** The position of a request or attempt among the commits of its world. A replay repeats them in this order. */
export interface Moment {
  /** Number of the commit. */
  readonly commit: number;
  /** Number of the last commit that the request or attempt made; `commit` if it made none. */
  readonly last: number;
  /** Value of `World.ranJobs` then. */
  readonly jobs: number;
  /** True if the request or attempt made the commit; false if `commit` is the last one before it. */
  readonly isOwn: boolean;
  /** World time, in milliseconds since 1970. */
  readonly worldMs: number;
  /** World times of the commits of a request and of its advance of the clock, in milliseconds since 1970; at most `maxWorldTimes`. */
  readonly instants?: readonly number[];
}

/**
 * Stores the commits of one world in the order of their numbers. Each promise resolves when the commit and all earlier commits would
 * survive the end of this process.
 * @throws DomainError SERVICE_UNAVAILABLE if the commit cannot be stored; later commits then fail too
 * @throws Error if `sequence` is not the next number
 */
export interface WorldLog {
  /** True after a commit could not be stored; later commits then fail too. */
  readonly isReadOnly: boolean;
  /** Makes the log read the rows from the world in memory instead of a copy. @param rows returns the rows after all commits so far */
  heldBy(rows: () => WorldRows): void;
  /** @param nextDueMs time of the next job or attempt after this commit, in real Unix milliseconds; null if there is none */
  append(sequence: number, changes: readonly Change[], nextDueMs: number | null): Promise<void>;
  /** Replaces all rows. */
  replace(sequence: number, rows: WorldRows): Promise<void>;
  /** Deletes the world. */
  drop(sequence: number): Promise<void>;
  /** Releases the world without changes. @param nextDueMs as for {@link append} */
  release(nextDueMs: number | null): Promise<void>;
}
