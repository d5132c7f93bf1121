import type { AccountRecord } from '../domain/accounts/account.js';
import { uboOf } from '../domain/accounts/owners.js';
import { notFound } from '../domain/errors.js';
import type { UboRecord } from '../domain/accounts/ubo.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

/**
 * A beneficial owner with its account.
 * @param accountId the account that it has to be of, when that is known
 * @throws DomainError RESOURCE_NOT_FOUND (account, ubo)
 */
export function requireUbo(uow: UnitOfWork, uboId: string, accountId?: string): { account: AccountRecord; ubo: UboRecord } {
  if (accountId !== undefined) uow.require('accounts', accountId, 'account');
  const owner = uow.require('ubos', uboId, 'ubo');
  if (accountId !== undefined && owner.accountId !== accountId) throw notFound('ubo', { id: uboId });
  const account = uow.require('accounts', owner.accountId, 'account');
  return { account, ubo: uboOf(account, uboId) };
}
