import type { JSX } from 'preact';
import type { RecordEntry } from '../../contract/control/analysis/record.js';
import { parseJson } from '../parts/json.js';
import { differences, type Difference } from '../parts/marked.js';
import { Section } from '../parts/section.js';

/** Returns the compared fields of an entry. */
function partOf(entry: RecordEntry): unknown {
  if (entry.kind === 'MARK') return {};
  if (entry.kind === 'ATTEMPT') {
    return { url: entry.url, status: entry.httpStatus, headers: entry.headers, body: parseJson(entry.body.text) };
  }
  const { method, url, status, headers, body, response } = entry;
  return { method, url, status, headers, body: parseJson(body?.text), response: parseJson(response?.body?.text) };
}

/** A table of the fields in which two values differ. */
export function Differences({
  found,
  before,
  after,
}: {
  readonly found: readonly Difference[];
  readonly before: string;
  readonly after: string;
}): JSX.Element {
  if (found.length === 0) return <p>Nothing differs.</p>;
  return (
    <table class="differences">
      <thead>
        <tr>
          <th scope="col">field</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {found.map(({ path, left, right }) => (
          <tr key={path}>
            <th scope="row">{path}</th>
            <td>{left ?? '—'}</td>
            <td>{right ?? '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The differences between two recorded entries. */
export function Comparison({ left, right }: { readonly left: RecordEntry; readonly right: RecordEntry }): JSX.Element {
  return (
    <Section title={`Differences from ${left.id}`}>
      <Differences found={differences(partOf(left), partOf(right))} before="marked" after="this one" />
    </Section>
  );
}
