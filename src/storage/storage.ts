import type { Commit } from '../world/commit.js';
import type { State } from '../world/state.js';

/** All worlds by name. */
export type Worlds = ReadonlyMap<string, State>;

/** Where commits are kept. */
export interface Storage {
  /** The worlds as they were when the last acknowledged commit ended. Called once, before any commit. */
  load(): Promise<Map<string, State>>;
  /**
   * Resolves when the commit, and with it every earlier one, would survive the end of this process.
   * @param worlds all worlds, this commit in them
   * @throws DomainError SERVICE_UNAVAILABLE when it could not be kept; from then on nothing is
   */
  commit(commit: Commit, worlds: () => Worlds): Promise<void>;
  /** Whether keeping a commit has failed, so that no further one is taken. */
  readonly isReadOnly: boolean;
  /** Resolves when all commits are kept; nothing is committed afterwards. */
  close(): Promise<void>;
}

/** Keeps nothing. */
export const memoryStorage: Storage = {
  isReadOnly: false,
  load: () => Promise.resolve(new Map()),
  commit: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
