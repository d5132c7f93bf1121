import type { JSX } from 'preact';
import type { RecordEntry } from '../../contract/control/analysis/record.js';
import { entryTime } from '../parts/timestamp.js';
import { parseJson } from '../parts/json.js';
import { leavesOf } from '../parts/marked.js';
import { PaneLink } from '../parts/pane-link.js';
import { Section } from '../parts/section.js';

/** Returns values as plain text. Values of a body are shown as JSON instead, where 12 and "12" differ. */
const plainly = (values: Record<string, string | number | null>): [string, string][] =>
  Object.entries(values).map(([name, value]) => [name, String(value ?? '—')]);

/** Returns the compared fields of an entry, by name. */
function factsOf(entry: RecordEntry): [string, string][] {
  if (entry.kind === 'MARK') return [['what', entry.what]];
  const at = ['at', entryTime(entry)] as [string, string];
  if (entry.kind === 'ATTEMPT') {
    const { eventType, url, messageId, attemptKind, httpStatus, error, body } = entry;
    const own = { eventType, to: url, messageId, attemptKind: attemptKind.toLowerCase(), answered: httpStatus, error };
    return [at, ...plainly(own), ...leavesOf(parseJson(body.text), 'body')];
  }
  const { method, url, idempotencyKey, token, status, code, response, body } = entry;
  const own = { method, path: url, key: idempotencyKey, token, answered: status, code, outcome: response?.outcome ?? null };
  return [at, ...plainly(own), ...leavesOf(parseJson(body?.text), 'body')];
}

/** Two recorded entries side by side, with a mark at each field that differs. */
export function SideBySide({ left, right }: { readonly left: RecordEntry; readonly right: RecordEntry }): JSX.Element {
  const [ours, theirs] = [new Map(factsOf(left)), new Map(factsOf(right))];
  return (
    <Section title="Side by side">
      <table class="differences">
        <thead>
          <tr>
            <td />
            <th scope="col">
              <PaneLink to={`calls/${left.id}`}>first</PaneLink>
            </th>
            <th scope="col">
              <PaneLink to={`calls/${right.id}`}>second</PaneLink>
            </th>
          </tr>
        </thead>
        <tbody>
          {[...new Set([...ours.keys(), ...theirs.keys()])].map((name) => {
            const [before, after] = [ours.get(name) ?? '—', theirs.get(name) ?? '—'];
            const differs = before !== after;
            return (
              <tr key={name} class={differs ? 'differs' : ''}>
                <th scope="row">
                  {differs && <span title="They differ.">≠ </span>}
                  {name}
                </th>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}
