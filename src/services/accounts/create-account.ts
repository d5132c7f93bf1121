import type { AccountRequest } from '../../contract/public/accounts.js';
import { createAccount as decide, type AccountRecord } from '../../domain/accounts/account.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Creates an account that waits for its owner's documents. */
export function createAccount(uow: UnitOfWork, request: AccountRequest): AccountRecord {
  const account = decide(uow, uow.identity.customerId, request, uow.documents, uow.count('account'));
  uow.put('accounts', account);
  return account;
}
