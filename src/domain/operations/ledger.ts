import type { AssetCode } from '../../contract/shared/common.js';
import type { Payer } from '../../contract/public/transactions.js';
import { amountOfMinor, minorUnits } from '../money.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { decimal, text, timestamp, type FilterFields } from '../lists/fields.js';

/**
 * One side of an entry: a positive amount credits the ledger account, a negative amount debits it. The amount is a decimal string with all
 * decimal places of the asset.
 */
export interface Posting {
  readonly account: string;
  readonly asset: AssetCode;
  readonly amount: string;
}

/** Balanced postings that belong together. */
export interface LedgerEntry {
  readonly id: string;
  readonly seq: number;
  readonly at: string;
  readonly operationId: string | null;
  readonly causeId: string;
  /** The payer of a settled deposit, if its payment names one. */
  readonly payer?: Payer;
  readonly postings: readonly Posting[];
}

/** The balance of one ledger account and asset. Balances are stored, so that a read takes the same time for any number of entries. */
export interface BalanceRecord {
  readonly id: string;
  readonly account: string;
  readonly asset: AssetCode;
  readonly value: string;
}

const customerPrefix = 'customer:';
/** Returns the ledger account of a customer's account. */
export const customerLedger = (accountId: string) => `${customerPrefix}${accountId}`;
/** Returns the id of the customer's account; null for other ledger accounts. */
export const accountOfLedger = (ledger: string) => (ledger.startsWith(customerPrefix) ? ledger.slice(customerPrefix.length) : null);
/** Returns the ledger account of all payers and payees outside the service, for one rail. */
export const railLedger = (rail: string) => `rail:${rail}`;
/** The counterparty of all conversions. */
export const fxLedger = 'fx';
export const feeLedger = (source: string) => `fees:${source}`;
/** The source and destination of money from control requests and fixtures. */
export const controlLedger = 'control';

export const balanceId = (account: string, asset: AssetCode) => `${account}/${asset}`;

/** Creates a posting from minor units. */
export function posting(account: string, asset: AssetCode, minor: bigint): Posting {
  return { account, asset, amount: amountOfMinor(minor, asset).value };
}

/** @throws Error if the postings of an asset do not sum to zero, which is always a bug */
export function assertBalanced(postings: readonly Posting[]): void {
  const sums = new Map<AssetCode, bigint>();
  for (const each of postings) sums.set(each.asset, (sums.get(each.asset) ?? 0n) + minorUnits(each.amount));
  for (const [asset, sum] of sums) {
    if (sum !== 0n) throw new Error(`Postings in ${asset} are off balance by ${sum} minor units.`);
  }
}

export const ledgerFilters: FilterFields<LedgerEntry, FilterFieldOf<'ledgerEntries'>> = {
  id: text(({ id }) => id),
  at: timestamp(({ at }) => at),
  operationId: text(({ operationId }) => operationId),
  causeId: text(({ causeId }) => causeId),
  'postings.account': text(({ postings }) => postings.map(({ account }) => account)),
  'postings.asset': text(({ postings }) => postings.map(({ asset }) => asset)),
  'postings.amount': decimal(({ postings }) => postings.map(({ amount }) => amount)),
};

export function ledgerEntryView({ id, at, operationId, causeId, payer, postings }: LedgerEntry) {
  return { id, at, operationId, causeId, ...(payer ? { payer } : {}), postings };
}
