import { amountFaults, type Amount } from '../../contract/shared/common.js';
import type { DepositRequest } from '../../contract/public/deposits.js';
import { checkActive, checkEnabled, type AccountRecord } from '../accounts/account.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import { fundingInstruction } from '../payees/funding-instruction.js';
import { amountOf } from '../money.js';
import type { OperationRecord } from './operation.js';
import { priceAgain } from './pricing.js';
import { requestOperation, type Requested } from './request.js';
import { checkQuoteUsable, type QuoteRecord } from './quote.js';

/**
 * Creates a deposit and consumes its quote. The deposit then waits for its payment.
 * @throws DomainError for the quote, the account, the target asset or the rail, in this order
 */
export function createDeposit(
  context: Context,
  { account, quote, funding }: { account: AccountRecord; quote: QuoteRecord; funding: DepositRequest['fundingInstruction'] },
  seq: number,
): Requested {
  checkQuoteUsable(context, quote, account.id);
  checkActive(account);
  checkEnabled(account, quote.targetAmount.asset);
  const instruction = fundingInstruction(context, account, { ...funding, asset: quote.sourceAmount.asset });
  return requestOperation(context, account, quote, { type: 'DEPOSIT', fundingInstruction: instruction }, seq);
}

/** Whether an operation still waits for an incoming payment. */
export function awaitsPayment({ intent, transactions }: OperationRecord): boolean {
  return intent.type === 'DEPOSIT' && transactions.length === 0;
}

/** Returns the amounts and fees that a deposit settles with: those of the payment that arrived. */
export function amountsPaid(operation: OperationRecord): Pick<OperationRecord, 'sourceAmount' | 'targetAmount' | 'fees'> {
  const { intent, transactions, sourceAmount, targetAmount, fees, quote, terms } = operation;
  const paid = intent.type === 'DEPOSIT' ? transactions[0]?.amount : undefined;
  if (paid === undefined || paid.value === sourceAmount.value) return { sourceAmount, targetAmount, fees };
  const { effectiveRate } = quote;
  const priced = priceAgain({ sourceAmount, targetAmount, fees, effectiveRate, ...(terms ? { terms } : {}) }, paid);
  return { ...priced, fees: [...priced.fees] };
}

/** Returns the payment in the scale of the asset. Default: the quoted amount. */
export function paymentOf({ sourceAmount }: OperationRecord, amount: string | undefined): Amount {
  return amount === undefined ? sourceAmount : amountOf(amount, sourceAmount.asset);
}

/** @throws DomainError INVALID_AMOUNT_PRECISION if the amount has more decimal places than the asset of the deposit */
export function checkPayment({ sourceAmount }: OperationRecord, amount: string | undefined): void {
  const [fault] = amountFaults(amount, sourceAmount.asset);
  if (!fault) return;
  throw new DomainError('INVALID_AMOUNT_PRECISION', `amount: ${fault.message}; got "${amount}".`, {
    field: 'body:amount',
    ...fault.params,
  });
}
