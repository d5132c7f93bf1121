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
export function stepReason(step: ScenarioStep, on: ResourceTrigger): Reason | null {
  if (!step.reason) return null;
  const { code, message, details } = step.reason;
  const messages: Record<string, string> = Object.assign({}, ...places[on].map((place) => reasonCatalogue[place]));
  return { code, message: message ?? messages[code] ?? code, details: details ?? {} };
}
