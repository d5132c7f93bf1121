import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { canSend, credentials, send, type ApiAnswer, type ApiCall } from '../api-calls.js';
import { attempt } from '../notices.js';
import { CopyAs } from '../parts/copy-as.js';
import { Section, Text } from '../parts/section.js';
import { Status } from '../parts/status.js';

/** Returns the reason why the page cannot send a request; null if the page can. */
function obstacle({ plane, path }: ApiCall): string | null {
  if (!canSend(plane)) return 'The API has another origin than this page. Copy the request as curl.';
  if (path.includes('{')) return 'Replace the text in braces by an id.';
  return plane === 'public' && credentials() === null ? 'Enter client credentials first.' : null;
}

/** A form that edits and sends a request, and shows the response. @param about returns the text next to a response, by its X-Request-Id */
export function CallForm({
  start,
  about,
}: {
  readonly start: ApiCall;
  readonly about: (requestId: string) => ComponentChildren;
}): JSX.Element {
  const [draft, setDraft] = useState(start);
  const [answer, setAnswer] = useState<ApiAnswer | null>(null);
  const run = () =>
    attempt(async () => {
      setAnswer(await send(draft));
      if (draft.key !== null) setDraft({ ...draft, key: crypto.randomUUID() });
    });
  const why = obstacle(draft);
  return (
    <>
      <form class="form" onSubmit={(event) => (event.preventDefault(), void run())}>
        <label>
          {draft.method}
          <input
            type="text"
            class="mono"
            aria-label={`Path of ${draft.method}`}
            value={draft.path}
            onInput={({ currentTarget }) => setDraft({ ...draft, path: currentTarget.value })}
          />
        </label>
        {draft.key !== null && (
          <label>
            X-Idempotency-Key
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
              value={draft.body}
              onInput={({ currentTarget }) => setDraft({ ...draft, body: currentTarget.value })}
            />
          </label>
        )}
        <div class="moves">
          <button type="submit" class="button primary" disabled={why !== null}>
            Send
          </button>
          <CopyAs call={draft} />
          {why !== null && <span class="dim">{why}</span>}
        </div>
      </form>
      <div role="status">
        {answer !== null && (
          <Section title="Response">
            <p>
              <Status of={String(answer.status)} /> {answer.requestId !== null && about(answer.requestId)}
            </p>
            {answer.text !== '' && <Text text={answer.text} label="Response" />}
          </Section>
        )}
      </div>
    </>
  );
}
