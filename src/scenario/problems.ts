import type { z } from '@hono/zod-openapi';
import type { FaultRequest, Scenario, ScenarioRule } from '../contract/scenario/scenario.js';
import { durationMs } from '../contract/shared/duration.js';
import { didYouMean } from '../contract/shared/messages/nearest.js';
import type { Interruptible } from '../domain/interruptible.js';
import { kinds } from '../domain/kinds.js';
import { isOfType } from '../domain/lists/value.js';
import { orders, ruleName } from './compile.js';
import { nextStatuses, statusesAfter, startStatuses, stepTarget } from './steps.js';
import { enumValues, fieldPaths, plainValue, schemasAt, subjects, typeOfField, type DeclaredType } from './subjects.js';

/** A problem that the schema cannot detect: the path of the invalid value and the expected value. */
export interface ScenarioProblem {
  readonly path: readonly (string | number)[];
  readonly expected: string;
  /** True if the last key of the path is wrong, not its value. */
  readonly isKey?: boolean;
  /** An unknown name and the known ones, for a suggestion. */
  readonly misspelt?: { readonly name: string; readonly known: Iterable<string> };
}

/** Returns the expected value as text. @param isSuggested true to add the most similar known name */
export function expectedOf({ expected, misspelt }: ScenarioProblem, isSuggested = true): string {
  return `expected ${expected}${misspelt && isSuggested ? didYouMean(misspelt.name, misspelt.known) : ''}`;
}

/**
 * Returns all problems that the schema cannot detect: duplicate names, impossible steps, unknown fields and values. The work can be paused
 * between rules.
 */
export function* scenarioProblems(scenario: Scenario): Interruptible<ScenarioProblem[]> {
  const names = new Set<string>();
  const problems: ScenarioProblem[] = [];
  for (const [index, rule] of scenario.rules.entries()) {
    const name = ruleName(rule, index);
    const found: ScenarioProblem[] = names.has(name) ? [{ path: ['name'], expected: `a unique rule name; "${name}" is already used` }] : [];
    names.add(name);
    for (const problem of [...found, ...stepProblems(rule), ...ruleProblems(rule)])
      problems.push({ ...problem, path: ['rules', index, ...problem.path] });
    yield;
  }
  return problems;
}

function stepProblems(rule: ScenarioRule): ScenarioProblem[] {
  if (rule.on === 'REQUEST' || rule.on === 'DELIVERY') return [];
  let places = startStatuses(rule.on);
  let before = '';
  for (const [position, step] of rule.steps.entries()) {
    if (step.pay && rule.on !== 'OPERATION')
      return [
        {
          path: ['steps', position, 'pay'],
          expected: `"to", because the rule is on ${rule.on} and only operations can be paid`,
          isKey: true,
        },
      ];
    const path = ['steps', position, step.pay ? 'pay' : 'to'];
    const target = stepTarget(step);
    const targets = kinds[rule.on].stepTargets;
    if (!targets.includes(target)) {
      const expected = `one of ${targets.join(', ')}, because the rule is on ${rule.on}; got "${target}"`;
      return [{ path, expected, misspelt: { name: target, known: targets } }];
    }
    const followers = nextStatuses(rule.on, places);
    if (!followers.includes(target)) return [{ path, expected: expectedAfter(before, followers, target) }];
    places = statusesAfter(rule.on, target);
    before = target;
  }
  return [];
}

/** Returns the expected value for a step that can never follow the previous one. */
function expectedAfter(before: string, followers: readonly string[], target: string): string {
  if (followers.length === 0) return `no further step, because ${before} is final`;
  return `one of ${followers.join(', ')}, which can follow ${before}; got "${target}"`;
}

/** Returns the problems in the conditions and the phase of a rule or fault. */
export function ruleProblems(rule: ScenarioRule | FaultRequest): ScenarioProblem[] {
  return [...phaseProblems(rule), ...conditionProblems(rule)];
}

function phaseProblems(rule: ScenarioRule | FaultRequest): ScenarioProblem[] {
  if (rule.on !== 'REQUEST' || rule.phase !== 'before' || !rule.effect.respondAfter) return [];
  return [{ path: ['phase'], expected: '"after_commit", because respondAfter delays the response; got "before"' }];
}

function conditionProblems(rule: ScenarioRule | FaultRequest): ScenarioProblem[] {
  return Object.entries(rule.when ?? {}).flatMap(([field, value]): ScenarioProblem[] => {
    const path = ['when', field];
    const schemas = schemasAt(subjects[rule.on], field.split('.'));
    if (schemas === null) {
      const misspelt = { name: field, known: fieldPaths(rule.on).keys() };
      return [{ path, expected: `a field of ${rule.on}; got "${field}"`, isKey: true, misspelt }];
    }
    const declared = typeOfField(rule.on, field);
    const own = typeof value === 'object' && value !== null;
    const operators: [string, unknown][] = own ? Object.entries(value) : [['eq', value]];
    return operators.flatMap(([operator, operand]) => {
      const wrongWith = judgeOf({ schemas, declared, operator });
      const operands = [operand].flat() as (Operand | null)[];
      const wrong = operands.map((each) => (each === null ? null : wrongWith(each)));
      const index = wrong.findIndex((each) => each !== null);
      if (index < 0) return [];
      const at = [...path, ...(own ? [operator] : []), ...(Array.isArray(operand) ? [index] : [])];
      const { expected, ...misspelt } = wrong[index]!;
      return [{ path: at, expected: `${expected}; got ${JSON.stringify(operands[index])}`, ...misspelt }];
    });
  });
}

/** A value in a condition. */
type Operand = string | number | boolean;

/** A check that returns the problem with a value in a condition; null if the field can have this value. */
type ValueJudge = (value: Operand) => Omit<ScenarioProblem, 'path'> | null;

const equalities = new Set(['eq', 'ne', 'in', 'nin', 'last', 'last_ne']);

interface Judged {
  readonly schemas: readonly z.ZodType[];
  readonly declared: DeclaredType | null;
  readonly operator: string;
}

/** Returns the check for values that an operator compares with a field. It uses the possible values of the field, or else its type. */
function judgeOf({ schemas, declared, operator }: Judged): ValueJudge {
  const isEquality = equalities.has(operator);
  const allowed = isEquality ? enumValues(schemas) : null;
  if (allowed) {
    const known = [...allowed];
    return (value) => {
      const name = plainValue(value);
      return allowed.has(name) ? null : { expected: `one of ${known.join(', ')}`, misspelt: { name, known } };
    };
  }
  if (declared === null || !(isEquality || orders.has(operator))) return () => null;
  if (declared === 'TEXT') return (value) => (isExactText(value) ? null : { expected: wanted.TEXT });
  const isValid = (text: string) => (declared === 'DURATION' ? durationMs(text) !== null : isOfType(declared, text));
  return (value) => (isValid(plainValue(value)) ? null : { expected: wanted[declared] });
}

/**
 * True if a value says which text is meant. A JSON number has lost the text that it was written as, unless it is a whole number: 1.50 is
 * 1.5, and a number of 17 digits is rounded.
 */
function isExactText(value: Operand): boolean {
  return typeof value !== 'number' || (Number.isSafeInteger(value) && !Object.is(value, -0));
}

const wanted = {
  DECIMAL: 'a decimal number, for example "1500.00"',
  TIMESTAMP: 'a timestamp, for example "2026-11-21T14:00:00Z"',
  DURATION: 'a duration, for example "2s"',
  BOOLEAN: 'true or false',
  TEXT: 'text; put it in quotes, because a number loses zeros and digits',
} as const;
