import type { RuleId } from '../../contract/control/analysis/rule-ids.js';

/** The rule that a client breaks as its habit; null for a client without errors. */
export type Habit = RuleId | null;
