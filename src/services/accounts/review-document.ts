import type { Reason } from '../../contract/shared/common.js';
import { isInVerification, accountStatusError, withRequirements } from '../../domain/accounts/moves.js';
import { concludeReview, documentProblem, moveDocument, type DocumentRecord } from '../../domain/accounts/document.js';
import { current } from '../../domain/machine.js';
import { asDocumentReason } from '../../domain/reasons.js';
import { dropDocuments, saveAccount } from '../../engine/save-account.js';
import { redirectPlan } from '../../engine/plans.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Ends the review of a document, or revokes its approval, and updates the requirement of the document. An unforced approval becomes a
 * rejection if the metadata is not acceptable.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE
 */
export function reviewDocument(
  uow: UnitOfWork,
  { documentId, to: target, reason, forced }: { documentId: string; to: 'APPROVED' | 'REJECTED'; reason: Reason | null; forced: boolean },
): DocumentRecord {
  const document = uow.require('documents', documentId, 'document');
  const account = uow.require('accounts', document.accountId, 'account');
  const problem = forced ? null : documentProblem(document);
  const to = problem ? 'REJECTED' : target;
  const why = to === 'REJECTED' ? asDocumentReason(target === 'REJECTED' ? reason : problem) : reason;
  const reviewed = moveDocument(uow, document, to, why);
  if (!isInVerification(account)) throw accountStatusError(account, 'document', documentId, current(document.states).status, to);
  const { requirements, dropped } = concludeReview(account.requirements, documentId, to, to === 'REJECTED' ? why : null);
  const changed = withRequirements(uow, account, requirements);
  uow.put('documents', reviewed);
  dropDocuments(uow, dropped);
  saveAccount(uow, changed);
  if (forced) redirectPlan(uow, documentId, to);
  return reviewed;
}
