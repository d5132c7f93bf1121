import type { z } from 'zod';
import type { LedgerEntrySchema } from '../../contract/control/books.js';
import type { PageMeta } from '../../contract/shared/paging.js';
import { sumOf } from './sum.js';

export type LedgerEntry = z.infer<typeof LedgerEntrySchema>;

/** Number of entries after which one read stops. */
const readAtOnce = 5000;

/** The booked entries, newest first. */
export interface LedgerEntries {
  readonly entries: readonly LedgerEntry[];
  /** Cursor of older entries; null if all older entries are loaded, so that balances are known. */
  readonly older: string | null;
}

interface Page {
  readonly data: readonly LedgerEntry[];
  readonly meta: PageMeta;
}

/** Reads the page at a cursor; an empty cursor means the first page. */
type PageAt = (cursor: string) => Promise<Page>;

/** Reads the newest entries, back to the newest known entry. Drops the known entries if the read stops before them. */
export async function readLedger(pageAt: PageAt, known: LedgerEntries): Promise<LedgerEntries> {
  const [newest] = known.entries;
  const entries: LedgerEntry[] = [];
  let older: string | null = '';
  while (older !== null && entries.length < readAtOnce) {
    const page: Page = await pageAt(older);
    const end = page.data.findIndex(({ id }) => id === newest?.id);
    if (end !== -1) return { ...known, entries: [...entries, ...page.data.slice(0, end), ...known.entries] };
    entries.push(...page.data);
    older = page.meta.nextCursor;
  }
  return { entries, older };
}

/** Adds older entries to the known ones. */
export async function readOlder(pageAt: PageAt, known: LedgerEntries): Promise<LedgerEntries> {
  const entries = [...known.entries];
  let { older } = known;
  while (older !== null && entries.length < known.entries.length + readAtOnce) {
    const page: Page = await pageAt(older);
    entries.push(...page.data);
    older = page.meta.nextCursor;
  }
  return { entries, older };
}

/** A line of the ledger: a posting, or the sum of the postings of an entry in one asset, which must be zero. */
export interface Line {
  readonly key: string;
  readonly entry: LedgerEntry;
  readonly isFirst: boolean;
  /** Null for a sum. */
  readonly account: string | null;
  readonly asset: string;
  readonly amount: string;
  /** The balance of the account in this asset afterwards; null if unknown. */
  readonly balance: string | null;
}

/**
 * Returns the lines of a ledger, newest entry first, with the balance of the account after each posting.
 * @param isComplete whether all postings of an account match the filter of the ledger
 */
export function linesOf({ entries, older }: LedgerEntries, isComplete: (account: string) => boolean): Line[] {
  const balances = new Map<string, string>();
  const groups = entries.toReversed().map((entry) => {
    const assets = new Set(entry.postings.map(({ asset }) => asset));
    const postings = entry.postings.map(({ account, asset, amount }, index): Line => {
      const of = `${account} ${asset}`;
      const balance = sumOf([balances.get(of) ?? '0', amount]);
      balances.set(of, balance);
      return {
        key: `${entry.id} ${index}`,
        entry,
        isFirst: index === 0,
        account,
        asset,
        amount,
        balance: older === null && isComplete(account) ? balance : null,
      };
    });
    const sums = [...assets].map((asset): Line => {
      const amount = sumOf(entry.postings.filter((posting) => posting.asset === asset).map((posting) => posting.amount));
      return { key: `${entry.id} ${asset}`, entry, isFirst: false, account: null, asset, amount, balance: null };
    });
    return [...postings, ...sums];
  });
  return groups.toReversed().flat();
}

/** Returns a predicate for accounts whose postings all match a filter: every account without a filter, else only the named one. */
export function completeUnder(filter: string): (account: string) => boolean {
  const [, only] = /^postings\.account\[eq\]=([^;]+)$/.exec(filter.trim()) ?? [];
  return (account) => filter.trim() === '' || account === only;
}

/** Returns the sum of all postings by asset. Each is zero, because entries balance. */
export function totalsOf({ entries }: LedgerEntries): (readonly [asset: string, sum: string])[] {
  const postings = entries.flatMap((entry) => entry.postings);
  const assets = [...new Set(postings.map(({ asset }) => asset))].toSorted();
  return assets.map((asset) => [asset, sumOf(postings.filter((posting) => posting.asset === asset).map(({ amount }) => amount))]);
}
