import { maxMissed, type ScenarioTrial } from '../../contract/control/scenario-files.js';
import { triggers } from '../../contract/scenario/scenario.js';
import type { Interruptible } from '../../domain/interruptible.js';
import type { CompiledRule, CompiledScenario } from '../../scenario/compile.js';
import { chooseRule, type RuleCount, type RuleCounters } from '../../scenario/match.js';
import { chanceOf } from '../../world/ids.js';
import type { View } from '../../world/view.js';
import { pastTriggers, type NewestEntries, type PastTrigger } from './past-triggers.js';

/**
 * Returns the rules that the newest triggers of a world would have matched, by kind, newest first. The counters of the rules start at zero
 * before the oldest of these triggers.
 */
export function* tryScenario({ scenario, rulesOn }: CompiledScenario, view: View, entries: NewestEntries): Interruptible<ScenarioTrial[]> {
  const kinds = triggers.filter((on) => rulesOn.has(on));
  const past: PastTrigger[][] = [];
  for (const on of kinds) past.push(yield* pastTriggers(view, entries, on));
  const since = Math.min(...past.flat().map(({ at }) => Date.parse(at)));
  const counts = new Map<string, RuleCount>();
  const trials: ScenarioTrial[] = [];
  for (const [index, on] of kinds.entries()) {
    const ofKind: ScenarioTrial[] = [];
    for (const trigger of past[index]!.toReversed()) {
      const { id, at, summary, subject } = trigger;
      const tally = countersOf(view, counts, Date.parse(at) - since);
      let rule: CompiledRule | undefined;
      for (const rules of phasesOf(trigger, rulesOn.get(on)!)) rule ??= chooseRule(rules, subject, tally);
      const missed = missedRules(scenario.scenario, rulesOn.get(on)!, subject, rule?.scenario ?? null);
      ofKind.unshift({ on, id, at, summary, rule: rule?.name ?? null, scenario: rule?.scenario ?? null, missed });
      yield;
    }
    trials.push(...ofKind);
  }
  return trials;
}

/**
 * Returns why the rules of a scenario itself did not match, if a rule of an inherited scenario or no rule applied. At most
 * {@link maxMissed}. @param applied scenario of the rule that applied; null without one
 */
export function missedRules(scenario: string, rules: readonly CompiledRule[], subject: () => unknown, applied: string | null): string[] {
  if (applied === scenario) return [];
  const missed: string[] = [];
  for (const rule of rules) {
    if (missed.length === maxMissed) break;
    const why = rule.scenario === scenario ? rule.mismatch(subject()) : null;
    if (why !== null) missed.push(`Rule "${rule.name}" did not match: ${why}`);
  }
  return missed;
}

/** Returns the rules in groups: for requests, one for each phase. A group is tried only if no rule of an earlier group applies. */
function phasesOf({ on, isRejected }: PastTrigger, rules: readonly CompiledRule[]): readonly (readonly CompiledRule[])[] {
  if (on !== 'REQUEST') return [rules];
  const phases = isRejected ? (['before'] as const) : (['before', 'after_commit'] as const);
  return phases.map((phase) => rules.filter((rule) => rule.on === 'REQUEST' && rule.phase === phase));
}

/** @param ageMs age of the rules, in milliseconds of world time */
function countersOf(view: View, counts: Map<string, RuleCount>, ageMs: number): RuleCounters {
  return {
    ageMs: () => ageMs,
    count: (ruleId) => counts.get(ruleId) ?? { seen: 0, hits: 0 },
    record: (ruleId, count) => counts.set(ruleId, count),
    draw: (ruleId, match) => chanceOf(view.identity, ruleId, match),
  };
}
