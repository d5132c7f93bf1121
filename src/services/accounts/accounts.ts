import type { AccountRequest } from '../../contract/public/accounts.js';
import type { Amount, Reason, AssetCode } from '../../contract/shared/common.js';
import type { Segment } from '../../contract/control/segments.js';
import {
  decideAccount,
  type AccountRecord,
  checkHas,
  type AccountStatus,
  accountAssetTransitions,
  assetId,
  type AccountAssetStatus,
} from '../../domain/accounts/account.js';
import { amountOf, minorUnits } from '../../domain/money.js';
import { changeSegment } from '../../domain/accounts/owners.js';
import { accountStatus, forceAccount, decideAccountMove, assetStatus, decideAssetMove } from '../../domain/accounts/moves.js';
import { moveDocument } from '../../domain/accounts/document.js';
import { notFound } from '../../domain/errors.js';
import { invalidStatusChange } from '../../domain/machine.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import { credit } from '../../engine/ledger.js';
import { dropDocuments, saveAccount } from '../../engine/save-account.js';
import { discardPlan, redirectPlan } from '../../engine/plans.js';

/** Creates an account, which first needs documents about its owner. */
export function createAccount(uow: UnitOfWork, request: AccountRequest): AccountRecord {
  const account = decideAccount(uow, uow.identity.customerId, request, uow.documents, uow.count('account'));
  uow.put('accounts', account);
  return account;
}

/**
 * Adds money to an account, or removes money from the account. The balance may become negative.
 * @throws DomainError RESOURCE_NOT_FOUND, ASSET_NOT_ENABLED if the account does not have the asset
 */
export function creditAccount(
  uow: UnitOfWork,
  { accountId, amount, direction }: { accountId: string; amount: Pick<Amount, 'value' | 'asset'>; direction: 'CREDIT' | 'DEBIT' },
): AccountRecord {
  const { value, asset } = amount;
  const account = uow.require('accounts', accountId, 'account');
  checkHas(account, asset);
  const minor = minorUnits(amountOf(value, asset).value);
  credit(uow, account.id, asset, direction === 'CREDIT' ? minor : -minor);
  return account;
}

/**
 * Changes the customer segment of a company account. The segment determines the required documents.
 * @throws DomainError RESOURCE_NOT_FOUND, ACCOUNT_NOT_MODIFIABLE
 */
export function setSegment(uow: UnitOfWork, { accountId, segment }: { accountId: string; segment: Segment }): AccountRecord {
  const { account, dropped } = changeSegment(uow, uow.require('accounts', accountId, 'account'), segment, uow.documents);
  dropDocuments(uow, dropped);
  return saveAccount(uow, account);
}

/**
 * Changes the status of an account. Unforced: by one transition of the status table. Forced: also by several. A forced opening or
 * activation satisfies all requirements, and approves all beneficial owners and documents under review.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE
 */
export function moveAccount(
  uow: UnitOfWork,
  { accountId, to, reason, forced }: { accountId: string; to: AccountStatus; reason: Reason | null; forced: boolean },
): AccountRecord {
  const account = uow.require('accounts', accountId, 'account');
  if (!forced) return saveAccount(uow, decideAccountMove(uow, account, to, reason));
  const { account: moved, events } = forceAccount(uow, account, to, reason);
  if (to === 'OPENING' || to === 'ACTIVE') approvePending(uow, account);
  const kept = saveAccount(uow, moved, events);
  redirectPlan(uow, accountId, accountStatus(kept));
  return kept;
}

/** Approves the documents that were under review when the account was forced. */
function approvePending(uow: UnitOfWork, { requirements }: AccountRecord): void {
  for (const { status, documentId } of requirements) {
    if (status !== 'PENDING_VERIFICATION' || documentId === null) continue;
    uow.put('documents', moveDocument(uow, uow.require('documents', documentId, 'document'), 'APPROVED', null));
    discardPlan(uow, documentId);
  }
}

interface AssetMove {
  readonly accountId: string;
  readonly asset: AssetCode;
  readonly to: AccountAssetStatus;
  readonly reason: Reason | null;
  readonly forced: boolean;
  /** Status that the asset must have before. Only for verbs that require one, for example `unfreeze`. Default: any. */
  readonly onlyFrom?: AccountAssetStatus | undefined;
}

/**
 * Changes the status of an asset of an account. May change the status of the account too: the first active asset makes it ACTIVE.
 * @throws DomainError RESOURCE_NOT_FOUND (account, asset), INVALID_STATUS_CHANGE
 */
export function moveAsset(uow: UnitOfWork, { accountId, asset, to, reason, forced, onlyFrom }: AssetMove): AccountRecord {
  const account = uow.require('accounts', accountId, 'account');
  if (!account.assets.some((each) => each.asset === asset)) throw notFound('asset', { accountId, asset });
  const id = assetId(accountId, asset);
  const from = assetStatus(account, asset);
  if (onlyFrom !== undefined && from !== onlyFrom) {
    const possible = accountAssetTransitions[from].filter((each) => each !== to);
    throw invalidStatusChange('asset', id, accountAssetTransitions, from, to, possible);
  }
  const moved = decideAssetMove(uow, account, asset, to, reason);
  const kept = saveAccount(uow, moved.account, moved.events);
  if (forced) redirectPlan(uow, id, to);
  return kept;
}
