import type { Change, State, WorldRows } from './state.js';

/** What a commit did to a world: to some of its rows, or to all of them at once. */
export type Commit = RowCommit | { readonly state: State };

/** A commit to some rows. */
export interface RowCommit {
  readonly changes: readonly Change[];
  /** What takes the changes back, the last one first: the rows as they were. */
  readonly undo: readonly Change[];
  readonly causeId: string;
  /** The instant of the change, in milliseconds of world time since 1970. */
  readonly atMs: number;
}

/**
 * Where one world keeps its commits, by their numbers. Each resolves when the commit, and with it every earlier one of the world,
 * would survive the end of this process.
 * @throws DomainError SERVICE_UNAVAILABLE when it could not be kept; from then on nothing is
 * @throws Error for a number that is not the next
 */
export interface WorldLog {
  /** Whether a commit could not be kept, so that no further one is. */
  readonly isReadOnly: boolean;
  /** Gives the log the rows of the world in memory, in place of a copy of its own. @param rows returns them as the commits so far have left them */
  heldBy(rows: () => WorldRows): void;
  /** @param nextDueMs when the world has something to do by itself, from this commit on, in milliseconds of real time; null when nothing is planned */
  append(sequence: number, changes: readonly Change[], nextDueMs: number | null): Promise<void>;
  /** Puts other rows in the place of all. */
  replace(sequence: number, rows: WorldRows): Promise<void>;
  /** Ends the world: nothing of it is kept any more. */
  drop(sequence: number): Promise<void>;
  /** Lets go of the world, which stays as it is. @param nextDueMs as for {@link append} */
  release(nextDueMs: number | null): Promise<void>;
}
