import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { LedgerEntrySchema } from '../../contract/control/books.js';
import { useLoaded } from '../parts/loaded.js';
import { shortTime } from '../parts/instant.js';
import { PaneLink } from '../parts/pane-link.js';
import { Empty } from '../parts/section.js';
import { sumOf } from './sum.js';

type LedgerEntry = z.infer<typeof LedgerEntrySchema>;

/** What was booked, both sides of it, newest first; what each entry must sum to is shown as what it sums to. */
export function Ledger(): JSX.Element {
  const [limit, setLimit] = useState(25);
  const { value, error } = useLoaded<{ data: LedgerEntry[]; meta: { total: number } }>(`/ledger?limit=${limit}`, ['LEDGER', 'WORLD']);
  if (value === null) return <p role="status">{error ?? 'Loading…'}</p>;
  const { data, meta } = value;
  if (data.length === 0) return <Empty title="Nothing was booked yet" />;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Ledger">
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col">at</th>
            <th scope="col">of</th>
            <th scope="col">account</th>
            <th scope="col" class="number">
              amount
            </th>
            <th scope="col">asset</th>
          </tr>
        </thead>
        {data.map(({ id, at, operationId, causeId, postings }) => (
          <tbody key={id}>
            {postings.map(({ account, asset, amount }, index) => (
              <tr key={index}>
                <td class="mono">{index === 0 ? shortTime(at) : ''}</td>
                <td>
                  {index > 0 ? (
                    ''
                  ) : operationId === null ? (
                    <span class="dim">{causeId}</span>
                  ) : (
                    <PaneLink to={`operations/${operationId}`}>{operationId.slice(0, 8)}</PaneLink>
                  )}
                </td>
                <td class="mono">{account}</td>
                <td class="number">{amount}</td>
                <td>{asset}</td>
              </tr>
            ))}
            {[...new Set(postings.map(({ asset }) => asset))].map((asset) => (
              <tr key={asset} class="sum">
                <td />
                <td />
                <td>sum</td>
                <td class="number">{sumOf(postings.filter((posting) => posting.asset === asset).map(({ amount }) => amount))}</td>
                <td>{asset}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {data.length < meta.total && limit < 100 && (
        <button type="button" class="button" onClick={() => setLimit(100)}>
          More
        </button>
      )}
    </div>
  );
}
