import { durationMs } from '../contract/shared/duration.js';
import { answerShapes, type DeliveryEffect, type RequestEffect } from '../contract/scenario/effects.js';
import type { FaultRequest, Phase, Scenario, ScenarioRule, ScenarioStep, Trigger } from '../contract/scenario/scenario.js';
import type { ResourceTrigger } from '../contract/shared/kinds.js';
import type { ScenarioSettings } from '../contract/scenario/settings.js';
import { allOf, type Predicate } from '../domain/lists/filter.js';
import { conditionOf, keysIn, type FilterOperator } from '../domain/lists/condition.js';
import { fieldAt } from '../domain/lists/fields.js';
import { typeOfValue } from '../domain/lists/value.js';
import { mergeSettings } from './merge-settings.js';

interface Matching {
  /** What its counters are kept under. */
  readonly id: string;
  /** The scenario that it stands in; null for a fault. */
  readonly scenario: string | null;
  readonly name: string;
  /** Whether it is meant for a subject; null when it is meant for all. */
  readonly applies: Predicate<unknown> | null;
  /** Matches that it lets pass before it applies. */
  readonly after: number;
  readonly times: number;
  readonly probability: number;
  readonly ttlMs: number;
}

export interface ResourceRule extends Matching {
  readonly on: ResourceTrigger;
  readonly steps: readonly ScenarioStep[];
}

export interface RequestRule extends Matching {
  readonly on: 'REQUEST';
  readonly phase: Phase;
  readonly effect: RequestEffect;
}

export interface DeliveryRule extends Matching {
  readonly on: 'DELIVERY';
  readonly effect: DeliveryEffect;
}

/** A rule that is ready to be tried. */
export type CompiledRule = ResourceRule | RequestRule | DeliveryRule;
export type RuleOn<T extends Trigger> = T extends 'REQUEST' ? RequestRule : T extends 'DELIVERY' ? DeliveryRule : ResourceRule;

/** A scenario with its ancestors behind it. */
export interface CompiledScenario {
  readonly scenario: Scenario;
  /** In the order in which they are tried. */
  readonly rules: readonly CompiledRule[];
  /** The same by what they are on. */
  readonly rulesOn: ReadonlyMap<Trigger, readonly CompiledRule[]>;
  readonly settings: ScenarioSettings;
}

type Operand = string | number | boolean | null;

const asText = (operand: Operand) => (operand === null ? null : String(operand));

function compileCondition(path: string, value: unknown): Predicate<unknown> {
  const operators: [string, unknown][] = typeof value === 'object' && value !== null ? Object.entries(value) : [['eq', value]];
  const predicates = operators.map(([operator, operand]) => {
    const operands = (Array.isArray(operand) ? (operand as Operand[]) : [operand as Operand]).map(asText);
    const [type = 'TEXT', ...others] = new Set(operands.flatMap((each) => (each === null ? [] : [typeOfValue(each)])));
    const isText = operator === 'like' || operator === 'text' || others.length > 0;
    const field = fieldAt(path, isText ? 'TEXT' : type);
    const holds = conditionOf(field.type, operator as FilterOperator, operands);
    return (item: unknown) => holds(keysIn(field, item));
  });
  return allOf(predicates);
}

function compile(rule: ScenarioRule | FaultRequest, own: { id: string; scenario: string | null; name: string }): CompiledRule {
  const conditions = Object.entries(rule.when ?? {}).map(([path, value]) => compileCondition(path, value));
  const matching: Matching = {
    ...own,
    applies: conditions.length === 0 ? null : allOf(conditions),
    after: rule.after ?? 0,
    times: rule.times ?? Infinity,
    probability: rule.probability ?? 1,
    ttlMs: rule.ttl === undefined ? Infinity : (durationMs(rule.ttl) ?? 0),
  };
  if (rule.on === 'REQUEST') return { ...matching, on: rule.on, phase: rule.phase ?? usualPhase(rule.effect), effect: rule.effect };
  if (rule.on === 'DELIVERY') return { ...matching, on: rule.on, effect: rule.effect };
  return { ...matching, on: rule.on, steps: rule.steps };
}

/** What shapes an answer needs one, so it comes after the fact; everything else prevents it. */
function usualPhase(effect: RequestEffect): Phase {
  return answerShapes.some((shape) => effect[shape] !== undefined) && effect.status === undefined && effect.code === undefined
    ? 'after_commit'
    : 'before';
}

/** What the counters of a fault are kept under. */
export const faultRuleId = (id: string) => `fault:${id}`;

/** A fault, ready to be tried. */
export function compileFault(id: string, fault: FaultRequest): CompiledRule {
  return compile(fault, { id: faultRuleId(id), scenario: null, name: id });
}

/** The name of a rule: its own, or its place among the rules of its file. */
export function ruleName(rule: ScenarioRule, index: number): string {
  return rule.name ?? `rule ${index + 1}`;
}

/**
 * Compiles a scenario with its ancestors, nearest first: rules with a `when` come first, its own before theirs, then those without.
 * @param lineage the scenario and its ancestors
 */
export function compileScenario(lineage: readonly [Scenario, ...Scenario[]]): CompiledScenario {
  const own = lineage.flatMap((each) =>
    each.rules.map((rule, index) => {
      const name = ruleName(rule, index);
      return {
        isConditional: Object.keys(rule.when ?? {}).length > 0,
        compiled: compile(rule, { id: `${each.scenario}/${name}`, scenario: each.scenario, name }),
      };
    }),
  );
  const rules = [...own.filter((each) => each.isConditional), ...own.filter((each) => !each.isConditional)].map((each) => each.compiled);
  return {
    scenario: lineage[0],
    rules,
    rulesOn: new Map(rules.map(({ on }) => [on, rules.filter((each) => each.on === on)])),
    settings: mergeSettings(lineage.map((each) => each.settings ?? {}).toReversed()),
  };
}
