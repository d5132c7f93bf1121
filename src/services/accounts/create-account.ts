import type { AccountRequest } from '../../contract/public/accounts.js';
import { createAccount as decide, type AccountRecord } from '../../domain/accounts/account.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Creates an account, which first needs documents about its owner. */
export function createAccount(uow: UnitOfWork, request: AccountRequest): AccountRecord {
  const account = decide(uow, uow.identity.customerId, request, uow.documents, uow.count('account'));
  uow.put('accounts', account);
  return account;
}
