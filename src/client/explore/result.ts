import type { Exploration } from '../types.js';

/** The result of an exploration. */
export type ExplorationResult = Exploration;
/** A cause for which a client fails. */
export type Failure = ExplorationResult['failures'][number];
