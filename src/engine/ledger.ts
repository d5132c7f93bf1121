import type { Payer } from '../contract/public/transactions.js';
import type { Amount, AssetCode } from '../contract/shared/common.js';
import type { AccountRecord } from '../domain/accounts/account.js';
import { assertBalanced, balanceId, controlLedger, customerLedger, posting, type Posting } from '../domain/operations/ledger.js';
import { amountOfMinor, minorUnits } from '../domain/money.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { View } from '../world/view.js';

/** Stores balanced postings as one entry and updates the balances. */
export function post(uow: UnitOfWork, postings: readonly Posting[], operationId: string | null, payer?: Payer): void {
  assertBalanced(postings);
  const seq = uow.count('ledgerEntry');
  uow.put('ledgerEntries', {
    id: uow.deriveId('ledgerEntry', String(seq)),
    seq,
    at: uow.now,
    operationId,
    causeId: uow.causeId,
    ...(payer ? { payer } : {}),
    postings,
  });
  for (const { account, asset, amount } of postings) {
    const sum = balanceOf(uow, account, asset) + minorUnits(amount);
    uow.put('balances', { id: balanceId(account, asset), account, asset, value: amountOfMinor(sum, asset).value });
  }
}

/** Returns the balance of a ledger account in one asset, in minor units. */
export function balanceOf(view: View, account: string, asset: AssetCode): bigint {
  return minorUnits(view.get('balances', balanceId(account, asset))?.value ?? '0');
}

/** Adds money to a customer's account; a negative amount removes it. */
export function credit(uow: UnitOfWork, accountId: string, asset: AssetCode, minor: bigint): void {
  post(uow, [posting(controlLedger, asset, -minor), posting(customerLedger(accountId), asset, minor)], null);
}

/** Returns the balances of a customer's account in all its assets. */
export function balancesOf(view: View, account: AccountRecord): Amount[] {
  return account.assets.map(({ asset }) => amountOfMinor(balanceOf(view, customerLedger(account.id), asset), asset));
}
