import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Cell, CoverageView } from '../../contract/control/mirror/coverage.js';
import { CopyButton } from '../parts/button.js';
import { useLoaded } from '../parts/loaded.js';
import { Empty } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { go, place } from '../router.js';

/** How a cell is shown. */
const looks: Readonly<Record<string, readonly [tone: string, word: string]>> = {
  MET: ['SUCCESS', 'met'],
  SURVIVED: ['SUCCESS', 'survived'],
  FAILED: ['FAILED', 'failed'],
  OPEN: ['PROCESSING', 'open'],
  NOT_MET: ['', 'not met'],
};

/** What of the API the client of the world has met, and how to provoke what is left. */
export function Coverage(): JSX.Element {
  const tier = place.value.query['tier'] === 'all' ? 'all' : 'core';
  const [leftOnly, setLeftOnly] = useState(false);
  const { value, error } = useLoaded<CoverageView>(`/coverage?tier=${tier}`, ['REQUEST', 'ATTEMPT', 'STATE', 'WORLD']);
  if (value === null) return <p role="status">{error ?? 'Loading…'}</p>;
  const dimensions = Object.entries(value.dimensions);
  if (dimensions.length === 0) return <Empty title="Nothing to cover" />;
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Coverage">
        {(['core', 'all'] as const).map((each) => (
          <button key={each} type="button" class="pill" aria-pressed={tier === each} onClick={() => go({ query: { tier: each } })}>
            {each === 'core' ? 'Core' : 'Everything'}
          </button>
        ))}
        <button type="button" class="pill" aria-pressed={leftOnly} onClick={() => setLeftOnly(!leftOnly)}>
          What is left
        </button>
      </div>
      <div class="scroll sheet" tabIndex={0} role="region" aria-label="Coverage">
        {dimensions.map(([name, { met, total, percent, items }]) => (
          <section key={name}>
            <h2>
              {name}{' '}
              <span class="dim">
                {met} of {total}, {percent} %
              </span>
            </h2>
            <progress value={met} max={Math.max(1, total)} aria-label={`${name}: ${percent} %`} />
            <ul class="cells">
              {items
                .filter(({ state }) => !leftOnly || state === 'NOT_MET' || state === 'FAILED')
                .map((item) => (
                  <Item key={item.id} item={item} />
                ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

function Item({ item: { id, state, count, how, provoke } }: { readonly item: Cell }): JSX.Element {
  const [tone, word] = looks[state] ?? ['', state];
  return (
    <li>
      <Status of={tone} word={word} /> <code>{id}</code> {count > 0 && <span class="dim">× {count}</span>}
      {provoke !== undefined && provoke.length > 0 && (
        <details>
          <summary>{how ?? 'Provoke it'}</summary>
          <pre class="text" tabIndex={0} role="region" aria-label={`How to provoke ${id}`}>
            {JSON.stringify(provoke, null, 2)}
          </pre>
          <CopyButton text={() => JSON.stringify(provoke, null, 2)}>Copy</CopyButton>
        </details>
      )}
    </li>
  );
}
