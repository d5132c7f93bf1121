import type { Change, State } from './state.js';

/** What a commit did: to rows of a world, to a world as a whole, or that it is gone. */
export type Commit =
  | { readonly world: string; readonly changes: readonly Change[] }
  | { readonly world: string; readonly state: State }
  | { readonly world: string; readonly dropped: true };
