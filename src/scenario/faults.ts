import type { z } from '@hono/zod-openapi';
import type { FaultRequest, Scenario, ScenarioRule } from '../contract/scenario/scenario.js';
import { didYouMean } from '../contract/shared/messages/nearest.js';
import { kinds } from '../domain/kinds.js';
import { fits } from '../domain/lists/value.js';
import { ruleName } from './compile.js';
import { followersOf, placesAfter, startingPlaces, stepTarget } from './steps.js';
import { closedValues, fieldPaths, plainValue, schemasAt, subjects, typeHeld } from './subjects.js';

/** What the schema of the format cannot see: where a mistake stands, and what was expected there. */
export interface ScenarioFault {
  readonly path: readonly (string | number)[];
  readonly expected: string;
  /** The name at the end of the path is what is wrong, rather than its value. */
  readonly isKey?: boolean;
  /** What a name that is none may have been meant as. */
  readonly misspelt?: { readonly name: string; readonly known: Iterable<string> };
}

/** Returns what was expected in the place of a mistake. @param isSuggested true if the nearest of the names that there are is added */
export function expectedOf({ expected, misspelt }: ScenarioFault, isSuggested = true): string {
  return `expected ${expected}${misspelt && isSuggested ? didYouMean(misspelt.name, misspelt.known) : ''}`;
}

/** All mistakes of a scenario beyond its shape: names used twice, steps that are never legal, fields that do not exist, values that never occur. */
export function scenarioFaults(scenario: Scenario): ScenarioFault[] {
  const names = new Set<string>();
  return scenario.rules.flatMap((rule, index) => {
    const name = ruleName(rule, index);
    const faults: ScenarioFault[] = names.has(name)
      ? [{ path: ['name'], expected: `a name that no other rule of the file has; "${name}" is taken` }]
      : [];
    names.add(name);
    return [...faults, ...stepFaults(rule), ...ruleFaults(rule)].map((fault) => ({ ...fault, path: ['rules', index, ...fault.path] }));
  });
}

function stepFaults(rule: ScenarioRule): ScenarioFault[] {
  if (rule.on === 'REQUEST' || rule.on === 'DELIVERY') return [];
  let places = startingPlaces(rule.on);
  let before = '';
  for (const [position, step] of rule.steps.entries()) {
    if (step.pay && rule.on !== 'OPERATION')
      return [{ path: ['steps', position, 'pay'], expected: `to; only operations are paid, and the rule is on ${rule.on}`, isKey: true }];
    const path = ['steps', position, step.pay ? 'pay' : 'to'];
    const target = stepTarget(step);
    const targets = kinds[rule.on].stepTargets;
    if (!targets.includes(target)) {
      const expected = `one of ${targets.join(', ')}, since the rule is on ${rule.on}; got "${target}"`;
      return [{ path, expected, misspelt: { name: target, known: targets } }];
    }
    const followers = followersOf(rule.on, places);
    if (!followers.includes(target)) return [{ path, expected: expectedAfter(before, followers, target) }];
    places = placesAfter(rule.on, target);
    before = target;
  }
  return [];
}

/** What is expected of a step that is never legal behind the one before. */
function expectedAfter(before: string, followers: readonly string[], target: string): string {
  if (followers.length === 0) return `no further step, since nothing follows ${before}`;
  return `one of ${followers.join(', ')}, which can follow ${before}; got "${target}"`;
}

/** The mistakes in the conditions of a rule or a fault. */
export function ruleFaults(rule: ScenarioRule | FaultRequest): ScenarioFault[] {
  return Object.entries(rule.when ?? {}).flatMap(([field, value]): ScenarioFault[] => {
    const path = ['when', field];
    const schemas = schemasAt(subjects[rule.on], field.split('.'));
    if (schemas === null) {
      const misspelt = { name: field, known: fieldPaths(rule.on).keys() };
      return [{ path, expected: `a field of ${rule.on}; ${field} is none`, isKey: true, misspelt }];
    }
    const own = typeof value === 'object' && value !== null;
    const operators: [string, unknown][] = own ? Object.entries(value) : [['eq', value]];
    return operators.flatMap(([operator, operand]) => {
      const wrongWith = judgeOf(schemas, operator);
      const operands = [operand].flat();
      const wrong = operands.map((each) => (each === null ? null : wrongWith(plainValue(each))));
      const index = wrong.findIndex((each) => each !== null);
      if (index < 0) return [];
      const at = [...path, ...(own ? [operator] : []), ...(Array.isArray(operand) ? [index] : [])];
      const { expected, ...misspelt } = wrong[index]!;
      return [{ path: at, expected: `${expected}; got ${JSON.stringify(operands[index])}`, ...misspelt }];
    });
  });
}

/** What is wrong with a value that a condition compares a field to; null when it can occur there. */
type ValueJudge = (value: string) => Omit<ScenarioFault, 'path'> | null;

const equalities = new Set(['eq', 'ne', 'in', 'nin', 'last', 'last_ne']);
const orders = new Set(['gt', 'gte', 'lt', 'lte']);

/** How the values are judged to which an operator compares a field of these schemas: by its closed list, or by its type. */
function judgeOf(schemas: readonly z.ZodType[], operator: string): ValueJudge {
  const isEquality = equalities.has(operator);
  const allowed = isEquality ? closedValues(schemas) : null;
  if (allowed) {
    const known = [...allowed];
    return (value) => (allowed.has(value) ? null : { expected: `one of ${known.join(', ')}`, misspelt: { name: value, known } });
  }
  const type = isEquality || orders.has(operator) ? typeHeld(schemas) : null;
  return (value) => (type === null || fits(type, value) ? null : { expected: wanted[type] });
}

const wanted = { DECIMAL: 'a decimal number, such as "1500.00"', TIMESTAMP: 'an instant, such as "2026-11-21T14:00:00Z"' } as const;
