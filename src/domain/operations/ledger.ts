import type { AssetCode } from '../../contract/shared/common.js';
import { amountOfMinor, minorUnits } from '../money.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { decimal, text, timestamp, type FilterFields } from '../lists/fields.js';

/** One side of an entry: positive credits the ledger account, negative debits it. The amount is a decimal string in the asset's scale. */
export interface Posting {
  readonly account: string;
  readonly asset: AssetCode;
  readonly amount: string;
}

/** Balanced postings that happened together. */
export interface LedgerEntry {
  readonly id: string;
  readonly seq: number;
  readonly at: string;
  readonly operationId: string | null;
  readonly causeId: string;
  readonly postings: readonly Posting[];
}

/** The sum of one ledger account and asset, kept beside the entries so that reading it does not cost more as they grow. */
export interface BalanceRecord {
  readonly id: string;
  readonly account: string;
  readonly asset: AssetCode;
  readonly value: string;
}

const customerPrefix = 'customer:';
/** The ledger account of a customer's account. */
export const customerLedger = (accountId: string) => `${customerPrefix}${accountId}`;
/** The id of the customer's account that a ledger account belongs to; null for the others. */
export const accountOfLedger = (ledger: string) => (ledger.startsWith(customerPrefix) ? ledger.slice(customerPrefix.length) : null);
/** The world outside, as a rail reaches it. */
export const railLedger = (rail: string) => `rail:${rail}`;
/** What a deposit brought in beyond what was quoted, or less than it, until somebody sorts it out. */
export const suspenseLedger = 'suspense';
/** The desk that takes one asset and gives another. */
export const fxLedger = 'fx';
export const feeLedger = (source: string) => `fees:${source}`;
/** Where money of control calls and fixtures comes from and goes to. */
export const controlLedger = 'control';

export const balanceId = (account: string, asset: AssetCode) => `${account}/${asset}`;

/** A posting in minor units as its decimal text. */
export function posting(account: string, asset: AssetCode, minor: bigint): Posting {
  return { account, asset, amount: amountOfMinor(minor, asset).value };
}

/** Fails when the postings of any asset do not sum to zero: that is a fault of this program, never of a request. */
export function assertBalanced(postings: readonly Posting[]): void {
  const sums = new Map<AssetCode, bigint>();
  for (const each of postings) sums.set(each.asset, (sums.get(each.asset) ?? 0n) + minorUnits(each.amount));
  for (const [asset, sum] of sums) {
    if (sum !== 0n) throw new Error(`Postings in ${asset} are off balance by ${sum} minor units.`);
  }
}

/** The fields that ledger entries can be filtered by. */
export const ledgerFilters: FilterFields<LedgerEntry, FilterFieldOf<'ledgerEntries'>> = {
  id: text(({ id }) => id),
  at: timestamp(({ at }) => at),
  operationId: text(({ operationId }) => operationId),
  causeId: text(({ causeId }) => causeId),
  'postings.account': text(({ postings }) => postings.map(({ account }) => account)),
  'postings.asset': text(({ postings }) => postings.map(({ asset }) => asset)),
  'postings.amount': decimal(({ postings }) => postings.map(({ amount }) => amount)),
};

/** An entry as responses show it. */
export function ledgerEntryView({ id, at, operationId, causeId, postings }: LedgerEntry) {
  return { id, at, operationId, causeId, postings };
}
