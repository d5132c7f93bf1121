import type { Amount, Reason } from '../contract/common.js';
import type { OperationEvent } from '../contract/events.js';
import type { Transaction, directions } from '../contract/operations.js';
import type { Context } from './context.js';

/** A transaction with what its webhook form needs besides. */
export type TransactionRecord = Transaction & { readonly statusAt: string; readonly failure: string | null };

/** The participant code of the sandbox in PIX end-to-end ids; the central bank assigns none that begins with 9. */
const ispb = '99990101';

/** A PIX payment that has just been sent. */
export function sentPix(context: Context, amount: Amount): TransactionRecord {
  const minute = context.now.replace(/[^0-9]/g, '').slice(0, 12);
  return {
    id: context.newId('transaction'),
    type: 'PIX',
    direction: 'DEBIT',
    amount,
    status: 'PROCESSING',
    createdAt: context.now,
    endToEnd: `E${ispb}${minute}${context.newCode('endToEnd', 11)}`,
    statusAt: context.now,
    failure: null,
  };
}

/** Money that has just been booked from one place inside the service to another. */
export function booked(context: Context, direction: (typeof directions)[number], amount: Amount): TransactionRecord {
  return {
    id: context.newId('transaction'),
    type: 'BOOK',
    direction,
    amount,
    status: 'PROCESSING',
    createdAt: context.now,
    statusAt: context.now,
    failure: null,
  };
}

/** The transactions of an operation that has ended: confirmed, or failed for a reason. */
export function endTransactions(
  context: Context,
  transactions: readonly TransactionRecord[],
  to: 'COMPLETED' | 'FAILED',
  why: Reason | null,
): TransactionRecord[] {
  const status = to === 'COMPLETED' ? 'CONFIRMED' : 'FAILED';
  return transactions.map((each) => ({ ...each, status, statusAt: context.now, failure: to === 'FAILED' ? (why?.code ?? null) : null }));
}

/** A transaction as the operation resource shows it. */
export function transactionView({ statusAt: _statusAt, failure: _failure, ...transaction }: TransactionRecord): Transaction {
  return transaction;
}

/** A transaction as webhooks show it. */
export function transactionEventView(transaction: TransactionRecord): OperationEvent['transactions'][number] {
  const { type, direction, amount, status, statusAt, failure } = transaction;
  const currentState = { status, createdAt: statusAt, reason: failure };
  return { type, direction, amount, currentState, ...(transaction.type === 'PIX' ? { endToEnd: transaction.endToEnd } : {}) };
}
