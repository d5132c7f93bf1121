import type { CompiledRule } from './compile.js';

/** How often a rule matched, and how often it applied. */
export interface RuleCount {
  readonly seen: number;
  readonly hits: number;
}

/** What a world remembers of its rules, and its chance. */
export interface Tally {
  /** Milliseconds since the rule came into force, of world time. */
  ageMs(rule: CompiledRule): number;
  count(ruleId: string): RuleCount;
  record(ruleId: string, count: RuleCount): void;
  /** A number from 0 to below 1, the same each time for the same rule and match. */
  draw(ruleId: string, match: number): number;
}

/**
 * The first rule that applies, in their order: it matches, has let `after` matches pass, wins its draw and has `times` left.
 * Undefined when none does.
 * @param look makes what the rules look at; called once, if any rule has to look
 */
export function chooseRule<R extends CompiledRule>(rules: Iterable<R>, look: () => unknown, tally: Tally): R | undefined {
  let subject: unknown;
  for (const rule of rules) {
    if (rule.ttlMs !== Infinity && tally.ageMs(rule) >= rule.ttlMs) continue;
    if (rule.applies !== null && !rule.applies((subject ??= look()))) continue;
    const { seen, hits } = tally.count(rule.id);
    const match = seen + 1;
    const applies = match > rule.after && hits < rule.times && (rule.probability === 1 || tally.draw(rule.id, match) < rule.probability);
    tally.record(rule.id, { seen: match, hits: applies ? hits + 1 : hits });
    if (applies) return rule;
  }
  return undefined;
}
