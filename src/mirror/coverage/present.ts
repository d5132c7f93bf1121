import { dimensions, type Cell, type CoverageView, type Dimension, type Tier } from '../../contract/control/mirror/coverage.js';
import { cells } from './cells.js';
import { wayOf, wayOfRule } from './provoke.js';
import type { Count, Tally } from './tally.js';
import { coreCells } from './tiers.js';

/** The part of the sandbox that coverage describes. */
export interface CoverageScope {
  readonly tally: Tally;
  /** Ids of the rules of the active scenarios. */
  readonly rules: readonly string[];
  /** True after the end, so that open fault tests count as failed. */
  readonly isFinal: boolean;
}

/** Returns the state of an item. */
export function stateOf(dimension: Dimension, count: Count | undefined, isFinal: boolean): Cell['state'] {
  if (!count || count.count === 0) return 'NOT_MET';
  if (dimension !== 'robustness') return 'MET';
  if (count.failed > 0) return 'FAILED';
  return count.survived > 0 ? 'SURVIVED' : isFinal ? 'FAILED' : 'OPEN';
}

/** True if an item in this state counts as covered. */
const isMet = (state: Cell['state']) => state === 'MET' || state === 'SURVIVED';

const share = (met: number, total: number) => ({ met, total, percent: total === 0 ? 100 : Math.floor((met * 1000) / total) / 10 });

const sum = (parts: readonly { met: number; total: number }[]) =>
  share(
    parts.reduce((total, { met }) => total + met, 0),
    parts.reduce((all, { total }) => all + total, 0),
  );

/** Returns an item as shown; a missing item includes steps that cover it. */
function cellOf(dimension: Dimension, id: string, { tally, isFinal }: CoverageScope): Cell {
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
  const { how, provoke } = dimension === 'rules' ? wayOfRule(id) : wayOf(dimension, id);
  return { ...shown, how, provoke: [...provoke] };
}

/**
 * Returns coverage as shown.
 * @param missing true to list only missing items
 */
export function coverageView(scope: CoverageScope, tier: Tier, missing: boolean): CoverageView {
  const parts = dimensions.map((dimension) => {
    const ids = dimension === 'rules' ? scope.rules : cells[dimension];
    const all = ids.map((id) => cellOf(dimension, id, scope));
    const own = tier === 'all' ? all : all.filter(({ id }) => coreCells[dimension].has(id));
    const figures = (items: readonly Cell[]) => share(items.filter(({ state }) => isMet(state)).length, items.length);
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
