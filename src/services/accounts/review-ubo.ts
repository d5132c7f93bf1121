import type { Reason } from '../../contract/shared/common.js';
import { reviewUbo as decide, uboOf } from '../../domain/accounts/owners.js';
import type { UboRecord } from '../../domain/accounts/ubo.js';
import { saveAccount } from '../../engine/save-account.js';
import { requireUbo } from '../../engine/owners.js';
import { discardPlan } from '../../engine/plans.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Ends the review of a beneficial owner. A rejection also rejects the account.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE
 */
export function reviewUbo(
  uow: UnitOfWork,
  { uboId, to, reason }: { uboId: string; to: 'APPROVED' | 'REJECTED'; reason: Reason | null },
): UboRecord {
  const { account } = requireUbo(uow, uboId);
  const kept = saveAccount(uow, decide(uow, account, uboId, to, reason));
  discardPlan(uow, uboId);
  return uboOf(kept, uboId);
}
