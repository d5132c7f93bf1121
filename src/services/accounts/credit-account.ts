import type { Amount } from '../../contract/shared/common.js';
import { checkHas, type AccountRecord } from '../../domain/accounts/account.js';
import { amountOf, minorUnits } from '../../domain/money.js';
import { credit } from '../../engine/ledger.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Adds money to an account, or removes money from the account. The balance may become negative.
 * @throws DomainError RESOURCE_NOT_FOUND, ASSET_NOT_ENABLED if the account does not have the asset
 */
export function creditAccount(
  uow: UnitOfWork,
  { accountId, amount, direction }: { accountId: string; amount: Pick<Amount, 'value' | 'asset'>; direction: 'CREDIT' | 'DEBIT' },
): AccountRecord {
  const { value, asset } = amount;
  const account = uow.require('accounts', accountId, 'account');
  checkHas(account, asset);
  const minor = minorUnits(amountOf(value, asset).value);
  credit(uow, account.id, asset, direction === 'CREDIT' ? minor : -minor);
  return account;
}
