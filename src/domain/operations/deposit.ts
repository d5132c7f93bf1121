import { amountProblems, type Amount, type Reason } from '../../contract/shared/common.js';
import type { DepositRequest } from '../../contract/public/deposits.js';
import type { Payer } from '../../contract/public/transactions.js';
import { checkActive, checkEnabled, type AccountRecord } from '../accounts/account.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import { depositInstruction } from '../payees/funding-instruction.js';
import { amountOf } from '../money.js';
import { reason } from '../reasons.js';
import type { OperationRecord } from './operation.js';
import { priceAgain } from './pricing.js';
import { operationIdOf, requestOperation, type RequestedOperation } from './request.js';
import { checkQuoteUsable, type QuoteRecord } from './quote.js';

/**
 * Creates a deposit and consumes its quote. The deposit then waits for its payment until `expiresAt`; without limit if that is null.
 * @throws DomainError for the quote, the account, the target asset or the rail, in this order
 */
export function decideDeposit(
  context: Context,
  {
    account,
    quote,
    funding,
    isBusinessDay,
  }: {
    account: AccountRecord;
    quote: QuoteRecord;
    funding: DepositRequest['fundingInstruction'];
    isBusinessDay: (day: string) => boolean;
  },
  seq: number,
): RequestedOperation & { readonly expiresAt: string | null } {
  checkQuoteUsable(context, quote, account.id);
  checkActive(account);
  checkEnabled(account, quote.targetAmount.asset);
  const { sourceAmount } = quote;
  const charge = { operationId: operationIdOf(context, seq), amount: sourceAmount, isBusinessDay };
  const { instruction, expiresAt } = depositInstruction(context, account, { ...funding, asset: sourceAmount.asset }, charge);
  return { ...requestOperation(context, account, quote, { type: 'DEPOSIT', fundingInstruction: instruction }, seq), expiresAt };
}

/** Whether an operation still waits for an incoming payment. */
export function awaitsPayment({ intent, transactions }: OperationRecord): boolean {
  return intent.type === 'DEPOSIT' && transactions.length === 0;
}

/** Returns the amounts and fees with which a deposit settles, according to the received payment. */
export function amountsPaid(operation: OperationRecord): Pick<OperationRecord, 'sourceAmount' | 'targetAmount' | 'fees'> {
  const { intent, transactions, sourceAmount, targetAmount, fees, quote, terms } = operation;
  const paid = intent.type === 'DEPOSIT' ? transactions[0]?.amount : undefined;
  if (paid === undefined || paid.value === sourceAmount.value) return { sourceAmount, targetAmount, fees };
  const { effectiveRate } = quote;
  const priced = priceAgain({ sourceAmount, targetAmount, fees, effectiveRate, ...(terms ? { terms } : {}) }, paid);
  return { ...priced, fees: [...priced.fees] };
}

/** Returns the failure reason of a deposit that was not paid until `dueAt`. */
export function overdueReason(dueAt: string): Reason {
  return reason('operationFailed', 'PAYMENT_NOT_RECEIVED', { dueAt });
}

/** An incoming payment of a deposit. */
export interface Payment {
  readonly amount: Amount;
  /** Absent if the payment does not name its payer. */
  readonly payer?: Payer;
}

/** Returns a payment with the decimal places of the deposit's asset. Default `amount`: the quoted amount. */
export function paymentOf({ sourceAmount }: OperationRecord, amount: string | undefined, payer: Payer | undefined): Payment {
  return { amount: amount === undefined ? sourceAmount : amountOf(amount, sourceAmount.asset), ...(payer ? { payer } : {}) };
}

/** @throws DomainError INVALID_AMOUNT_PRECISION if the amount has more decimal places than the asset of the deposit */
export function checkPayment({ sourceAmount }: OperationRecord, amount: string | undefined): void {
  const [problem] = amountProblems(amount, sourceAmount.asset);
  if (!problem) return;
  throw new DomainError('INVALID_AMOUNT_PRECISION', `amount: ${problem.message}; got "${amount}".`, {
    field: 'body:amount',
    ...problem.params,
  });
}
