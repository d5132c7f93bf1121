import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { canSend, credentials, send, type ApiResponse, type ApiCall } from '../api-calls.js';
import { runAction, loadQuietly } from '../notices.js';
import { CopyAs } from '../parts/copy-as.js';
import { Section, Text } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { fill, type Sendable } from './fill.js';
import { idFieldsOf } from './id-fields.js';
import { missingName, preparations, prepare } from './prepare.js';
import { choiceText, readWorldIds, type WorldIds } from './world-ids.js';

/** Returns the reason why the page cannot send a request; null if the page can. */
function obstacle(call: ApiCall): string | null {
  if (!canSend(call.plane)) return 'The API has another origin than this page. Copy the request as curl.';
  const missing = missingName(call);
  if (missing !== null) return `This world has nothing for ${missing}. Create it first, or enter an id in its place.`;
  return call.plane === 'public' && credentials() === null ? 'Enter client credentials first.' : null;
}

const isSame = (a: ApiCall, b: ApiCall): boolean => a.path === b.path && a.body === b.body;

interface CallFormProps {
  readonly operation: Sendable;
  /** Whether the page can read the open world, to fill in its ids. */
  readonly hasWorld: boolean;
  /** Returns the text next to a response, by its X-Request-Id. */
  readonly about: (requestId: string) => ComponentChildren;
}

/** A form that edits and sends a request, which works in the open world as it is, and shows the response. */
export function CallForm({ operation, hasWorld, about }: CallFormProps): JSX.Element {
  const [world, setWorld] = useState<WorldIds | null>(null);
  const [filled, setFilled] = useState<ApiCall | null>(null);
  const [edited, setDraft] = useState<ApiCall | null>(null);
  const [answer, setAnswer] = useState<ApiResponse | null>(null);
  const answerBox = useRef<HTMLDivElement>(null);
  /** Fills the form, except after an edit by the user. @param sent the last request; null before the first */
  const refill = async (sent: ApiCall | null) => {
    const read = hasWorld ? await readWorldIds() : null;
    const next = fill(operation, read);
    const isEdited = sent !== null && filled !== null && !isSame(sent, filled);
    setWorld(read);
    setDraft((now) => {
      if (now === null || (now === sent && !isEdited)) return next;
      return { ...now, key: now.key === sent?.key ? next.key : now.key };
    });
    if (!isEdited) setFilled(next);
  };
  useEffect(() => {
    void loadQuietly(() => refill(null)).then((isFilled) => isFilled || setDraft(fill(operation, null)));
  }, []);
  // A long form pushes the response below the visible part of the page.
  useEffect(() => {
    if (answer !== null) answerBox.current!.scrollIntoView({ block: 'nearest' });
  }, [answer]);
  if (edited === null) return <p role="status">Loading…</p>;
  const draft = edited;
  const change = (changes: Partial<ApiCall>) => setDraft({ ...draft, ...changes });
  const run = () =>
    runAction(async () => {
      setAnswer(await send(world === null ? draft : await prepare(draft)));
      await refill(draft);
    });
  const why = obstacle(draft);
  return (
    <>
      <form class="form" onSubmit={(event) => (event.preventDefault(), void run())}>
        {world !== null &&
          idFieldsOf(operation.path, draft, world).map(({ kind, name, value, choices, set }) => (
            <label key={name}>
              {name}
              <select aria-label={name} value={value} onChange={({ currentTarget }) => setDraft(set(currentTarget.value))}>
                {choices.every(({ id }) => id !== value) && <option value={value}>{value}</option>}
                {kind === 'quoteId' && value !== '{quoteId}' && <option value="{quoteId}">a new quote</option>}
                {choices.map((choice) => (
                  <option key={choice.id} value={choice.id}>
                    {choiceText(choice)}
                  </option>
                ))}
              </select>
            </label>
          ))}
        <label>
          {draft.method}
          <input
            type="text"
            class="mono"
            aria-label={`Path of ${draft.method}`}
            value={draft.path}
            onInput={({ currentTarget }) => change({ path: currentTarget.value })}
          />
        </label>
        {draft.key !== null && (
          <label>
            X-Idempotency-Key
            <input type="text" class="mono" value={draft.key} onInput={({ currentTarget }) => change({ key: currentTarget.value })} />
          </label>
        )}
        {draft.body !== null && (
          <label>
            Body
            <textarea
              rows={Math.min(20, draft.body.split('\n').length + 1)}
              value={draft.body}
              onInput={({ currentTarget }) => change({ body: currentTarget.value })}
            />
          </label>
        )}
        {draft.file !== undefined && (
          <label>
            File: {draft.file.name}, unless you choose another
            <input
              type="file"
              accept=".pdf,.png,.jpg,.jpeg"
              onChange={({ currentTarget: { files } }) => files?.[0] !== undefined && change({ file: files[0] })}
            />
          </label>
        )}
        <div class="moves">
          <button type="submit" class="button primary" disabled={why !== null}>
            Send
          </button>
          <CopyAs call={draft} />
          <span class="dim">{why ?? preparations(draft)}</span>
        </div>
      </form>
      <div role="status" ref={answerBox}>
        {answer !== null && (
          <Section title="Response">
            <p>
              <Status of={String(answer.status)} /> {answer.requestId !== null && about(answer.requestId)}
            </p>
            {answer.text === '' ? <p class="dim">The response has no body.</p> : <Text text={answer.text} label="Response" />}
          </Section>
        )}
      </div>
    </>
  );
}
