import { hash } from 'node:crypto';
import { base58 } from '@scure/base';
import type { Amount, Reason } from '../../contract/shared/common.js';
import type { FundingRail, Network } from '../../contract/shared/rails.js';
import type { EventTransaction } from '../../contract/public/events.js';
import type { Direction, Transaction, TransactionType } from '../../contract/public/transactions.js';
import type { Context } from '../context.js';

/** A transaction with the fields that only webhooks show. */
export type TransactionRecord = Transaction & { readonly statusAt: string; readonly failure: string | null };

/** The sandbox's participant code in PIX end-to-end ids. The central bank assigns no code that begins with 9. */
const ispb = '99990101';

/** The rail of a payment, and the network if the rail has several. */
export interface PaymentRoute {
  readonly rail: FundingRail;
  readonly network?: Network;
}

/** Returns the fields that all new transactions have. */
function begun<T extends TransactionType>(context: Context, type: T, direction: Direction, amount: Amount) {
  return {
    id: context.newId('transaction'),
    type,
    direction,
    amount,
    status: 'PROCESSING' as const,
    createdAt: context.now,
    statusAt: context.now,
    failure: null,
  };
}

/** Creates a payment by rail, out of the account (DEBIT) or into it (CREDIT). */
export function paidByRail(context: Context, direction: Direction, amount: Amount, { rail, network }: PaymentRoute): TransactionRecord {
  switch (rail) {
    case 'PIX_KEY':
    case 'PIX_STATIC_QR_CODE':
      return { ...begun(context, 'PIX', direction, amount), endToEnd: endToEndId(context) };
    case 'CRYPTO': {
      if (network === undefined) throw new Error('A payment in a stablecoin has no network.');
      return {
        ...begun(context, rail, direction, amount),
        network,
        transactionHash: transactionHash(network, context.newId('transactionHash')),
      };
    }
    case 'SWIFT':
      return { ...begun(context, rail, direction, amount), uetr: context.newId('uetr') };
    default:
      return begun(context, rail, direction, amount);
  }
}

/** Creates a transaction that is booked inside the service. */
export function booked(context: Context, direction: Direction, amount: Amount): TransactionRecord {
  return begun(context, 'BOOK', direction, amount);
}

/** Returns an id in the central bank's format: E, participant code, minute in UTC, and 11 characters chosen by the participant. */
function endToEndId(context: Context): string {
  const minute = context.now.replace(/[^0-9]/g, '').slice(0, 12);
  return `E${ispb}${minute}${context.newCode('endToEnd', 11)}`;
}

/** Returns the id of a transaction on its network: a 32-byte hash in hex; on Solana a 64-byte signature. */
function transactionHash(network: Network, seed: string): string {
  const bytes = hash('sha512', seed, 'buffer');
  if (network === 'SOLANA') return base58.encode(bytes);
  return (network === 'TRON' ? '' : '0x') + bytes.subarray(0, 32).toString('hex');
}

/** Returns the transactions of an ended operation: confirmed, or failed with a reason. */
export function endTransactions(
  context: Context,
  transactions: readonly TransactionRecord[],
  to: 'COMPLETED' | 'FAILED',
  why: Reason | null,
): TransactionRecord[] {
  const status = to === 'COMPLETED' ? 'CONFIRMED' : 'FAILED';
  return transactions.map((each) => ({ ...each, status, statusAt: context.now, failure: to === 'FAILED' ? (why?.code ?? null) : null }));
}

export function transactionView({ statusAt: _statusAt, failure: _failure, ...transaction }: TransactionRecord): Transaction {
  return transaction;
}

/** Returns a transaction as webhooks show it, with its tracing fields last. */
export function transactionEventView(transaction: TransactionRecord): EventTransaction {
  const { id, type, direction, amount, status, createdAt: _createdAt, statusAt, failure, ...trace } = transaction;
  return { id, type, direction, amount, currentState: { status, createdAt: statusAt, reason: failure }, ...trace } as EventTransaction;
}
