import { durationMs } from '../contract/shared/duration.js';
import { answerShapes, type DeliveryEffect, type RequestEffect } from '../contract/scenario/effects.js';
import type { FaultRequest, Phase, Scenario, ScenarioRule, ScenarioStep, Trigger } from '../contract/scenario/scenario.js';
import type { ResourceTrigger } from '../contract/shared/kinds.js';
import type { ScenarioSettings } from '../contract/scenario/settings.js';
import { runSync, type Interruptible } from '../domain/interruptible.js';
import { allOf, type Predicate } from '../domain/lists/filter.js';
import { conditionOf, keysIn, type FilterOperator } from '../domain/lists/condition.js';
import { fieldAt, valuesAt } from '../domain/lists/fields.js';
import { typeOfOperands } from '../domain/lists/value.js';
import { startOf } from '../contract/shared/messages/cut.js';
import { mergeSettings } from './merge-settings.js';
import { typeOfField } from './subjects.js';

interface Matching {
  /** Id of the rule or fault, under which its hits are counted. */
  readonly id: string;
  /** Name of the scenario that contains the rule; null for a fault. */
  readonly scenario: string | null;
  readonly name: string;
  /** Tests whether the rule matches a subject; null if the rule matches all. */
  readonly applies: Predicate<unknown> | null;
  /** Returns the first condition that a subject does not meet, as a sentence; null if it meets all. */
  readonly mismatch: (subject: unknown) => string | null;
  /** Number of matches to skip before the rule applies. */
  readonly after: number;
  readonly times: number;
  readonly probability: number;
  readonly ttlMs: number;
}

interface ResourceRule extends Matching {
  readonly on: ResourceTrigger;
  readonly steps: readonly ScenarioStep[];
}

interface RequestRule extends Matching {
  readonly on: 'REQUEST';
  readonly phase: Phase;
  readonly effect: RequestEffect;
}

interface DeliveryRule extends Matching {
  readonly on: 'DELIVERY';
  readonly effect: DeliveryEffect;
}

/** A rule or fault with compiled conditions. */
export type CompiledRule = ResourceRule | RequestRule | DeliveryRule;
export type RuleOn<T extends Trigger> = T extends 'REQUEST' ? RequestRule : T extends 'DELIVERY' ? DeliveryRule : ResourceRule;

/** A scenario merged with its ancestors. */
export interface CompiledScenario {
  readonly scenario: Scenario;
  /** In matching order. */
  readonly rules: readonly CompiledRule[];
  /** The same rules by trigger. */
  readonly rulesOn: ReadonlyMap<Trigger, readonly CompiledRule[]>;
  readonly settings: ScenarioSettings;
}

type Operand = string | number | boolean | null;

/** The operators that compare the order of values. */
export const orders: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte']);

/**
 * Returns a function that tests whether an object meets the condition of a rule on one of its fields. The type that the field declares
 * decides how the values compare, not the look of the operand: an account number is text.
 */
export function compileCondition(on: Trigger, path: string, value: unknown): Predicate<unknown> {
  const declared = typeOfField(on, path);
  const operators: [string, unknown][] = typeof value === 'object' && value !== null ? Object.entries(value) : [['eq', value]];
  const predicates = operators.map(([operator, operand]) => {
    const given = (Array.isArray(operand) ? operand : [operand]) as Operand[];
    const isDuration = declared === 'DURATION';
    const texts = given.map((each) => (each === null ? null : String(isDuration ? (durationMs(String(each)) ?? each) : each)));
    // The subject contains durations in milliseconds.
    const type = isDuration ? 'DECIMAL' : (declared ?? (orders.has(operator) ? typeOfOperands(given) : 'TEXT'));
    const field = fieldAt(path, operator === 'like' || operator === 'text' ? 'TEXT' : type);
    const holds = conditionOf(field.type, operator as FilterOperator, texts);
    return (item: unknown) => holds(keysIn(field, item));
  });
  return allOf(predicates);
}

/** Maximum length of a value in a sentence about a condition, in characters. */
const maxShownValue = 60;

