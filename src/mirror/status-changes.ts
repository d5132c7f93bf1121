import type { KindName } from '../contract/scenario/settings.js';
import type { Reason } from '../contract/shared/common.js';
import { assetId, type AccountRecord } from '../domain/accounts/account.js';
import type { DocumentRecord } from '../domain/accounts/document.js';
import type { StateRecord } from '../domain/machine.js';
import type { OperationRecord } from '../domain/operations/operation.js';
import type { BeneficiaryRecord } from '../domain/payees/beneficiary.js';
import type { RowCommit } from '../world/commit.js';
import type { Change } from '../world/state.js';

/** A status that a resource has come to. */
export interface StatusChange {
  readonly kind: KindName;
  readonly id: string;
  /** Null for a resource that is new. */
  readonly from: string | null;
  readonly to: string;
  readonly reason: Reason | null;
}

/** The row as it was before one of the changes of a commit; null for one that is new. */
function beforeOf({ changes, undo }: RowCommit, index: number): Change['row'] {
  return undo[changes.length - 1 - index]?.row ?? null;
}

/** The changes of a commit, each with the row as it was before; null for one that is new. */
export function* rowChanges(commit: RowCommit): Generator<Change & { readonly before: Change['row'] }> {
  for (const [index, change] of commit.changes.entries()) yield { ...change, before: beforeOf(commit, index) };
}

/** What has a history of statuses. */
interface Part {
  readonly id: string;
  readonly states: readonly StateRecord<string>[];
}

/** The statuses that resources have come to with a commit, in the order of their coming for each. */
export function statusChanges(commit: RowCommit): StatusChange[] {
  const found: StatusChange[] = [];
  const { changes } = commit;
  for (let index = 0; index < changes.length; index += 1) {
    const { table, row } = changes[index]!;
    if (row === null) continue;
    if (table === 'operations') addHistory(found, 'OPERATION', row as OperationRecord, beforeOf(commit, index) as OperationRecord | null);
    else if (table === 'documents') addHistory(found, 'DOCUMENT', row as DocumentRecord, beforeOf(commit, index) as DocumentRecord | null);
    else if (table === 'beneficiaries')
      addBeneficiary(found, row as BeneficiaryRecord, beforeOf(commit, index) as BeneficiaryRecord | null);
    else if (table === 'accounts') addAccount(found, row as AccountRecord, beforeOf(commit, index) as AccountRecord | null);
  }
  return found;
}

/** Adds the statuses that a history has more than before. Histories only grow at their end. */
function addHistory(found: StatusChange[], kind: KindName, { id, states }: Part, before: Part | null | undefined): void {
  const last = before?.states.at(-1);
  const known = last === undefined ? 0 : states.lastIndexOf(last) + 1;
  for (let index = known; index < states.length; index += 1) {
    const { status, reason } = states[index]!;
    found.push({ kind, id, from: states[index - 1]?.status ?? null, to: status, reason });
  }
}

function addParts(found: StatusChange[], kind: KindName, parts: readonly Part[], before: readonly Part[] = []): void {
  if (parts !== before)
    for (const part of parts)
      addHistory(
        found,
        kind,
        part,
        before.find(({ id }) => id === part.id),
      );
}

function addBeneficiary(found: StatusChange[], row: BeneficiaryRecord, before: BeneficiaryRecord | null): void {
  addHistory(found, 'BENEFICIARY', row, before);
  addParts(found, 'PAYMENT_INSTRUCTION', row.paymentInstructions, before?.paymentInstructions);
}

function addAccount(found: StatusChange[], row: AccountRecord, before: AccountRecord | null): void {
  addHistory(found, 'ACCOUNT', row, before);
  addParts(found, 'UBO', row.ubos, before?.ubos);
  if (row.assets === before?.assets) return;
  for (const { asset, status } of row.assets) {
    const from = before?.assets.find((each) => each.asset === asset)?.status ?? null;
    if (from !== status) found.push({ kind: 'ASSET', id: assetId(row.id, asset), from, to: status, reason: null });
  }
}
