import type { FilterFieldOf } from '../../contract/shared/filters.js';
import type { AssetCode } from '../../contract/shared/common.js';
import type { Report } from '../../contract/public/reports.js';
import { parseFilter } from '../lists/filter.js';
import { tagFilters } from '../lists/common-fields.js';
import { text, type FilterFields } from '../lists/fields.js';
import type { FlowOf, Flows, FlowSum } from './flows.js';
import { amountOfMinor } from '../money.js';

/** The fields of a movement that a report can be narrowed by. */
export const reportFilters: FilterFields<FlowOf, FilterFieldOf<'flows'>> = {
  'account.id': text(({ account }) => account.id),
  asset: text(({ asset }) => asset),
  ...tagFilters,
  'intent.type': text(({ intent }) => intent.type),
};

/**
 * Adds up what settled operations brought to accounts and took from them, by asset. Each movement counts at the instant
 * of its settlement and passes the filter by itself.
 * @param period timestamps; the end is not part of it
 * @throws DomainError INVALID_FILTER_FORMAT
 */
export function reportOn(flows: Flows, period: Report['period'], filters: string | undefined): Report {
  const passes = filters ? parseFilter(filters, reportFilters) : () => true;
  const sums = new Map<AssetCode, Partial<Record<FlowOf['direction'], FlowSum>>>();
  for (const { of, minor, count } of flows.between(Date.parse(period.start), Date.parse(period.end), passes)) {
    if (count === 0) continue;
    const byDirection = sums.get(of.asset) ?? {};
    const before = byDirection[of.direction] ?? { minor: 0n, count: 0 };
    sums.set(of.asset, { ...byDirection, [of.direction]: { minor: before.minor + minor, count: before.count + count } });
  }
  const flow = (asset: AssetCode, sum: FlowSum) => ({ sum: amountOfMinor(sum.minor, asset), count: sum.count });
  const totals = [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([asset, { INFLOW, OUTFLOW }]) => ({
      asset,
      ...(INFLOW ? { inflows: flow(asset, INFLOW) } : {}),
      ...(OUTFLOW ? { outflows: flow(asset, OUTFLOW) } : {}),
    }));
  return { period, totals };
}
