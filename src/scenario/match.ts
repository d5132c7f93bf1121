import type { CompiledRule } from './compile.js';

/** The number of times that a rule matched, and that it applied. */
export interface RuleCount {
  readonly seen: number;
  readonly hits: number;
}

/** The rule counters and random numbers of a world. */
export interface RuleCounters {
  /** Age of the rule in milliseconds of world time. */
  ageMs(rule: CompiledRule): number;
  count(ruleId: string): RuleCount;
  record(ruleId: string, count: RuleCount): void;
  /** Returns a random number from 0 to below 1, which depends only on rule, match number and world. */
  draw(ruleId: string, match: number): number;
}

/**
 * Returns the first rule that applies: the rule matches, has skipped `after` matches, has fewer than `times` hits, and its random number is
 * below `probability`. Undefined if none applies.
 * @param look returns the object that the rules test; called at most once
 * @param isPassed called last, for a rule that would apply; returns true to skip this rule without a hit
 */
export function chooseRule<R extends CompiledRule>(
  rules: Iterable<R>,
  look: () => unknown,
  tally: RuleCounters,
  isPassed?: (rule: R) => boolean,
): R | undefined {
  let subject: unknown;
  for (const rule of rules) {
    if (rule.ttlMs !== Infinity && tally.ageMs(rule) >= rule.ttlMs) continue;
    if (rule.applies !== null && !rule.applies((subject ??= look()))) continue;
    const { seen, hits } = tally.count(rule.id);
    const match = seen + 1;
    const isDue = match > rule.after && hits < rule.times && (rule.probability === 1 || tally.draw(rule.id, match) < rule.probability);
    const applies = isDue && !isPassed?.(rule);
    tally.record(rule.id, { seen: match, hits: applies ? hits + 1 : hits });
    if (applies) return rule;
  }
  return undefined;
}
