import type { UboPatch } from '../../contract/public/ubos.js';
import { uboOf, updateUbo as decide } from '../../domain/accounts/owners.js';
import type { UboRecord } from '../../domain/accounts/ubo.js';
import { saveAccount } from '../../engine/save-account.js';
import { requireUbo } from '../../engine/owners.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Changes a beneficial owner. @throws DomainError RESOURCE_NOT_FOUND (account, ubo), then errors of the rules for owners */
export function updateUbo(uow: UnitOfWork, { accountId, uboId, patch }: { accountId: string; uboId: string; patch: UboPatch }): UboRecord {
  const { account } = requireUbo(uow, uboId, accountId);
  return uboOf(saveAccount(uow, decide(uow, account, uboId, patch)), uboId);
}
