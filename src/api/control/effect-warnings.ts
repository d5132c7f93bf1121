import { errorCatalogue } from '../../contract/shared/error-codes.js';
import type { RequestEffect } from '../../contract/scenario/effects.js';
import type { FaultRequest, Scenario, ScenarioRule } from '../../contract/scenario/scenario.js';
import { operationIds, type OperationId } from '../../contract/public/routes.js';
import { compileCondition } from '../../scenario/compile.js';
import type { Interruptible } from '../../domain/interruptible.js';
import type { ScenarioProblem } from '../../scenario/problems.js';
import { documentedStatuses, isControlStatus } from '../plane/documented-errors.js';

/** Number of operations that a warning names. */
const named = 3;

/** Returns the problem of a rule without a code whose status no operation of the payments API can have; empty if there is none. */
export function controlStatusProblems(rule: ScenarioRule | FaultRequest): ScenarioProblem[] {
  if (rule.on !== 'REQUEST' || rule.effect.code !== undefined) return [];
  const { status } = rule.effect;
  if (status === undefined || !isControlStatus(status)) return [];
  return [
    {
      path: ['effect', 'status'],
      expected: `a status of the payments API, or a code with it, because only the control API responds with ${status}, for example 503; got ${status}`,
    },
  ];
}

/** Returns warnings about a valid rule that injects an error which an operation does not document. */
export function effectWarnings(rule: ScenarioRule | FaultRequest): ScenarioProblem[] {
  if (rule.on !== 'REQUEST') return [];
  const status = statusOfEffect(rule.effect);
  if (status === undefined) return [];
  const strangers = operationsOf(rule).filter((operationId) => !documentedStatuses(operationId).includes(status));
  const [first] = strangers;
  if (first === undefined) return [];
  const others = strangers.length > named ? ` and ${strangers.length - named} more` : '';
  const documented = documentedStatuses(first).join(', ');
  const names = `${strangers.slice(0, named).join(', ')}${others}`;
  const expected = `a status that the operation documents, such as ${documented} of ${first}; ${status} is not documented for ${names}`;
  return [{ path: ['effect', rule.effect.status === undefined ? 'code' : 'status'], expected }];
}

/** Returns the warnings about all rules of a scenario, as work that can be paused. */
export function* scenarioWarnings({ rules }: Scenario): Interruptible<ScenarioProblem[]> {
  const warnings: ScenarioProblem[] = [];
  for (const [index, rule] of rules.entries()) {
    for (const each of [...controlStatusProblems(rule), ...effectWarnings(rule)])
      warnings.push({ ...each, path: ['rules', index, ...each.path] });
    yield;
  }
  return warnings;
}

function statusOfEffect({ status, code }: RequestEffect): number | undefined {
  return status ?? (code && errorCatalogue[code].status);
}

/** Returns the operations that a rule can apply to, by its conditions on `operationId`. */
function operationsOf({ when }: ScenarioRule | FaultRequest): OperationId[] {
  const condition = when?.['operationId'];
  if (condition === undefined) return [...operationIds];
  const holds = compileCondition('REQUEST', 'operationId', condition);
  return operationIds.filter((operationId) => holds({ operationId }));
}
