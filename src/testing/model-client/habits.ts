import type { RuleId } from '../../contract/control/analysis/rule-ids.js';

/** What a client gets wrong, by the rule that it breaks with that; null for one that gets nothing wrong. */
export type Habit = RuleId | null;
