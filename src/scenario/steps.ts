import { reviewStatuses } from '../contract/beneficiaries.js';
import type { Reason } from '../contract/common.js';
import { operationStatuses } from '../contract/operations.js';
import type { Scenario, ScenarioStep, Trigger } from '../contract/scenario.js';
import { instructionTransitions } from '../domain/beneficiary.js';
import type { Transitions } from '../domain/machine.js';
import { operationTransitions } from '../domain/operation.js';
import { reasonCatalogue } from '../domain/reasons.js';

function enterable<S extends string>(statuses: readonly S[], transitions: Transitions<S>): readonly string[] {
  return statuses.filter((status) => statuses.some((from) => transitions[from].includes(status)));
}

/** The statuses that a step can lead to, for each kind of thing: those that some status can be left for. */
const targets: Readonly<Record<Trigger, readonly string[]>> = {
  OPERATION: enterable(operationStatuses, operationTransitions),
  PAYMENT_INSTRUCTION: enterable(reviewStatuses, instructionTransitions),
};

/** What the schema cannot see: steps that could never be legal. Returns where, and what was expected there; null when all is well. */
export function stepFault(scenario: Scenario): { path: (string | number)[]; expected: string } | null {
  for (const [index, rule] of scenario.rules.entries()) {
    for (const [position, step] of rule.steps.entries()) {
      if (!targets[rule.on].includes(step.to)) {
        return {
          path: ['rules', index, 'steps', position, 'to'],
          expected: `one of ${targets[rule.on].join(', ')}, since the rule is on ${rule.on}`,
        };
      }
    }
  }
  return null;
}

/** The reason that a step gives. A code of the catalogue brings its message along. */
export function stepReason(step: ScenarioStep): Reason | null {
  if (!step.reason) return null;
  const { code, message, details } = step.reason;
  const known = Object.values(reasonCatalogue).find((place) => Object.hasOwn(place, code)) as Record<string, string> | undefined;
  return { code, message: message ?? known?.[code] ?? code, details: details ?? {} };
}
