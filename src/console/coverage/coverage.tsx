import type { ComponentType, JSX } from 'preact';
import type { CoverageItem, CoverageView } from '../../contract/control/analysis/coverage.js';
import { useLoaded } from '../parts/loaded.js';
import { go, address } from '../router.js';
import { isUncovered } from './looks.js';
import { Chips, Matrix } from './matrix.js';
import { TransitionDiagrams } from './transition-diagrams.js';

type DimensionView = ComponentType<{ readonly dimension: string; readonly cells: readonly CoverageItem[] }>;

/** The view of each dimension. Default: chips. */
const views: Readonly<Record<string, DimensionView>> = { statuses: Matrix, resilience: Matrix, transitions: TransitionDiagrams };

/** Returns the covered share as text, without a percentage if there is nothing to cover. */
const shareText = ({ covered, total, percent }: Pick<CoverageView, 'covered' | 'total' | 'percent'>): string =>
  total === 0 ? 'nothing to cover' : `${covered} of ${total}, ${percent} %`;

/** The coverage of the API by the client of the world, and the missing items. */
export function Coverage(): JSX.Element {
  const { query } = address.value;
  const tier = query['tier'] === 'all' ? 'all' : 'core';
  const leftOnly = query['left'] === 'only';
  const { value, error } = useLoaded<CoverageView>(`/coverage?tier=${tier}`, ['REQUEST', 'ATTEMPT', 'STATE', 'WORLD']);
  if (value === null) return <p role="status">{error ?? 'Loading…'}</p>;
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Coverage">
        {(['core', 'all'] as const).map((each) => (
          <button key={each} type="button" class="pill" aria-pressed={tier === each} onClick={() => go({ query: { tier: each } })}>
            {each === 'core' ? 'Must have' : 'Whole API'}
          </button>
        ))}
        <label>
          <input type="checkbox" checked={leftOnly} onChange={() => go({ query: { left: leftOnly ? '' : 'only' } })} /> Only what is left
        </label>
        <span class="space" />
        <span class="dim">{shareText(value)}</span>
      </div>
      <div class="scroll sheet" tabIndex={0} role="region" aria-label="Coverage">
        {Object.entries(value.dimensions).map(([name, { covered, total, percent, items }]) => {
          const View = views[name] ?? Chips;
          const cells = items.filter((cell) => !leftOnly || isUncovered(cell));
          return (
            <section key={name} class="dimension">
              <h2>
                {name} <span class="dim">{shareText({ covered, total, percent })}</span>
              </h2>
              {total > 0 && <progress value={covered} max={total} aria-label={`${name}: ${percent} %`} />}
              {cells.length === 0 ? (
                <p class="dim">{total === 0 ? 'There is nothing to cover here.' : 'Nothing is left.'}</p>
              ) : (
                <View dimension={name} cells={cells} />
              )}
            </section>
          );
        })}
      </div>
    </>
  );
}
