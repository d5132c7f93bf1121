import { accountAssetStatuses, accountStatuses } from '../contract/public/accounts.js';
import { reviewStatuses } from '../contract/public/beneficiaries.js';
import { documentStatuses } from '../contract/public/documents.js';
import { operationStatuses } from '../contract/public/operations.js';
import { uboStatuses } from '../contract/public/ubos.js';
import type { KindName } from '../contract/shared/kinds.js';
import type { Reason } from '../contract/shared/common.js';
import { accountAssetTransitions, accountTransitions } from './accounts/account.js';
import { documentTransitions } from './accounts/document.js';
import { uboTransitions } from './accounts/ubo.js';
import type { Transitions } from './machine.js';
import { operationTransitions } from './operations/operation.js';
import { beneficiaryTransitions, instructionTransitions } from './payees/beneficiary.js';
import { reasonCatalogue, reasonPlaces, type ReasonGroup } from '../contract/shared/reason-catalogue.js';
import { documentCauses } from './reasons.js';

/** The rules that apply to all resources of a kind. */
export interface Kind {
  readonly statuses: readonly string[];
  readonly transitions: Transitions<string>;
  /** Statuses that a scenario step can set. All other statuses result from other changes. */
  readonly stepTargets: readonly string[];
  /** The groups of the reason catalogue that this kind uses. */
  readonly reasons: readonly ReasonGroup[];
}

export const kinds: Readonly<Record<KindName, Kind>> = {
  OPERATION: kind(operationStatuses, operationTransitions, reasonPlaces.OPERATION),
  PAYMENT_INSTRUCTION: kind(reviewStatuses, instructionTransitions, reasonPlaces.PAYMENT_INSTRUCTION),
  BENEFICIARY: kind(reviewStatuses, beneficiaryTransitions, reasonPlaces.BENEFICIARY, []),
  DOCUMENT: kind(documentStatuses, documentTransitions, reasonPlaces.DOCUMENT, ['APPROVED', 'REJECTED']),
  UBO: kind(uboStatuses, uboTransitions, reasonPlaces.UBO),
  ACCOUNT: kind(accountStatuses, accountTransitions, reasonPlaces.ACCOUNT, ['OPENING', 'REJECTED', 'CLOSED']),
  ASSET: kind(accountAssetStatuses, accountAssetTransitions, reasonPlaces.ASSET),
};

/** @param among statuses that scenario steps may set, if the table allows them. Default: all */
function kind<S extends string>(
  statuses: readonly S[],
  transitions: Transitions<S>,
  reasons: readonly ReasonGroup[],
  among = statuses,
): Kind {
  const stepTargets = among.filter((status) => statuses.some((from) => transitions[from].includes(status)));
  return { statuses, transitions, stepTargets, reasons };
}

interface GivenReason {
  code: string;
  message?: string | undefined;
  details?: Record<string, unknown> | undefined;
}

/** Completes the reason that a step or a control request gives. Default message: from the catalogue, else the code in words. */
export function givenReason(on: KindName, { code, message, details }: GivenReason): Reason {
  const messages: Record<string, string> = Object.assign({}, ...kinds[on].reasons.map((place) => reasonCatalogue[place]));
  if (on === 'DOCUMENT') Object.assign(messages, documentCauses);
  const words = code.toLowerCase().replaceAll('_', ' ');
  return { code, message: message ?? messages[code] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}.`, details: details ?? {} };
}
