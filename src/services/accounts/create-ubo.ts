import type { UboRequest } from '../../contract/public/ubos.js';
import { addUbo } from '../../domain/accounts/owners.js';
import type { UboRecord } from '../../domain/accounts/ubo.js';
import { saveAccount } from '../../engine/save-account.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Adds a beneficial owner to a company account. @throws DomainError RESOURCE_NOT_FOUND (account), then the errors of {@link addUbo} */
export function createUbo(uow: UnitOfWork, { accountId, ubo: request }: { accountId: string; ubo: UboRequest }): UboRecord {
  const { account, ubo } = addUbo(uow, uow.require('accounts', accountId, 'account'), request);
  uow.put('ubos', { id: ubo.id, accountId });
  saveAccount(uow, account);
  return ubo;
}
