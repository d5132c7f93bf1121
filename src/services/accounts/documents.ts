import type { DocumentRequest, UploadedFile } from '../../contract/public/documents.js';
import type { Reason } from '../../contract/shared/common.js';
import { withRequirements, isInVerification, accountStatusError } from '../../domain/accounts/moves.js';
import {
  documentSubject,
  submitDocument,
  type DocumentRecord,
  concludeReview,
  documentProblem,
  moveDocument,
} from '../../domain/accounts/document.js';
import { current } from '../../domain/machine.js';
import { asDocumentReason } from '../../domain/reasons.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import { saveAccount, dropDocuments } from '../../engine/save-account.js';
import { requireUbo } from '../../engine/owners.js';
import { startPlan, redirectPlan } from '../../engine/plans.js';

/**
 * Submits a document for a requirement of its holder. The scenario decides the result of the review.
 * @throws DomainError RESOURCE_NOT_FOUND (account, ubo), DOCUMENT_NOT_REQUIRED, INVALID_DATA if required metadata is missing
 */
export function uploadDocument(uow: UnitOfWork, { request, file }: { request: DocumentRequest; file: UploadedFile }): DocumentRecord {
  const { type, referenceId } = request.holder;
  const account = type === 'UBO' ? requireUbo(uow, referenceId).account : uow.require('accounts', referenceId, 'account');
  const { document, requirements } = submitDocument(uow, account, request, file, uow.count('document'));
  uow.put('documents', document);
  const kept = saveAccount(uow, withRequirements(uow, account, requirements));
  startPlan(uow, 'DOCUMENT', document.id, () => documentSubject(document, kept));
  return document;
}

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
