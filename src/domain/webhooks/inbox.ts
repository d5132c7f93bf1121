import type { InboxMessage, InboxResponse } from '../../contract/control/deliveries.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { flag, text, timestamp, type FilterFields } from '../lists/fields.js';

/** A message stored in an inbox. */
export interface InboxMessageRecord {
  readonly id: string;
  readonly seq: number;
  readonly inbox: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signatureValid: boolean;
  readonly createdAt: string;
}

/** The next responses of an inbox. */
export interface InboxRecord {
  /** The name of the inbox. */
  readonly id: string;
  readonly responses: readonly InboxResponse[];
}

/** Limits for all inboxes of a world together. The oldest messages are evicted. */
export const inboxLimits = { messages: 2000, characters: 16 * 1024 * 1024 } as const;

/** Yields the messages to evict, oldest first, to free the given number of messages and characters. */
export function* crowdedOut(
  kept: Iterable<InboxMessageRecord>,
  { messages, characters }: { messages: number; characters: number },
): Generator<InboxMessageRecord> {
  let [tooMany, tooLong] = [messages, characters];
  for (const message of kept) {
    if (tooMany <= 0 && tooLong <= 0) return;
    yield message;
    tooMany -= 1;
    tooLong -= message.body.length;
  }
}

/** Returns the next response of an inbox, and the inbox after this response. Default response: 200 without delay */
export function nextResponse(inbox: InboxRecord): { response: { status: number; delayMs: number }; inbox: InboxRecord } {
  const [first, ...others] = inbox.responses;
  if (!first) return { response: { status: 200, delayMs: 0 }, inbox };
  const responses = first.times > 1 ? [{ ...first, times: first.times - 1 }, ...others] : others;
  return { response: { status: first.status, delayMs: first.delayMs }, inbox: { ...inbox, responses } };
}

/** Whether a message has this event type and concerns this resource. An undefined argument matches all messages. */
export function isAbout(message: InboxMessageRecord, eventType: string | undefined, resourceId: string | undefined): boolean {
  if (eventType !== undefined && message.headers['x-event-type'] !== eventType) return false;
  // The substring check is cheap and excludes most bodies before parsing.
  return resourceId === undefined || (message.body.includes(resourceId) && idsOf(message.body).includes(resourceId));
}

function idsOf(body: string): unknown[] {
  try {
    const payload = JSON.parse(body) as Partial<Record<'id' | 'accountId', unknown>> &
      Partial<Record<'account' | 'instruction', { id?: unknown }>>;
    return [payload.id, payload.accountId, payload.account?.id, payload.instruction?.id];
  } catch {
    return [];
  }
}

export function inboxMessageView({ id, headers, body, signatureValid, createdAt }: InboxMessageRecord): InboxMessage {
  return { id, headers: { ...headers }, body, signatureValid, receivedAt: createdAt };
}

export const messageFilters: FilterFields<InboxMessageRecord, FilterFieldOf<'messages'>> = {
  id: text(({ id }) => id),
  body: text(({ body }) => body),
  signatureValid: flag(({ signatureValid }) => signatureValid),
  receivedAt: timestamp(({ createdAt }) => createdAt),
};
