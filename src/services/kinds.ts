import type { Reason } from '../contract/shared/common.js';
import { kindNames, type KindName } from '../contract/shared/kinds.js';
import type { ScenarioStep } from '../contract/scenario/scenario.js';
import { accountView, assetId, assetParts, type AccountAssetStatus, type AccountStatus } from '../domain/accounts/account.js';
import { documentView } from '../domain/accounts/document.js';
import { isInVerification } from '../domain/accounts/moves.js';
import { uboView } from '../domain/accounts/ubo.js';
import { current, type StateRecord } from '../domain/machine.js';
import { awaitsPayment } from '../domain/operations/deposit.js';
import { operationView, type OperationStatus } from '../domain/operations/operation.js';
import { beneficiaryView, instructionOf, instructionView } from '../domain/payees/beneficiary.js';
import { findInstruction, findUbo, ownerOfInstruction, requireUbo } from '../engine/owners.js';
import { tableNames, type TableName, type Tables } from '../world/tables.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { View } from '../world/view.js';
import { moveAccount, moveAsset } from './accounts/accounts.js';
import { reviewDocument } from './accounts/documents.js';
import { reviewUbo } from './accounts/ubos.js';
import { moveOperation, payDeposit } from './operations/operations.js';
import { reviewBeneficiary, reviewInstruction } from './payees/beneficiaries.js';

/** The status of a resource and its history. Assets have no history. */
interface Found {
  readonly status: string;
  readonly states: readonly StateRecord<string>[];
}

/** A status change by a scenario step or by force. `to` is a status of the kind. */
interface Move {
  readonly id: string;
  readonly to: string;
  readonly reason: Reason | null;
  readonly forced: boolean;
  /** The payment, if the step pays a deposit. */
  readonly pay?: ScenarioStep['pay'];
  /** Status that the resource must have before. Only for verbs that require one, for example `unfreeze`. Default: any. */
  readonly onlyFrom?: string | undefined;
}

export interface PartWithHistory {
  readonly id: string;
  readonly states: readonly StateRecord<string>[];
}

/** A part without history: an asset of an account. */
export interface PartWithStatus {
  readonly id: string;
  readonly status: string;
}

/** A resource that is a stored row, or a part of one. */
export type Part = PartWithHistory | PartWithStatus;

/** The table that stores the resources of a kind. */
interface StoredIn {
  readonly table: TableName;
  /** Returns the resources that are parts of a row; null if the row itself is the resource. */
  readonly parts: ((row: never) => readonly Part[]) | null;
}

/** Uniform access to the resources of any kind. */
export interface KindServices {
  readonly storedIn: StoredIn;
  /** Returns undefined if no resource has this id. */
  readonly find: (view: View, id: string) => Found | undefined;
  /** Returns the row that stores the resource. @throws DomainError RESOURCE_NOT_FOUND */
  readonly rowOf: (view: View, id: string) => { readonly table: TableName; readonly id: string };
  /** Returns the resource as the API shows it. @throws DomainError RESOURCE_NOT_FOUND */
  readonly show: (view: View, id: string) => unknown;
  /**
   * Changes the status of a resource. Returns the new status; null if a scenario step does not apply in the present status.
   * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE
   */
  readonly move: (uow: UnitOfWork, move: Move) => string | null;
}

type ReviewResult = 'APPROVED' | 'REJECTED';

const found = (row: { readonly states: readonly StateRecord<string>[] } | undefined): Found | undefined =>
  row && { status: current(row.states).status, states: row.states };

const wholeRow = (table: TableName): StoredIn => ({ table, parts: null });
const partOf = <T extends TableName>(table: T, parts: (row: Tables[T]) => readonly Part[]): StoredIn => ({ table, parts });

