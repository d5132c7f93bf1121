import type { Exploration } from '../types.js';

/** The result of an exploration. */
export type ExplorationResult = Exploration;
/** A cause of failures, with the smallest schedule that shows it. */
export type Failure = ExplorationResult['failures'][number];
