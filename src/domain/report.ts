import type { AssetCode } from '../contract/common.js';
import type { Report } from '../contract/reports.js';
import { current } from './machine.js';
import { amountOfMinor, minorUnits } from './money.js';
import { movementsOf, type Movement } from './movement.js';
import type { OperationRecord } from './operation.js';
import { parseFilter, type FilterFields } from './filter.js';

/** The fields of a movement that a report can be narrowed by. */
const reportFilters: FilterFields = {
  'account.id': 'TEXT',
  asset: 'TEXT',
  'tags.key': 'TEXT',
  'tags.value': 'TEXT',
  'intent.type': 'TEXT',
};

interface Sum {
  minor: bigint;
  count: number;
}

/**
 * Adds up what settled operations brought to accounts and took from them, by asset. Each movement counts at the instant
 * of its settlement and passes the filter by itself.
 * @param period timestamps; the end is not part of it
 * @throws DomainError INVALID_FILTER_FORMAT
 */
export function reportOn(operations: Iterable<OperationRecord>, period: Report['period'], filters: string | undefined): Report {
  const passes = filters ? parseFilter(filters, reportFilters) : () => true;
  const sums = new Map<AssetCode, Partial<Record<Movement['direction'], Sum>>>();
  for (const operation of operations) {
    const { status, createdAt: settledAt } = current(operation.states);
    if (status !== 'COMPLETED' || settledAt < period.start || settledAt >= period.end) continue;
    for (const { accountId, direction, amount } of movementsOf(operation)) {
      const { asset, value } = amount;
      if (!passes({ account: { id: accountId }, asset, tags: operation.tags, intent: operation.intent })) continue;
      const byDirection = sums.get(asset) ?? {};
      const { minor, count } = byDirection[direction] ?? { minor: 0n, count: 0 };
      sums.set(asset, { ...byDirection, [direction]: { minor: minor + minorUnits(value), count: count + 1 } });
    }
  }
  const flow = (asset: AssetCode, sum: Sum) => ({ sum: amountOfMinor(sum.minor, asset), count: sum.count });
  const totals = [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([asset, { INFLOW, OUTFLOW }]) => ({
      asset,
      ...(INFLOW ? { inflows: flow(asset, INFLOW) } : {}),
      ...(OUTFLOW ? { outflows: flow(asset, OUTFLOW) } : {}),
    }));
  return { period, totals };
}
