import type { AssetCode, Reason } from '../../contract/shared/common.js';
import { hasEnabled, isActive, type AccountRecord } from '../accounts/account.js';
import { customerLedger, feeLedger, fxLedger, posting, railLedger, type Posting } from './ledger.js';
import { minorUnits } from '../money.js';
import { movementsOf } from './movement.js';
import type { OperationRecord } from './operation.js';
import { reason } from '../reasons.js';

/** The accounts at settlement time, with their balances in minor units. */
export interface Books {
  account(accountId: string): AccountRecord;
  balance(accountId: string, asset: AssetCode): bigint;
}

/** Returns the reason for which an operation cannot settle now; null if it can. */
export function settlementProblem(operation: OperationRecord, books: Books): Reason | null {
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

/** Returns the postings of a completed operation: outflow, conversion with fees, inflow. */
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

/** Returns the postings of conversion and fees; none for equal amounts without fees. */
function conversion({ sourceAmount, targetAmount, fees }: OperationRecord): Posting[] {
  const desk = new Map<AssetCode, bigint>();
  const add = (asset: AssetCode, minor: bigint) => desk.set(asset, (desk.get(asset) ?? 0n) + minor);
  const charged = fees.map((fee) => posting(feeLedger(fee.source), fee.amount.asset, minorUnits(fee.amount.value)));
  add(sourceAmount.asset, minorUnits(sourceAmount.value));
  for (const { amount } of fees) add(amount.asset, -minorUnits(amount.value));
  add(targetAmount.asset, -minorUnits(targetAmount.value));
  // The smallest amount of one asset can be worth nothing in the other: a conversion still has both of its sides.
  const isConverted = sourceAmount.asset !== targetAmount.asset;
  const sides = [...desk].filter(([, minor]) => isConverted || minor !== 0n);
  return [...charged, ...sides.map(([asset, minor]) => posting(fxLedger, asset, minor))];
}

/** Returns the posting of a deposit's payment. A settled deposit has the amounts of its payment. */
function fromOutside({ intent, sourceAmount }: OperationRecord): Posting[] {
  if (intent.type !== 'DEPOSIT') return [];
  return [posting(railLedger(intent.fundingInstruction.rail), sourceAmount.asset, -minorUnits(sourceAmount.value))];
}

/** Returns the posting of money that a withdrawal sends out. */
function toOutside({ intent, targetAmount }: OperationRecord): Posting[] {
  if (intent.type !== 'WITHDRAWAL') return [];
  return [posting(railLedger(intent.beneficiary.paymentInstruction.rail), targetAmount.asset, minorUnits(targetAmount.value))];
}
