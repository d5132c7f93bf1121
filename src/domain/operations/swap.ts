import { checkActive, checkEnabled, type AccountRecord } from '../accounts/account.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import { requestOperation, type RequestedOperation } from './request.js';
import { checkQuoteUsable, type QuoteRecord } from './quote.js';

/**
 * Creates a conversion in one account and consumes its quote.
 * @throws DomainError for the quote, then SWAP_SAME_ASSET, ACCOUNT_NOT_ACTIVE, ASSET_NOT_ENABLED (source first)
 */
export function decideSwap(context: Context, account: AccountRecord, quote: QuoteRecord, seq: number): RequestedOperation {
  checkQuoteUsable(context, quote, account.id);
  const { sourceAmount, targetAmount } = quote;
  if (sourceAmount.asset === targetAmount.asset) {
    throw new DomainError('SWAP_SAME_ASSET', `A swap needs two assets; both sides of quote ${quote.id} are ${sourceAmount.asset}.`, {
      quoteId: quote.id,
      asset: sourceAmount.asset,
    });
  }
  checkActive(account);
  checkEnabled(account, sourceAmount.asset);
  checkEnabled(account, targetAmount.asset);
  return requestOperation(context, account, quote, { type: 'SWAP' }, seq);
}
