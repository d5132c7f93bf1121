import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { urlPath } from '../api.js';
import type { RecordEntry, RecordedAttempt } from '../../contract/control/analysis/record.js';
import { runAction } from '../notices.js';
import { shortTime } from '../parts/timestamp.js';
import { useLoaded } from '../parts/loaded.js';
import { markedEntry } from '../parts/marked.js';
import { PaneLink } from '../parts/pane-link.js';
import { Facts, Section, Text } from '../parts/section.js';
import { useShownKeys } from '../parts/shown-keys.js';
import { Status } from '../parts/status.js';
import { canSend, callAsCurl } from '../api-calls.js';
import { Comparison } from './comparison.js';
import { Request, sendAgain, callOf } from './request.js';

/** A recorded request, or a recorded attempt to deliver a webhook. */
export function CallPane({ id }: { readonly id: string }): JSX.Element {
  const { value: entry, error } = useLoaded<RecordEntry>(urlPath`/requests/${id}`, ['STATE', 'FINDING']);
  const [comparing, setComparing] = useState(false);
  useShownKeys((key) => {
    if (entry === null) return;
    const copyCurl = () => {
      if (entry.kind !== 'REQUEST') return;
      void runAction(() => navigator.clipboard.writeText(callAsCurl(callOf(entry))), 'Copied the request as curl.');
    };
    if (key === 'mark') markedEntry.value = entry;
    else if (key === 'diff') setComparing((now) => !now);
    else if (key === 'curl') copyCurl();
    else if (entry.kind === 'REQUEST' && key === 'again' && canSend())
      void runAction(() => sendAgain(entry, true), `Sent ${entry.method} ${entry.path} again.`);
  });
  if (entry === null) return <p role="status">{error ?? 'Loading…'}</p>;
  if (entry.kind === 'MARK') return <h2>{entry.what}</h2>;
  return (
    <>
      {entry.kind === 'ATTEMPT' ? <Attempt entry={entry} /> : <Request entry={entry} />}
      {comparing && markedEntry.value !== null && <Comparison left={markedEntry.value} right={entry} />}
      {entry.findings.length > 0 && (
        <Section title="Findings">
          <ul class="plain">
            {entry.findings.map((finding) => (
              <li key={finding}>
                <PaneLink to={`findings/${finding}`}>● {finding}</PaneLink>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={entry.kind === 'ATTEMPT' ? 'Sent headers' : 'Headers of the request'}>
        <Facts of={Object.entries(entry.headers)} />
      </Section>
      {entry.kind !== 'ATTEMPT' && entry.response !== null && (
        <Section title="Headers of the response">
          <Facts of={Object.entries(entry.response.headers)} />
        </Section>
      )}
      <Section title="Compare">
        <div class="moves">
          <button
            type="button"
            class="button"
            aria-pressed={markedEntry.value?.id === entry.id}
            onClick={() => (markedEntry.value = entry)}
          >
            Mark
          </button>
          <button
            type="button"
            class="button"
            aria-pressed={comparing}
            disabled={markedEntry.value === null}
            onClick={() => setComparing(!comparing)}
          >
            Compare with the marked one
          </button>
        </div>
      </Section>
    </>
  );
}

function Attempt({ entry }: { readonly entry: RecordedAttempt }): JSX.Element {
  const { eventType, url, httpStatus, attemptKind, number, messageId, durationMs, error, body, response, at } = entry;
  return (
    <>
      <h2>
        {eventType}
        <Status of={String(httpStatus)} />
      </h2>
      <Section title="Attempt">
        <Facts
          of={[
            ['to', url],
            ['at', at === null ? '—' : shortTime(at)],
            ['kind', `${attemptKind.toLowerCase()}, attempt ${number}`],
            ['took', `${durationMs ?? 0} ms`],
            ['error', error ?? 'none'],
            [
              'delivery',
              <PaneLink key="delivery" to={`deliveries/${messageId}`}>
                {messageId}
              </PaneLink>,
            ],
          ]}
        />
      </Section>
      <Section title={`Sent, ${body.bytes} bytes`}>
        <Text text={body.text} label="Sent body" />
      </Section>
      {response !== null && (
        <Section title="Response">
          <Text text={response.text} label="Response of the endpoint" />
        </Section>
      )}
    </>
  );
}
