import type { ScenarioStep } from '../contract/scenario/scenario.js';
import type { ResourceTrigger } from '../contract/shared/kinds.js';
import { kinds } from '../domain/kinds.js';
import { isFinal, reachableFrom } from '../domain/machine.js';

/** Returns all statuses before the first step: every one that is not final, because a resource can be forced into any of them. */
export function startingPlaces(on: ResourceTrigger): string[] {
  const { statuses, transitions } = kinds[on];
  return statuses.filter((status) => !isFinal(transitions, status));
}

/** Returns all possible statuses after a step to `status`: itself, and those it can be forced into. */
export function placesAfter(on: ResourceTrigger, status: string): string[] {
  return [status, ...reachableFrom(kinds[on].transitions, status)];
}

/** Returns the statuses that a step can set from one of these. */
export function followersOf(on: ResourceTrigger, from: readonly string[]): string[] {
  const { transitions } = kinds[on];
  return kinds[on].stepTargets.filter((target) => from.some((status) => transitions[status]?.includes(target)));
}

/** Returns the target status of a step. The target of a payment is PROCESSING. */
export function stepTarget(step: ScenarioStep): string {
  return step.to ?? 'PROCESSING';
}
