import type { TransferRequest } from '../../contract/public/transfers.js';
import { accountRef, checkActive, checkEnabled, type AccountRecord } from '../accounts/account.js';
import type { Context } from '../context.js';
import { requestOperation, type RequestedOperation } from './request.js';
import type { Pricing } from './pricing.js';
import { decideQuote } from './quote.js';

/**
 * Creates a transfer between two accounts of the customer. It creates and consumes its own 1:1 quote, without fees.
 * @throws DomainError ACCOUNT_NOT_ACTIVE, then ASSET_NOT_ENABLED; each for the paying account first
 */
export function decideTransfer(
  context: Context,
  { source, target, amount }: { source: AccountRecord; target: AccountRecord; amount: TransferRequest['amount'] },
  pricing: Pricing,
  seq: { operation: number; quote: number },
): RequestedOperation {
  checkActive(source);
  checkActive(target);
  checkEnabled(source, amount.asset);
  checkEnabled(target, amount.asset);
  const request = { accountId: source.id, sourceAsset: amount.asset, targetAsset: amount.asset, sourceAmount: amount.value };
  const quote = decideQuote(context, source, request, { ...pricing, fees: [] }, seq.quote);
  return requestOperation(context, source, quote, { type: 'TRANSFER', targetAccount: accountRef(target) }, seq.operation);
}
