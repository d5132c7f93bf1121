import type { Trigger } from '../contract/scenario/scenario.js';
import { compileFault, type CompiledRule, type CompiledScenario, type RuleOn } from '../scenario/compile.js';
import { chooseRule, type RuleCounters } from '../scenario/match.js';
import { chanceOf } from '../world/ids.js';
import type { FaultRecord } from '../world/rows.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { View } from '../world/view.js';

/** Returns the scenario of a world; undefined if its file was deleted. */
export function activeScenario(view: View): CompiledScenario | undefined {
  const { name, inline } = view.require('scenario', 'scenario', 'scenario');
  return inline ? view.scenarios.inline(inline) : view.scenarios.get(name);
}

/** Whether a world has any rules or faults for a trigger. */
export function hasRules(view: View, on: Trigger): boolean {
  for (const fault of view.rows('faults')) if (fault.request.on === on) return true;
  return activeScenario(view)?.rulesOn.has(on) ?? false;
}

/**
 * Returns the first rule that applies and counts the hit. Faults come first, oldest first, then the rules of the scenario.
 * @param subject returns the object that the rules test; called only if there are rules
 * @param accept filters the rules
 * @param isPassed called last, for a rule that would apply; returns true to skip this rule without a hit
 */
export function pickRule<T extends Trigger>(
  uow: UnitOfWork,
  on: T,
  subject: () => unknown,
  accept?: (rule: RuleOn<T>) => boolean,
  isPassed?: (rule: RuleOn<T>) => boolean,
): RuleOn<T> | undefined {
  const faults = new Map<CompiledRule, FaultRecord>();
  for (const fault of uow.rows('faults')) if (fault.request.on === on) faults.set(compileFault(fault.id, fault.request), fault);
  const all = [...faults.keys(), ...(activeScenario(uow)?.rulesOn.get(on) ?? [])] as RuleOn<T>[];
  const rules = accept ? all.filter(accept) : all;
  if (rules.length === 0) return undefined;
  const since = (rule: CompiledRule) => faults.get(rule)?.createdAt ?? uow.require('scenario', 'scenario', 'scenario').since;
  const tally: RuleCounters = {
    ageMs: (rule) => Date.parse(uow.now) - Date.parse(since(rule)),
    count: (ruleId) => uow.get('ruleCounts', ruleId) ?? { seen: 0, hits: 0 },
    record: (ruleId, count) => uow.put('ruleCounts', { id: ruleId, ...count }),
    draw: (ruleId, match) => chanceOf(uow.identity, ruleId, match),
  };
  return chooseRule(rules, subject, tally, isPassed);
}
