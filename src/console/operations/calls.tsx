import type { JSX } from 'preact';
import type { RecordEntry } from '../../contract/control/analysis/record.js';
import { entryTime } from '../parts/timestamp.js';
import { PaneLink } from '../parts/pane-link.js';
import { Section } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { withShortIds } from '../parts/uuids.js';

/** Folds consecutive reads of the same URL into the first of them, with their number. */
function folded(calls: readonly RecordEntry[]): { entry: Extract<RecordEntry, { kind: 'REQUEST' | 'CONTROL' }>; times: number }[] {
  const rows: ReturnType<typeof folded> = [];
  for (const entry of calls) {
    if (entry.kind !== 'REQUEST' && entry.kind !== 'CONTROL') continue;
    const last = rows.at(-1);
    if (last !== undefined && entry.method === 'GET' && last.entry.method === 'GET' && last.entry.url === entry.url) last.times += 1;
    else rows.push({ entry, times: 1 });
  }
  return rows;
}

/** The requests that created, changed or read a resource, newest first. */
export function Calls({ calls }: { readonly calls: readonly RecordEntry[] }): JSX.Element | null {
  if (calls.length === 0) return null;
  return (
    <Section title="Calls">
      <ol class="entries">
        {folded(calls).map(({ entry: { id, method, path, status, ...entry }, times }, index, rows) => (
          <li key={id}>
            <time class="mono">{entryTime(entry, rows[index - 1]?.entry.at ?? undefined)}</time>
            <div>
              <PaneLink to={`calls/${id}`}>
                {method} {withShortIds(path)}
              </PaneLink>{' '}
              {status !== null && <Status of={String(status)} />} {times > 1 && <span class="times">× {times}</span>}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
