import { hash } from 'node:crypto';
import { base58 } from '@scure/base';
import type { Amount, Reason } from '../../contract/shared/common.js';
import type { FundingRail, Network } from '../../contract/shared/rails.js';
import type { EventTransaction } from '../../contract/public/events.js';
import type { Direction, Transaction, TransactionType } from '../../contract/public/transactions.js';
import type { Context } from '../context.js';

/** A transaction with what its webhook form needs besides. */
export type TransactionRecord = Transaction & { readonly statusAt: string; readonly failure: string | null };

/** The participant code of the sandbox in PIX end-to-end ids; the central bank assigns none that begins with 9. */
const ispb = '99990101';

/** How a payment travels: by a rail, and there by a network where it has several. */
export interface PaymentRoute {
  readonly rail: FundingRail;
  readonly network?: Network;
}

/** What all transactions have at first: nothing is confirmed yet. */
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

/** A payment by a rail that has just begun, out of the account (DEBIT) or into it (CREDIT). */
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

/** Money that has just been booked from one place inside the service to another. */
export function booked(context: Context, direction: Direction, amount: Amount): TransactionRecord {
  return begun(context, 'BOOK', direction, amount);
}

/** The central bank's form: E, the participant, the minute in UTC, and 11 characters of the participant's own. */
function endToEndId(context: Context): string {
  const minute = context.now.replace(/[^0-9]/g, '').slice(0, 12);
  return `E${ispb}${minute}${context.newCode('endToEnd', 11)}`;
}

/** What identifies a transaction on its network: a hash of 32 bytes in hex, on Solana a signature of 64. */
function transactionHash(network: Network, seed: string): string {
  const bytes = hash('sha512', seed, 'buffer');
  if (network === 'SOLANA') return base58.encode(bytes);
  return (network === 'TRON' ? '' : '0x') + bytes.subarray(0, 32).toString('hex');
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

/** A transaction as webhooks show it; what it is traced by comes last. */
export function transactionEventView(transaction: TransactionRecord): EventTransaction {
  const { id, type, direction, amount, status, createdAt: _createdAt, statusAt, failure, ...trace } = transaction;
  return { id, type, direction, amount, currentState: { status, createdAt: statusAt, reason: failure }, ...trace } as EventTransaction;
}
