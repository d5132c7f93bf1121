import type { AccountRecord } from '../../domain/accounts/account.js';
import { changeSegment } from '../../domain/accounts/owners.js';
import type { Segment } from '../../contract/control/segments.js';
import { dropDocuments, saveAccount } from '../../engine/save-account.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Changes the customer segment of a company account. The segment determines the required documents.
 * @throws DomainError RESOURCE_NOT_FOUND, ACCOUNT_NOT_MODIFIABLE
 */
export function setSegment(uow: UnitOfWork, { accountId, segment }: { accountId: string; segment: Segment }): AccountRecord {
  const { account, dropped } = changeSegment(uow, uow.require('accounts', accountId, 'account'), segment, uow.documents);
  dropDocuments(uow, dropped);
  return saveAccount(uow, account);
}
