import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { z } from 'zod';
import { urlPath } from '../api.js';
import type { InboxMessage } from '../../contract/control/deliveries.js';
import type { SubscriptionSchema } from '../../contract/public/webhooks.js';
import { Id } from '../parts/id.js';
import { shortTime } from '../parts/timestamp.js';
import { Cell, List } from '../parts/list.js';
import { useLoaded } from '../parts/loaded.js';
import { Empty, Facts, Section, Text } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { go, address } from '../router.js';
import { Answers } from './answers.js';
import { numberedMessages, type NumberedMessage } from './messages.js';

/** The messages that the inboxes of the world received. */
export function Inbox(): JSX.Element {
  const { value: subscriptions } = useLoaded<{ data: z.infer<typeof SubscriptionSchema>[] }>('/subscriptions?limit=100', [
    'REQUEST',
    'WORLD',
  ]);
  const names = (subscriptions?.data ?? []).map(({ url }) => /\/_sandbox\/inbox\/([A-Za-z0-9._-]{1,64})/.exec(url)?.[1]);
  const [chosen = ''] = [address.value.id ?? names.find((name) => name !== undefined)];
  const { value, error } = useLoaded<{ data: InboxMessage[] }>(chosen === '' ? null : urlPath`/inbox/${chosen}/messages?limit=100`, [
    'INBOX',
    'WORLD',
  ]);
  const rows = numberedMessages(value?.data ?? []);
  const [selected, select] = useState<string | null>(null);
  const shown = rows.find(({ key }) => key === selected);
  if (chosen === '') {
    return (
      <Empty title="No subscription leads to an inbox">
        <p>An inbox is created on first use: subscribe with {`${location.origin}/_sandbox/inbox/orders`} as the URL.</p>
        <NameForm />
      </Empty>
    );
  }
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Inbox">
        <select aria-label="Inbox" value={chosen} onChange={({ currentTarget }) => go({ id: currentTarget.value })}>
          {[...new Set([...names.filter((name) => name !== undefined), chosen])].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        {error !== null && <span class="bad-text">{error}</span>}
        <Answers key={chosen} inbox={chosen} />
      </div>
      <div class="panes">
        <List<NumberedMessage>
          label={`Messages of ${chosen}`}
          rows={rows}
          keyOf={({ key }) => key}
          columns="128px minmax(0, 1fr) 100px minmax(0, 1fr) 120px"
          narrow="72px minmax(0, 1fr) minmax(72px, max-content)"
          heads={['received', 'event', '~id', '~amount or status', 'signature']}
          second={({ resourceId, about }) => (
            <>
              {about} {resourceId !== null && <Id of={resourceId} />}
            </>
          )}
          selected={selected}
          choose={({ key }) => select(key)}
        >
          {({ message, eventType, copy, resourceId, about }, above) => (
            <>
              <Cell kind="time">{shortTime(message.receivedAt, above?.message.receivedAt)}</Cell>
              <Cell kind="what">
                {eventType} {copy > 1 && <span class="times">{copy === 2 ? '2nd' : copy === 3 ? '3rd' : `${copy}th`} of the same id</span>}
              </Cell>
              <Cell kind="wide">{resourceId !== null && <Id of={resourceId} />}</Cell>
              <Cell kind="wide">{about}</Cell>
              <Cell>
                <Status of={message.signatureValid ? 'SUCCESS' : 'FAILED'} word={message.signatureValid ? 'signed' : 'bad signature'} />
              </Cell>
            </>
          )}
        </List>
        {shown !== undefined && (
          <article class="message" aria-label="Message">
            <button type="button" class="button close" aria-label="Close" onClick={() => select(null)}>
              ×
            </button>
            <Section title="Body">
              <Text text={shown.message.body} label="Body" />
            </Section>
            <Section title="Headers">
              <Facts of={Object.entries(shown.message.headers)} />
            </Section>
          </article>
        )}
      </div>
    </>
  );
}

/** Opens an inbox by its name. */
function NameForm(): JSX.Element {
  const [name, setName] = useState('orders');
  return (
    <form class="moves" onSubmit={(event) => (event.preventDefault(), go({ id: name }))}>
      <input
        type="text"
        aria-label="Name of an inbox"
        value={name}
        pattern="[A-Za-z0-9._\-]{1,64}"
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="submit" class="button">
        Open
      </button>
    </form>
  );
}
