import type { DifferenceList } from './difference-list.js';
import type { Knowledge } from './knowledge.js';
import type { Matcher } from './match.js';
import type { Records } from './records.js';
import type { Truth } from './truth.js';

/** The records of a client and the world that they are compared with. */
export interface Comparison {
  readonly records: Records;
  readonly truth: Truth;
  readonly matcher: Matcher;
  readonly knowledge: Knowledge;
  readonly list: DifferenceList;
}
