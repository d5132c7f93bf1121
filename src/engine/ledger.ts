import type { Amount, AssetCode } from '../contract/shared/common.js';
import type { AccountRecord } from '../domain/accounts/account.js';
import { assertBalanced, balanceId, controlLedger, customerLedger, posting, type Posting } from '../domain/operations/ledger.js';
import { amountOfMinor, minorUnits } from '../domain/money.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { View } from '../world/view.js';

/** Books balanced postings as one entry and brings the balances along. */
export function post(uow: UnitOfWork, postings: readonly Posting[], operationId: string | null): void {
  assertBalanced(postings);
  const seq = uow.count('ledgerEntry');
  uow.put('ledgerEntries', {
    id: uow.deriveId('ledgerEntry', String(seq)),
    seq,
    at: uow.now,
    operationId,
    causeId: uow.causeId,
    postings,
  });
  for (const { account, asset, amount } of postings) {
    const sum = balanceOf(uow, account, asset) + minorUnits(amount);
    uow.put('balances', { id: balanceId(account, asset), account, asset, value: amountOfMinor(sum, asset).value });
  }
}

/** The balance of a ledger account in one asset, in minor units. */
export function balanceOf(view: View, account: string, asset: AssetCode): bigint {
  return minorUnits(view.get('balances', balanceId(account, asset))?.value ?? '0');
}

/** Gives a customer's account money from outside, or takes it when the amount is negative. */
export function credit(uow: UnitOfWork, accountId: string, asset: AssetCode, minor: bigint): void {
  post(uow, [posting(controlLedger, asset, -minor), posting(customerLedger(accountId), asset, minor)], null);
}

/** What a customer's account holds of each of its assets. */
export function balancesOf(view: View, account: AccountRecord): Amount[] {
  return account.assets.map(({ asset }) => amountOfMinor(balanceOf(view, customerLedger(account.id), asset), asset));
}