/** The services of each kind of resource. Callers of `move` first check that `to` is a status of the kind. */
export const kindServices: Readonly<Record<KindName, KindServices>> = {
  OPERATION: {
    storedIn: wholeRow('operations'),
    find: (view, id) => found(view.get('operations', id)),
    rowOf: (_view, id) => ({ table: 'operations', id }),
    show: (view, id) => operationView(view.require('operations', id, 'operation')),
    move: (uow, { id, to, pay, ...rest }) => {
      if (pay && !awaitsPayment(uow.require('operations', id, 'operation'))) return null;
      const moved = pay
        ? payDeposit(uow, { operationId: id, amount: pay.amount, payer: pay.payer, forced: rest.forced })
        : moveOperation(uow, { operationId: id, to: to as OperationStatus, ...rest });
      return current(moved.states).status;
    },
  },
  PAYMENT_INSTRUCTION: {
    storedIn: partOf('beneficiaries', ({ paymentInstructions }) => paymentInstructions),
    find: (view, id) => found(findInstruction(view, id)),
    rowOf: (view, id) => ({ table: 'beneficiaries', id: ownerOfInstruction(view, id).id }),
    show: (view, id) => instructionView(instructionOf(ownerOfInstruction(view, id), id)),
    move: (uow, { id, to, reason, forced }) => {
      const { paymentInstructions } = reviewInstruction(uow, { instructionId: id, to: to as ReviewResult, reason, forced });
      return current(paymentInstructions.find((each) => each.id === id)!.states).status;
    },
  },
  BENEFICIARY: {
    storedIn: wholeRow('beneficiaries'),
    find: (view, id) => found(view.get('beneficiaries', id)),
    rowOf: (_view, id) => ({ table: 'beneficiaries', id }),
    show: (view, id) => beneficiaryView(view.require('beneficiaries', id, 'beneficiary')),
    move: (uow, { id, to, reason }) => {
      reviewBeneficiary(uow, { beneficiaryId: id, to: to as ReviewResult, reason });
      return to;
    },
  },
  DOCUMENT: {
    storedIn: wholeRow('documents'),
    find: (view, id) => found(view.get('documents', id)),
    rowOf: (_view, id) => ({ table: 'documents', id }),
    show: (view, id) => documentView(view.require('documents', id, 'document')),
    move: (uow, { id, to, reason, forced }) => {
      const { accountId } = uow.require('documents', id, 'document');
      if (!forced && !isInVerification(uow.require('accounts', accountId, 'account'))) return null;
      return current(reviewDocument(uow, { documentId: id, to: to as ReviewResult, reason, forced }).states).status;
    },
  },
  UBO: {
    storedIn: partOf('accounts', ({ ubos }) => ubos),
    find: (view, id) => found(findUbo(view, id)),
    rowOf: (view, id) => ({ table: 'accounts', id: requireUbo(view, id).account.id }),
    show: (view, id) => uboView(requireUbo(view, id).ubo),
    move: (uow, { id, to, reason }) => current(reviewUbo(uow, { uboId: id, to: to as ReviewResult, reason }).states).status,
  },
  ACCOUNT: {
    storedIn: wholeRow('accounts'),
    find: (view, id) => found(view.get('accounts', id)),
    rowOf: (_view, id) => ({ table: 'accounts', id }),
    show: (view, id) => accountView(view.require('accounts', id, 'account')),
    move: (uow, { id, to, reason, forced }) => {
      moveAccount(uow, { accountId: id, to: to as AccountStatus, reason, forced });
      return to;
    },
  },
  ASSET: {
    storedIn: partOf('accounts', ({ id, assets }) => assets.map(({ asset, status }) => ({ id: assetId(id, asset), status }))),
    find: (view, id) => {
      const [accountId, asset] = assetParts(id);
      const status = view.get('accounts', accountId)?.assets.find((each) => each.asset === asset)?.status;
      return status && { status, states: [] };
    },
    rowOf: (_view, id) => ({ table: 'accounts', id: assetParts(id)[0] }),
    show: (view, id) => accountView(view.require('accounts', assetParts(id)[0], 'account')),
    move: (uow, { id, to, onlyFrom, ...rest }) => {
      const [accountId, asset] = assetParts(id);
      moveAsset(uow, { accountId, asset, to: to as AccountAssetStatus, onlyFrom: onlyFrom as AccountAssetStatus | undefined, ...rest });
      return to;
    },
  },
};

/** The kinds of resource that the rows of each table contain: first the kind of the row, then the kinds of its parts. */
const kindsOfTable = Object.fromEntries(
  tableNames.map((table) => {
    const held = kindNames.filter((kind) => kindServices[kind].storedIn.table === table);
    return [table, held.toSorted((a, b) => Number(hasParts(a)) - Number(hasParts(b)))];
  }),
) as unknown as Readonly<Record<TableName, readonly KindName[]>>;

function hasParts(kind: KindName): boolean {
  return kindServices[kind].storedIn.parts !== null;
}

/** Returns the row and its parts as resources, by kind. */
export function partsOf(table: TableName, row: Tables[TableName]): [KindName, readonly Part[]][] {
  return kindsOfTable[table].map((kind) => {
    const { parts } = kindServices[kind].storedIn;
    return [kind, parts === null ? [row as unknown as Part] : parts(row as never)];
  });
}

/** Returns the status history of the resource with an id; undefined if there is none. */
export function historyOf(view: View, id: string): { resource: string; states: readonly StateRecord<string>[] } | undefined {
  for (const [resource, { find }] of Object.entries(kindServices)) {
    const { states } = find(view, id) ?? {};
    if (states) return { resource, states };
  }
  return undefined;
}
