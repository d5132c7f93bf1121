import type { JSX } from 'preact';
import type { RecordEntry } from '../../contract/control/mirror/record.js';
import { differences } from '../parts/marked.js';
import { Section } from '../parts/section.js';

function parsed(text: string | undefined): unknown {
  if (text === undefined) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** What of an entry is compared with others. */
function partOf(entry: RecordEntry): unknown {
  if (entry.kind === 'MARK') return {};
  if (entry.kind === 'ATTEMPT') {
    return { url: entry.url, status: entry.httpStatus, headers: entry.headers, body: parsed(entry.body.text) };
  }
  const { method, url, status, headers, body, answer } = entry;
  return { method, url, status, headers, body: parsed(body?.text), answer: parsed(answer?.body?.text) };
}

/** Where two entries differ. */
export function Comparison({ left, right }: { readonly left: RecordEntry; readonly right: RecordEntry }): JSX.Element {
  const found = differences(partOf(left), partOf(right));
  return (
    <Section title={`Differences from ${left.id}`}>
      {found.length === 0 ? (
        <p>None.</p>
      ) : (
        <table class="differences">
          <thead>
            <tr>
              <th scope="col">field</th>
              <th scope="col">marked</th>
              <th scope="col">this one</th>
            </tr>
          </thead>
          <tbody>
            {found.map(({ path, left: before, right: after }) => (
              <tr key={path}>
                <th scope="row">{path}</th>
                <td>{before ?? '—'}</td>
                <td>{after ?? '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
