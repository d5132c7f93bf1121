import { reviewStatuses } from '../contract/beneficiaries.js';
import type { Reason } from '../contract/common.js';
import { operationStatuses } from '../contract/operations.js';
import type { ScenarioStep } from '../contract/scenario.js';
import type { ResourceTrigger } from '../contract/settings.js';
import { instructionTransitions } from '../domain/beneficiary.js';
import { isFinal, type Transitions } from '../domain/machine.js';
import { operationTransitions } from '../domain/operation.js';
import { reasonCatalogue } from '../domain/reasons.js';

/** The table that the steps of each kind of resource move it by. */
const machines: Readonly<Record<ResourceTrigger, { statuses: readonly string[]; transitions: Transitions<string> }>> = {
  OPERATION: { statuses: operationStatuses, transitions: operationTransitions },
  PAYMENT_INSTRUCTION: { statuses: reviewStatuses, transitions: instructionTransitions },
};

/** The statuses that a step can lead to: those that some status can be left for. */
export function stepTargets(on: ResourceTrigger): string[] {
  const { statuses, transitions } = machines[on];
  return statuses.filter((status) => statuses.some((from) => transitions[from]?.includes(status)));
}

/**
 * Where a resource can be when its next step comes: anywhere that is not final, since it may be forced in between.
 * With `from` and `to`, after a step to `to` from there; a step that is not legal somewhere is left out and changes nothing.
 * Null when the step is legal nowhere.
 */
export function reachable(on: ResourceTrigger): string[];
export function reachable(on: ResourceTrigger, from: readonly string[], to: string): string[] | null;
export function reachable(on: ResourceTrigger, from?: readonly string[], to?: string): string[] | null {
  const { statuses, transitions } = machines[on];
  if (from === undefined || to === undefined) return statuses.filter((status) => !isFinal(transitions, status));
  const legal = from.filter((status) => transitions[status]?.includes(to));
  if (legal.length === 0) return null;
  const seen = new Set([to, ...from.filter((status) => !legal.includes(status))]);
  for (const status of seen) for (const next of transitions[status] ?? []) seen.add(next);
  return [...seen].filter((status) => !isFinal(transitions, status));
}

/** The status that a step leads to. A payment, when it is right, lets a deposit process. */
export function stepTarget(step: ScenarioStep): string {
  return step.to ?? 'PROCESSING';
}

/** The reason that a step gives. A code of the catalogue brings its message along. */
export function stepReason(step: ScenarioStep): Reason | null {
  if (!step.reason) return null;
  const { code, message, details } = step.reason;
  const known = Object.values(reasonCatalogue).find((place) => Object.hasOwn(place, code)) as Record<string, string> | undefined;
  return { code, message: message ?? known?.[code] ?? code, details: details ?? {} };
}
