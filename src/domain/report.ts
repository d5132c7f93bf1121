import type { AssetCode } from '../contract/common.js';
import type { Report } from '../contract/reports.js';
import type { FlowOf, Flows, FlowSum } from './flows.js';
import { amountOfMinor } from './money.js';
import { parseFilter, type FilterFields } from './filter.js';

/** The fields of a movement that a report can be narrowed by. */
const reportFilters: FilterFields = {
  'account.id': 'TEXT',
  asset: 'TEXT',
  'tags.key': 'TEXT',
  'tags.value': 'TEXT',
  'intent.type': 'TEXT',
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
  for (const { minor, count, direction, ...rest } of flows.between(Date.parse(period.start), Date.parse(period.end))) {
    if (count === 0 || !passes(rest)) continue;
    const byDirection = sums.get(rest.asset) ?? {};
    const before = byDirection[direction] ?? { minor: 0n, count: 0 };
    sums.set(rest.asset, { ...byDirection, [direction]: { minor: before.minor + minor, count: before.count + count } });
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
