import type { Change, State } from './state.js';

/** What a commit did: to rows of a world, to a world as a whole, or that it is gone. */
export type Commit =
  | { readonly world: string; readonly changes: readonly Change[] }
  | { readonly world: string; readonly state: State }
  | { readonly world: string; readonly dropped: true };

/** All worlds by name. */
export type Worlds = ReadonlyMap<string, State>;

/** Where commits are kept. */
export interface Storage {
  /** The worlds as they were when the last acknowledged commit ended. Called once, before any commit. */
  load(): Promise<Map<string, State>>;
  /** Resolves when the commit, and with it every earlier one, would survive the end of this process. `worlds` already has it. */
  commit(commit: Commit, worlds: Worlds): Promise<void>;
  /** Resolves when all commits are kept; nothing is committed afterwards. */
  close(): Promise<void>;
}

/** Keeps nothing. */
export const memoryStorage: Storage = {
  load: () => Promise.resolve(new Map()),
  commit: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
