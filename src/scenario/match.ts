import type { Scenario, ScenarioRule, ScenarioStep, Trigger } from '../contract/scenario.js';
import { condition, typeOfValue, type FilterOperator, type Predicate } from '../domain/filter.js';

/** A rule in the order in which it is tried, with where it comes from. */
export interface CompiledRule {
  readonly scenario: string;
  readonly name: string;
  readonly on: Trigger;
  readonly steps: readonly ScenarioStep[];
  readonly applies: Predicate;
}

/** All scenarios by name, each with its rules compiled and its ancestors' behind its own. */
export type ScenarioCatalogue = ReadonlyMap<string, { readonly scenario: Scenario; readonly rules: readonly CompiledRule[] }>;

type Operand = string | number | boolean | null;

const asText = (operand: Operand) => (operand === null ? null : String(operand));

function compileCondition(path: string, value: unknown): Predicate {
  const operators: [string, unknown][] = typeof value === 'object' && value !== null ? Object.entries(value) : [['eq', value]];
  const predicates = operators.map(([operator, operand]) => {
    const operands = (Array.isArray(operand) ? (operand as Operand[]) : [operand as Operand]).map(asText);
    const first = operands.find((each) => each !== null) ?? '';
    const type = operator === 'like' || operator === 'text' ? 'TEXT' : typeOfValue(first);
    return condition(path, type, operator as FilterOperator, operands);
  });
  return (item) => predicates.every((holds) => holds(item));
}

function compileRule(scenario: Scenario, rule: ScenarioRule, index: number): CompiledRule {
  const conditions = Object.entries(rule.when ?? {}).map(([path, value]) => compileCondition(path, value));
  return {
    scenario: scenario.scenario,
    name: rule.name ?? `rule ${index + 1}`,
    on: rule.on,
    steps: rule.steps,
    applies: (item) => conditions.every((holds) => holds(item)),
  };
}

/**
 * Compiles scenarios against each other: for each, rules with a `when` come first, its own before its ancestors', then those without.
 * @throws Error naming the scenario whose parent is unknown, or whose ancestry runs in a circle
 */
export function compileScenarios(scenarios: ReadonlyMap<string, Scenario>): ScenarioCatalogue {
  function lineage(name: string, seen: readonly string[] = []): Scenario[] {
    if (seen.includes(name)) throw new Error(`Scenario ${seen[0]} extends itself by way of ${[...seen, name].join(' -> ')}.`);
    const scenario = scenarios.get(name);
    if (!scenario) throw new Error(`Scenario ${seen.at(-1)} extends ${name}, which does not exist.`);
    return [scenario, ...(scenario.extends === undefined ? [] : lineage(scenario.extends, [...seen, name]))];
  }
  return new Map(
    [...scenarios].map(([name, scenario]) => {
      const rules = lineage(name).flatMap((each) => each.rules.map((rule, index) => ({ rule, compiled: compileRule(each, rule, index) })));
      const conditional = rules.filter(({ rule }) => Object.keys(rule.when ?? {}).length > 0);
      const unconditional = rules.filter((each) => !conditional.includes(each));
      return [name, { scenario, rules: [...conditional, ...unconditional].map(({ compiled }) => compiled) }];
    }),
  );
}

/** The rule that decides the course of something that was just triggered; undefined when none applies and it stays until forced. */
export function matchRule(rules: readonly CompiledRule[], on: Trigger, subject: unknown): CompiledRule | undefined {
  return rules.find((rule) => rule.on === on && rule.applies(subject));
}
