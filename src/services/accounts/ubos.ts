import type { UboRequest, UboPatch } from '../../contract/public/ubos.js';
import type { Reason } from '../../contract/shared/common.js';
import { addUbo, uboOf, decideUboUpdate, decideUboReview } from '../../domain/accounts/owners.js';
import type { UboRecord } from '../../domain/accounts/ubo.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import { saveAccount } from '../../engine/save-account.js';
import { requireUbo } from '../../engine/owners.js';
import { discardPlan } from '../../engine/plans.js';

/** Adds a beneficial owner to a company account. @throws DomainError RESOURCE_NOT_FOUND (account), then the errors of {@link addUbo} */
export function createUbo(uow: UnitOfWork, { accountId, ubo: request }: { accountId: string; ubo: UboRequest }): UboRecord {
  const { account, ubo } = addUbo(uow, uow.require('accounts', accountId, 'account'), request);
  uow.put('ubos', { id: ubo.id, accountId });
  saveAccount(uow, account);
  return ubo;
}

/** Changes a beneficial owner. @throws DomainError RESOURCE_NOT_FOUND (account, ubo), then errors of the rules for owners */
export function updateUbo(uow: UnitOfWork, { accountId, uboId, patch }: { accountId: string; uboId: string; patch: UboPatch }): UboRecord {
  const { account } = requireUbo(uow, uboId, accountId);
  return uboOf(saveAccount(uow, decideUboUpdate(uow, account, uboId, patch)), uboId);
}

/**
 * Ends the review of a beneficial owner. A rejection also rejects the account.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE
 */
export function reviewUbo(
  uow: UnitOfWork,
  { uboId, to, reason }: { uboId: string; to: 'APPROVED' | 'REJECTED'; reason: Reason | null },
): UboRecord {
  const { account } = requireUbo(uow, uboId);
  const kept = saveAccount(uow, decideUboReview(uow, account, uboId, to, reason));
  discardPlan(uow, uboId);
  return uboOf(kept, uboId);
}
