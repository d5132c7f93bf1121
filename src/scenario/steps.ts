import { accountAssetStatuses, accountStatuses } from '../contract/public/accounts.js';
import { reviewStatuses } from '../contract/public/beneficiaries.js';
import type { Reason } from '../contract/shared/common.js';
import { documentStatuses } from '../contract/public/documents.js';
import { operationStatuses } from '../contract/public/operations.js';
import type { ScenarioStep } from '../contract/scenario/scenario.js';
import type { ResourceTrigger } from '../contract/scenario/settings.js';
import { uboStatuses } from '../contract/public/ubos.js';
import { accountAssetTransitions, accountTransitions } from '../domain/accounts/account.js';
import { instructionTransitions } from '../domain/payees/beneficiary.js';
import { documentTransitions } from '../domain/accounts/document.js';
import { isFinal, type Transitions } from '../domain/machine.js';
import { operationTransitions } from '../domain/operations/operation.js';
import { reasonCatalogue, type Place } from '../domain/reasons.js';
import { uboTransitions } from '../domain/accounts/ubo.js';

interface Machine {
  readonly statuses: readonly string[];
  readonly transitions: Transitions<string>;
  /** The statuses that a step can lead to, where others only follow from something else. */
  readonly targets?: readonly string[];
}

/** The table that the steps of each kind of resource move it by. */
const machines: Readonly<Record<ResourceTrigger, Machine>> = {
  OPERATION: { statuses: operationStatuses, transitions: operationTransitions },
  PAYMENT_INSTRUCTION: { statuses: reviewStatuses, transitions: instructionTransitions },
  DOCUMENT: { statuses: documentStatuses, transitions: documentTransitions, targets: ['APPROVED', 'REJECTED'] },
  UBO: { statuses: uboStatuses, transitions: uboTransitions },
  ACCOUNT: { statuses: accountStatuses, transitions: accountTransitions, targets: ['OPENING', 'REJECTED', 'CLOSED'] },
  ASSET: { statuses: accountAssetStatuses, transitions: accountAssetTransitions },
};

/** Where the reasons of each kind of resource stand in the catalogue. */
const places: Readonly<Record<ResourceTrigger, readonly Place[]>> = {
  OPERATION: ['operationFailed', 'operationOnHold', 'operationActionRequired'],
  PAYMENT_INSTRUCTION: ['instructionRejected'],
  DOCUMENT: ['documentRejected'],
  UBO: ['ownerRejected'],
  ACCOUNT: ['ownerRejected'],
  ASSET: ['ownerRejected'],
};

/** The statuses that a step can lead to: those that some status can be left for. */
export function stepTargets(on: ResourceTrigger): string[] {
  const { statuses, transitions, targets } = machines[on];
  return [...(targets ?? statuses)].filter((status) => statuses.some((from) => transitions[from]?.includes(status)));
}

/** Where a resource can be when its first step comes: anywhere that is not final, since it may have been forced before. */
export function startingPlaces(on: ResourceTrigger): string[] {
  const { statuses, transitions } = machines[on];
  return statuses.filter((status) => !isFinal(transitions, status));
}

/** Where a resource can be after a step to `status`: there, or wherever it may have been forced from there. */
export function placesAfter(on: ResourceTrigger, status: string): string[] {
  const { transitions } = machines[on];
  const seen = new Set([status]);
  for (const each of seen) for (const next of transitions[each] ?? []) seen.add(next);
  return [...seen];
}

/** The statuses that a step can lead to from one of these. */
export function followersOf(on: ResourceTrigger, from: readonly string[]): string[] {
  const { transitions } = machines[on];
  return stepTargets(on).filter((target) => from.some((status) => transitions[status]?.includes(target)));
}

/** The status that a step leads to. A payment, when it is right, lets a deposit process. */
export function stepTarget(step: ScenarioStep): string {
  return step.to ?? 'PROCESSING';
}

/** The reason that a step gives. A code of the catalogue brings its message along. */
export function stepReason(step: ScenarioStep, on: ResourceTrigger): Reason | null {
  if (!step.reason) return null;
  const { code, message, details } = step.reason;
  const messages: Record<string, string> = Object.assign({}, ...places[on].map((place) => reasonCatalogue[place]));
  return { code, message: message ?? messages[code] ?? code, details: details ?? {} };
}
