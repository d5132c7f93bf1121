import type { FilterFieldOf } from '../../contract/shared/filters.js';
import type { AssetCode } from '../../contract/shared/common.js';
import type { Report } from '../../contract/public/reports.js';
import { parseFilter } from '../lists/filter.js';
import { tagFilters } from '../lists/common-fields.js';
import { text, type FilterFields } from '../lists/fields.js';
import { current } from '../machine.js';
import { amountOfMinor, minorUnits } from '../money.js';
import type { Interruptible } from '../interruptible.js';
import { movementsOf, type Movement } from './movement.js';
import type { OperationRecord } from './operation.js';

/** A movement with the filterable fields of its operation. */
type SettledMovement = Movement & Pick<OperationRecord, 'tags' | 'intent'>;

/** The fields by which a report can be filtered. */
export const reportFilters: FilterFields<SettledMovement, FilterFieldOf<'flows'>> = {
  'account.id': text(({ accountId }) => accountId),
  asset: text(({ amount }) => amount.asset),
  ...tagFilters,
  'intent.type': text(({ intent }) => intent.type),
};

/** A total in minor units and the number of movements in it. */
interface Sum {
  minor: bigint;
  count: number;
}

/**
 * Adds up the money that settled operations moved to and from accounts, by asset. Each movement counts at its settlement time, and
 * the filter applies to each movement.
 * @param period timestamps of the API, which sort as strings; the end is exclusive
 * @throws DomainError INVALID_FILTER_FORMAT
 */
export function* reportOn(
  operations: Iterable<OperationRecord>,
  period: Report['period'],
  filters: string | undefined,
): Interruptible<Report> {
  const passes = filters ? parseFilter(filters, reportFilters) : null;
  const sums = new Map<AssetCode, Partial<Record<Movement['direction'], Sum>>>();
  const all = [...operations]; // A copy, so that operations that settle during the pauses do not change the report.
  for (const operation of all) {
    yield;
    const { tags, intent, states } = operation;
    const { status, createdAt } = current(states);
    if (status !== 'COMPLETED' || createdAt < period.start || createdAt >= period.end) continue;
    for (const movement of movementsOf(operation)) {
      if (passes && !passes({ ...movement, tags, intent })) continue;
      const { direction, amount } = movement;
      const byDirection = sums.get(amount.asset) ?? {};
      sums.set(amount.asset, byDirection);
      const sum = (byDirection[direction] ??= { minor: 0n, count: 0 });
      sum.minor += minorUnits(amount.value);
      sum.count += 1;
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
