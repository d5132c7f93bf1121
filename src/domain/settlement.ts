import type { Reason } from '../contract/common.js';
import { hasEnabled, isActive, type AccountRecord } from './account.js';
import { customerLedger, feeLedger, fxLedger, posting, railLedger, type Posting } from './ledger.js';
import { minorUnits } from './money.js';
import type { OperationRecord } from './operation.js';
import { reason } from './reasons.js';

/** Why an operation cannot settle by itself at this moment; null when it can. `balance` is the account's in the source asset, in minor units. */
export function settlementFault(operation: OperationRecord, account: AccountRecord, balance: bigint): Reason | null {
  if (!isActive(account)) return reason('operationFailed', 'ACCOUNT_NOT_ACTIVE', { accountId: account.id });
  const { asset, value } = operation.sourceAmount;
  if (!hasEnabled(account, asset)) return reason('operationFailed', 'ASSET_NOT_ENABLED', { accountId: account.id, asset });
  if (balance < minorUnits(value)) {
    return reason('operationFailed', 'INSUFFICIENT_BALANCE', { accountId: account.id, asset, required: value });
  }
  return null;
}

/** What a completed withdrawal does to the ledger: the account pays, the desk converts and keeps its fees, the rail pays out. */
export function settlementPostings(operation: OperationRecord): Posting[] {
  const { sourceAmount, targetAmount, fees } = operation;
  const from = customerLedger(operation.account.id);
  const out = railLedger(operation.intent.beneficiary.paymentInstruction.rail);
  const paid = minorUnits(sourceAmount.value);
  const delivered = minorUnits(targetAmount.value);
  if (sourceAmount.asset === targetAmount.asset)
    return [posting(from, sourceAmount.asset, -paid), posting(out, targetAmount.asset, delivered)];
  const charged = fees.map((fee) => posting(feeLedger(fee.source), fee.amount.asset, minorUnits(fee.amount.value)));
  const converted = paid - fees.reduce((sum, fee) => sum + minorUnits(fee.amount.value), 0n);
  return [
    posting(from, sourceAmount.asset, -paid),
    ...charged,
    posting(fxLedger, sourceAmount.asset, converted),
    posting(fxLedger, targetAmount.asset, -delivered),
    posting(out, targetAmount.asset, delivered),
  ];
}
