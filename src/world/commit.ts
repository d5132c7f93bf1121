import type { Change, State, WorldRows } from './state.js';

/** A commit to some rows of a world, or to all. */
export type Commit = RowCommit | { readonly state: State };

/** A commit to some rows. */
export interface RowCommit {
  readonly changes: readonly Change[];
  /** Changes that undo the commit, in reverse order. */
  readonly undo: readonly Change[];
  readonly causeId: string;
  /** World time of the change in Unix milliseconds. */
  readonly atMs: number;
}

/**
 * Stores the commits of one world by sequence. Each promise resolves when the commit and all earlier ones would survive the end of this
 * process.
 * @throws DomainError SERVICE_UNAVAILABLE if it cannot be stored; later commits then fail too
 * @throws Error if the sequence is not the next one
 */
export interface WorldLog {
  /** True after a commit could not be stored; later ones then fail too. */
  readonly isReadOnly: boolean;
  /** Makes the log read rows from the world in memory instead of a copy. @param rows returns them with all commits so far */
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
