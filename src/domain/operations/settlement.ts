import type { AssetCode, Reason } from '../../contract/shared/common.js';
import { hasEnabled, isActive, type AccountRecord } from '../accounts/account.js';
import { customerLedger, feeLedger, fxLedger, posting, railLedger, suspenseLedger, type Posting } from './ledger.js';
import { minorUnits } from '../money.js';
import { movementsOf } from './movement.js';
import type { OperationRecord } from './operation.js';
import { reason } from '../reasons.js';

/** What settlement looks at: the accounts as they are now, and their balances in minor units. */
export interface Books {
  account(accountId: string): AccountRecord;
  balance(accountId: string, asset: AssetCode): bigint;
}

/** Why an operation cannot settle by itself at this moment; null when it can. */
export function settlementFault(operation: OperationRecord, books: Books): Reason | null {
  const movements = movementsOf(operation);
  const inactive = movements.find(({ accountId }) => !isActive(books.account(accountId)));
  if (inactive) return reason('operationFailed', 'ACCOUNT_NOT_ACTIVE', { accountId: inactive.accountId });
  const closed = movements.find(({ accountId, amount }) => !hasEnabled(books.account(accountId), amount.asset));
  if (closed) return reason('operationFailed', 'ASSET_NOT_ENABLED', { accountId: closed.accountId, asset: closed.amount.asset });
  for (const { direction, accountId, amount } of movements) {
    if (direction === 'OUTFLOW' && books.balance(accountId, amount.asset) < minorUnits(amount.value))
      return reason('operationFailed', 'INSUFFICIENT_BALANCE', { accountId, asset: amount.asset, required: amount.value });
  }
  return null;
}

/** What a completed operation does to the ledger: somebody pays, the desk converts and keeps its fees, somebody receives. */
export function settlementPostings(operation: OperationRecord): Posting[] {
  const movements = movementsOf(operation);
  const own = (direction: 'INFLOW' | 'OUTFLOW') =>
    movements
      .filter((each) => each.direction === direction)
      .map(({ accountId, amount }) =>
        posting(customerLedger(accountId), amount.asset, direction === 'INFLOW' ? minorUnits(amount.value) : -minorUnits(amount.value)),
      );
  return [...own('OUTFLOW'), ...fromOutside(operation), ...conversion(operation), ...own('INFLOW'), ...toOutside(operation)];
}

/** What the desk takes, gives and passes on as fees: the pair by which one asset becomes another; nothing at par without fees. */
function conversion({ sourceAmount, targetAmount, fees }: OperationRecord): Posting[] {
  const desk = new Map<AssetCode, bigint>();
  const add = (asset: AssetCode, minor: bigint) => desk.set(asset, (desk.get(asset) ?? 0n) + minor);
  const charged = fees.map((fee) => posting(feeLedger(fee.source), fee.amount.asset, minorUnits(fee.amount.value)));
  add(sourceAmount.asset, minorUnits(sourceAmount.value));
  for (const { amount } of fees) add(amount.asset, -minorUnits(amount.value));
  add(targetAmount.asset, -minorUnits(targetAmount.value));
  return [...charged, ...[...desk].filter(([, minor]) => minor !== 0n).map(([asset, minor]) => posting(fxLedger, asset, minor))];
}

/** What a deposit brought in. The account gets what was quoted, whatever came. */
function fromOutside({ intent, sourceAmount, transactions }: OperationRecord): Posting[] {
  if (intent.type !== 'DEPOSIT') return [];
  const { asset, value } = sourceAmount;
  const paid = transactions.reduce((sum, { amount }) => sum + minorUnits(amount.value), 0n);
  const beyond = paid - minorUnits(value);
  const rail = posting(railLedger(intent.fundingInstruction.rail), asset, -paid);
  return beyond === 0n ? [rail] : [rail, posting(suspenseLedger, asset, beyond)];
}

/** What leaves for the outside world. */
function toOutside({ intent, targetAmount }: OperationRecord): Posting[] {
  if (intent.type !== 'WITHDRAWAL') return [];
  return [posting(railLedger(intent.beneficiary.paymentInstruction.rail), targetAmount.asset, minorUnits(targetAmount.value))];
}
