import {
  dimensions,
  type CoverageItem,
  type CoverageView,
  type Dimension,
  type Tier,
} from '../../../contract/control/analysis/coverage.js';
import type { Proof } from '../../../contract/control/analysis/profile.js';
import { coverageItems } from './items.js';
import { reproductionOf, reproductionOfRule } from './reproductions.js';
import type { Count, Tally } from './tally.js';
import { coreItems } from './tiers.js';

/** The counts and rules from which coverage is computed. */
export interface CoverageScope {
  readonly tally: Tally;
  /** Number of proofs of each fact about the client. Absent: no fact is proved. */
  readonly proven?: Readonly<Record<Proof, number>>;
  /** Ids of the rules of the active scenarios. */
  readonly rules: readonly string[];
  /** True if no more requests follow: undecided fault tests then count as not covered. */
  readonly isFinal: boolean;
}

/** Returns the state of an item. */
export function stateOf(dimension: Dimension, count: Count | undefined, isFinal: boolean): CoverageItem['state'] {
  if (!count || count.count === 0) return 'NOT_COVERED';
  if (dimension !== 'resilience') return 'COVERED';
  if (count.failed > 0) return 'FAILED';
  return count.passed > 0 ? 'PASSED' : isFinal ? 'NOT_COVERED' : 'PENDING';
}

/** True if an item in this state counts as covered. */
const isMet = (state: CoverageItem['state']) => state === 'COVERED' || state === 'PASSED';

const share = (covered: number, total: number) => ({
  covered,
  total,
  percent: total === 0 ? 100 : Math.floor((covered * 1000) / total) / 10,
});

const sum = (parts: readonly { covered: number; total: number }[]) =>
  share(
    parts.reduce((total, { covered }) => total + covered, 0),
    parts.reduce((all, { total }) => all + total, 0),
  );

/** Returns an item as the API shows it. A missing item includes steps that cover it. */
function itemOf(dimension: Dimension, id: string, { tally, isFinal }: CoverageScope): CoverageItem {
  const count = tally.get(dimension, id);
  const state = stateOf(dimension, count, isFinal);
  const shown = {
    id,
    state,
    count: count?.count ?? 0,
    firstAt: count ? new Date(count.firstMs).toISOString() : null,
    test: count?.test ?? null,
  };
  if (isMet(state)) return shown;
  const { how, steps } = dimension === 'rules' ? reproductionOfRule(id) : reproductionOf(dimension, id);
  return { ...shown, how, steps: [...steps] };
}

/**
 * Returns coverage as the control API shows it.
 * @param missing true to list only missing items
 */
export function coverageView(scope: CoverageScope, tier: Tier, missing: boolean): CoverageView {
  const parts = dimensions.map((dimension) => {
    const ids = dimension === 'rules' ? scope.rules : coverageItems[dimension];
    const all = ids.map((id) => itemOf(dimension, id, scope));
    const own = tier === 'all' ? all : all.filter(({ id }) => coreItems[dimension].has(id));
    const figures = (items: readonly CoverageItem[]) => share(items.filter(({ state }) => isMet(state)).length, items.length);
    const items = missing ? own.filter(({ state }) => !isMet(state)) : own;
    return { dimension, all: figures(all), own: figures(own), items };
  });
  return {
    tier,
    ...sum(parts.map(({ own }) => own)),
    all: sum(parts.map(({ all }) => all)),
    dimensions: Object.fromEntries(parts.map(({ dimension, own, items }) => [dimension, { ...own, items }])) as CoverageView['dimensions'],
  };
}
