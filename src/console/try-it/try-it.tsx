import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { credentials } from '../api-calls.js';
import { loadQuietly } from '../notices.js';
import { PaneLink } from '../parts/pane-link.js';
import { go, address } from '../router.js';
import { CallForm } from './call-form.js';
import { operationsOf, type Operation } from './operations.js';

/** The id of the operation that was chosen last, for an address without one. */
let lastChosen: string | undefined;

/** The screen that sends requests to the public API as the client of the open world. */
export function TryIt(): JSX.Element {
  const [operations, setOperations] = useState<readonly Operation[]>([]);
  const chosen = operations.find(({ id }) => id === (address.value.query['operation'] ?? lastChosen)) ?? operations[0];
  lastChosen = chosen?.id ?? lastChosen;
  useEffect(() => void loadQuietly(async () => setOperations(await operationsOf())), []);
  if (chosen === undefined) return <p role="status">Loading…</p>;
  return (
    <div class="scroll sheet" tabIndex={0} role="region" aria-label="Try it">
      <div class="form">
        <label>
          Operation
          <select value={chosen.id} onChange={({ currentTarget }) => go({ query: { operation: currentTarget.value } })}>
            {operations.map(({ id, method: verb, path: each, summary }) => (
              <option key={id} value={id}>
                {verb} {each}: {summary}
              </option>
            ))}
          </select>
        </label>
      </div>
      <CallForm
        key={`${chosen.id} ${credentials()?.clientId}`}
        operation={{ ...chosen, plane: 'public' }}
        hasWorld
        about={(requestId) => <PaneLink to={`calls/${requestId}`}>{requestId}</PaneLink>}
      />
    </div>
  );
}