/** Returns a sentence with the values of a field and the values that a condition asks for. */
function mismatchText(path: string, wanted: unknown, subject: unknown): string {
  const found = valuesAt(subject, path.split('.')).filter((each) => each !== null && each !== undefined);
  const shown = found.length === 0 ? `${path} has no value` : `${path} is ${startOf(found.join(', '), maxShownValue)}`;
  const operators = typeof wanted === 'object' && wanted !== null ? Object.entries(wanted) : [['', wanted] as const];
  const asked = operators.map(([operator, operand]) =>
    `${operator} ${startOf([operand].flat().map(String).join(', '), maxShownValue)}`.trim(),
  );
  return `${shown}, the rule asks for ${asked.join(' and ')}.`;
}

function compile(rule: ScenarioRule | FaultRequest, own: { id: string; scenario: string | null; name: string }): CompiledRule {
  const when = Object.entries(rule.when ?? {});
  const conditions = when.map(([path, value]) => compileCondition(rule.on, path, value));
  const matching: Matching = {
    ...own,
    applies: conditions.length === 0 ? null : allOf(conditions),
    mismatch: (subject) => {
      const failed = when[conditions.findIndex((holds) => !holds(subject))];
      return failed ? mismatchText(failed[0], failed[1], subject) : null;
    },
    after: rule.after ?? 0,
    times: rule.times ?? Infinity,
    probability: rule.probability ?? 1,
    ttlMs: rule.ttl === undefined ? Infinity : (durationMs(rule.ttl) ?? 0),
  };
  if (rule.on === 'REQUEST') return { ...matching, on: rule.on, phase: rule.phase ?? usualPhase(rule.effect), effect: rule.effect };
  if (rule.on === 'DELIVERY') return { ...matching, on: rule.on, effect: rule.effect };
  return { ...matching, on: rule.on, steps: rule.steps };
}

/** Effects that change or delay a response run after the commit, when the response exists. All others run before the request has effect. */
function usualPhase(effect: RequestEffect): Phase {
  if (effect.respondAfter) return 'after_commit';
  return answerShapes.some((shape) => effect[shape] !== undefined) && effect.status === undefined && effect.code === undefined
    ? 'after_commit'
    : 'before';
}

/** Returns the id for the counters of a fault. */
export const faultRuleId = (id: string) => `fault:${id}`;

/** Compiles a fault for matching. */
export function compileFault(id: string, fault: FaultRequest): CompiledRule {
  return compile(fault, { id: faultRuleId(id), scenario: null, name: id });
}

/** Returns the name of a rule. Default: its position in the file */
export function ruleName(rule: ScenarioRule, index: number): string {
  return rule.name ?? `rule ${index + 1}`;
}

/** Does the same as {@link compileInSteps}, without a pause. */
export const compileScenario = (inheritanceChain: readonly [Scenario, ...Scenario[]]): CompiledScenario =>
  runSync(compileInSteps(inheritanceChain));

/**
 * Compiles a scenario with its ancestors, nearest first. Rules with `when` precede rules without. The work can be paused between rules.
 * @param inheritanceChain the scenario and its ancestors
 */
export function* compileInSteps(inheritanceChain: readonly [Scenario, ...Scenario[]]): Interruptible<CompiledScenario> {
  const conditional: CompiledRule[] = [];
  const others: CompiledRule[] = [];
  for (const { scenario, rules: own } of inheritanceChain) {
    for (const [index, rule] of own.entries()) {
      const name = ruleName(rule, index);
      const list = Object.keys(rule.when ?? {}).length > 0 ? conditional : others;
      list.push(compile(rule, { id: `${scenario}/${name}`, scenario, name }));
      yield;
    }
  }
  const rules = [...conditional, ...others];
  return {
    scenario: inheritanceChain[0],
    rules,
    rulesOn: new Map([...new Set(rules.map(({ on }) => on))].map((on) => [on, rules.filter((each) => each.on === on)])),
    settings: mergeSettings(inheritanceChain.map((each) => each.settings ?? {}).toReversed()),
  };
}
