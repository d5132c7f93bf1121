import type { Reason } from '../../contract/shared/common.js';
import type { AccountRecord, AccountStatus } from '../../domain/accounts/account.js';
import { accountStatus, forceAccount, moveAccount as decide } from '../../domain/accounts/moves.js';
import { moveDocument } from '../../domain/accounts/document.js';
import { saveAccount } from '../../engine/save-account.js';
import { discardPlan, redirectPlan } from '../../engine/plans.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

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
  if (!forced) return saveAccount(uow, decide(uow, account, to, reason));
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
