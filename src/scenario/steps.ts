import type { ScenarioStep } from '../contract/scenario/scenario.js';
import type { ResourceTrigger } from '../contract/shared/kinds.js';
import { kinds } from '../domain/kinds.js';
import { isFinal, reachableFrom } from '../domain/machine.js';

/** Where a resource can be when its first step comes: anywhere that is not final, since it may have been forced before. */
export function startingPlaces(on: ResourceTrigger): string[] {
  const { statuses, transitions } = kinds[on];
  return statuses.filter((status) => !isFinal(transitions, status));
}

/** Where a resource can be after a step to `status`: there, or wherever it may have been forced from there. */
export function placesAfter(on: ResourceTrigger, status: string): string[] {
  return [status, ...reachableFrom(kinds[on].transitions, status)];
}

/** The statuses that a step can lead to from one of these. */
export function followersOf(on: ResourceTrigger, from: readonly string[]): string[] {
  const { transitions } = kinds[on];
  return kinds[on].stepTargets.filter((target) => from.some((status) => transitions[status]?.includes(target)));
}

/** The status that a step leads to. A payment, when it is right, lets a deposit process. */
export function stepTarget(step: ScenarioStep): string {
  return step.to ?? 'PROCESSING';
}
