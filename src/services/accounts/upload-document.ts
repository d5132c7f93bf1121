import { withRequirements } from '../../domain/accounts/moves.js';
import type { DocumentRequest, UploadedFile } from '../../contract/public/documents.js';
import { documentSubject, submitDocument, type DocumentRecord } from '../../domain/accounts/document.js';
import { saveAccount } from '../../engine/save-account.js';
import { requireUbo } from '../../engine/owners.js';
import { startPlan } from '../../engine/plans.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

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
