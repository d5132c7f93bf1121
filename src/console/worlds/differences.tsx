import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RowDifference, StateDifferences } from '../../contract/control/state-differences.js';
import { get } from '../api.js';
import { countText } from '../notices.js';
import { Button } from '../parts/button.js';
import { world } from '../router.js';
import { worlds } from '../store.js';
import { grouped } from '../parts/words.js';

/** The names of the two compared states, as in the query of the server. */
interface Sides {
  readonly from: string;
  readonly to: string;
}

/** Compares two snapshots or worlds. */
export function Differences({ snapshots }: { readonly snapshots: readonly string[] }): JSX.Element {
  const now = `world:${world.value}`;
  const [chosen, setChosen] = useState<Partial<Sides>>({});
  const [found, setFound] = useState<(Sides & { readonly result: StateDifferences }) | null>(null);
  const all = [...snapshots.map((name) => `snapshot:${name}`), ...worlds.value.map(({ name }) => `world:${name}`)];
  const known = (side: string | undefined, usual: string) => (side !== undefined && all.includes(side) ? side : usual);
  const from = known(chosen.from, all.find((side) => side !== now) ?? now);
  const to = known(chosen.to, now);
  const compare = async () => {
    const query = new URLSearchParams({ from, to });
    setFound({ from, to, result: await get<StateDifferences>(`/state/differences?${query}`) });
  };
  return (
    <section>
      <h2>Differences</h2>
      <div class="moves" role="group" aria-label="Compare two states">
        <Side label="From" value={from} all={all} choose={(side) => setChosen({ ...chosen, from: side })} />
        <Side label="To" value={to} all={all} choose={(side) => setChosen({ ...chosen, to: side })} />
        <Button act={compare} done={null} impossible={from === to ? 'Choose two different states.' : undefined}>
          Compare
        </Button>
      </div>
      <div role="status">{found !== null && found.from === from && found.to === to && <Found of={found.result} />}</div>
    </section>
  );
}

interface SideProps {
  readonly label: string;
  readonly value: string;
  readonly all: readonly string[];
  readonly choose: (side: string) => void;
}

function Side({ label, value, all, choose }: SideProps): JSX.Element {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {all.map((side) => (
          <option key={side} value={side}>
            {side === `world:${world.value}` ? `${world.value}, as it is now` : side.replace(':', ' ')}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A row that differs; a changed row unfolds to its fields. */
function Row({ of: { table, id, change, fields } }: { readonly of: RowDifference }): JSX.Element {
  const name = (
    <>
      {change.toLowerCase()} <b>{table}</b> <code>{id}</code>
    </>
  );
  if (fields.length === 0) return name;
  return (
    <details>
      <summary>{name}</summary>
      {fields.map(({ path, from, to }) => (
        <p key={path} class="mono">
          {path}: {from ?? 'absent'} → {to ?? 'absent'}
        </p>
      ))}
    </details>
  );
}

/** Tables that only the sandbox itself needs. */
const internal: ReadonlySet<string> = new Set(['counters', 'jobs', 'plans', 'outbox', 'ruleCounts', 'idempotency', 'payloads', 'traces']);

function Found({ of: { tables: all, rows: allRows, omitted } }: { readonly of: StateDifferences }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  if (all.length === 0) return <p>The two states are equal.</p>;
  const isShown = ({ table }: { readonly table: string }) => isWhole || !internal.has(table);
  const [tables, rows] = [all.filter(isShown), allRows.filter(isShown)];
  return (
    <>
      {all.some(({ table }) => internal.has(table)) && (
        <label>
          <input type="checkbox" checked={isWhole} onChange={({ currentTarget }) => setWhole(currentTarget.checked)} /> Show internal tables
        </label>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">table</th>
            {['added', 'removed', 'changed'].map((each) => (
              <th key={each} scope="col" class="number">
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tables.map(({ table, added, removed, changed }) => (
            <tr key={table}>
              <td>{table}</td>
              <td class="number">{grouped(added)}</td>
              <td class="number">{grouped(removed)}</td>
              <td class="number">{grouped(changed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul class="plain">
        {rows.map((row) => (
          <li key={`${row.table}/${row.id}`}>
            <Row of={row} />
          </li>
        ))}
      </ul>
      {omitted > 0 && <p class="dim">and {countText(omitted, 'more row')}</p>}
    </>
  );
}
