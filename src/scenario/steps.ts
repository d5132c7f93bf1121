import type { ScenarioStep } from '../contract/scenario/scenario.js';
import type { ResourceTrigger } from '../contract/shared/kinds.js';
import { kinds } from '../domain/kinds.js';
import { isFinal, reachableFrom } from '../domain/machine.js';

/** Returns the statuses that a resource can have before its first step: all that are not final, because any of them can be forced. */
export function startStatuses(on: ResourceTrigger): string[] {
  const { statuses, transitions } = kinds[on];
  return statuses.filter((status) => !isFinal(transitions, status));
}

/** Returns the statuses that a resource can have some time after a step to `status`: `status`, and all that are reachable from it. */
export function statusesAfter(on: ResourceTrigger, status: string): string[] {
  return [status, ...reachableFrom(kinds[on].transitions, status)];
}

/** Returns the statuses that a step can set if the resource has one of the statuses `from`. */
export function nextStatuses(on: ResourceTrigger, from: readonly string[]): string[] {
  const { transitions } = kinds[on];
  return kinds[on].stepTargets.filter((target) => from.some((status) => transitions[status]?.includes(target)));
}

/** Returns the target status of a step. The target of a payment is PROCESSING. */
export function stepTarget(step: ScenarioStep): string {
  return step.to ?? 'PROCESSING';
}
