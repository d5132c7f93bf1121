import type { RuleId } from '../../contract/control/analysis/rule-ids.js';

/** The mistake of a client, as the rule that it breaks; null for a client without mistakes. */
export type Habit = RuleId | null;
