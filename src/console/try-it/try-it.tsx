import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CopyButton } from '../parts/button.js';
import { PaneLink } from '../parts/pane-link.js';
import { Section, Text } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { canSend, curlOf, send, type PublicAnswer, type PublicCall } from '../public-api.js';
import { go, place } from '../router.js';
import { attempt } from '../store.js';

/** An operation of the public API, as the build takes it from the contract. */
interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** A body that works as it stands, but for ids of other worlds; null for an operation without one. */
  readonly example: unknown;
  readonly isKeyed: boolean;
}

let operations: Promise<readonly Operation[]> | undefined;

const load = (): Promise<readonly Operation[]> =>
  (operations ??= fetch('/_sandbox/console/assets/console-operations.json').then((response) => response.json() as Promise<Operation[]>));

/** Calls of the API as the client of the world sends them. */
export function TryIt(): JSX.Element {
  const [known, setKnown] = useState<readonly Operation[]>([]);
  const [draft, setDraft] = useState<PublicCall | null>(null);
  const [answer, setAnswer] = useState<PublicAnswer | null>(null);
  const chosen = known.find(({ id }) => id === (place.value.query['operation'] ?? known[0]?.id));
  useEffect(() => void attempt(async () => setKnown(await load())), []);
  useEffect(() => {
    if (chosen === undefined) return;
    const { method, path, example, isKeyed } = chosen;
    setAnswer(null);
    setDraft({ method, path, body: example === null ? null : JSON.stringify(example, null, 2), key: isKeyed ? crypto.randomUUID() : null });
  }, [chosen?.id]);
  if (draft === null || chosen === undefined) return <p role="status">Loading…</p>;
  const run = () =>
    attempt(async () => {
      setAnswer(await send(draft));
      if (draft.key !== null) setDraft({ ...draft, key: crypto.randomUUID() });
    });
  return (
    <div class="scroll sheet" tabIndex={0} role="region" aria-label="Try it">
      <form class="form" onSubmit={(event) => (event.preventDefault(), void run())}>
        <label>
          Operation
          <select value={chosen.id} onChange={({ currentTarget }) => go({ query: { operation: currentTarget.value } })}>
            {known.map(({ id, method, path, summary }) => (
              <option key={id} value={id}>
                {method} {path}: {summary}
              </option>
            ))}
          </select>
        </label>
        <label>
          {draft.method}{' '}
          <input
            type="text"
            class="mono"
            value={draft.path}
            onInput={({ currentTarget }) => setDraft({ ...draft, path: currentTarget.value })}
          />
        </label>
        {draft.key !== null && (
          <label>
            X-Idempotency-Key{' '}
            <input
              type="text"
              class="mono"
              value={draft.key}
              onInput={({ currentTarget }) => setDraft({ ...draft, key: currentTarget.value })}
            />
          </label>
        )}
        {draft.body !== null && (
          <label>
            Body
            <textarea
              rows={Math.min(20, draft.body.split('\n').length + 1)}
              class="mono"
              value={draft.body}
              onInput={({ currentTarget }) => setDraft({ ...draft, body: currentTarget.value })}
            />
          </label>
        )}
        <div class="moves">
          <button type="submit" class="button primary" disabled={!canSend() || draft.path.includes('{')}>
            Send
          </button>
          <CopyButton text={() => curlOf(draft)}>Copy as curl</CopyButton>
          {!canSend() && <span class="dim">The API has another origin here: copy it as curl.</span>}
          {draft.path.includes('{') && <span class="dim">Put an id in the place of what stands in braces.</span>}
        </div>
      </form>
      {answer !== null && (
        <Section title="Answer">
          <p>
            <Status of={String(answer.status)} />{' '}
            {answer.requestId !== null && <PaneLink to={`calls/${answer.requestId}`}>{answer.requestId}</PaneLink>}
          </p>
          <Text text={answer.text} label="Answer" />
        </Section>
      )}
    </div>
  );
}
