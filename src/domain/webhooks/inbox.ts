import type { InboxMessage, InboxResponse } from '../../contract/control/deliveries.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { flag, text, timestamp, type FilterFields } from '../lists/fields.js';

/** A message that an inbox keeps. */
export interface InboxMessageRecord {
  readonly id: string;
  readonly seq: number;
  readonly inbox: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signatureValid: boolean;
  readonly createdAt: string;
}

/** How an inbox answers next. */
export interface InboxRecord {
  /** Its name. */
  readonly id: string;
  readonly responses: readonly InboxResponse[];
}

/** What all inboxes of a world hold together; the oldest messages make room. */
export const inboxLimits = { messages: 2000, characters: 16 * 1024 * 1024 } as const;

/** The messages that have to go, the oldest first, when all together are so many too many and so many characters too long. */
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

/** The next answer of an inbox, and the inbox after it; 200 at once when none is planned. */
export function nextResponse(inbox: InboxRecord): { response: { status: number; delayMs: number }; inbox: InboxRecord } {
  const [first, ...others] = inbox.responses;
  if (!first) return { response: { status: 200, delayMs: 0 }, inbox };
  const responses = first.times > 1 ? [{ ...first, times: first.times - 1 }, ...others] : others;
  return { response: { status: first.status, delayMs: first.delayMs }, inbox: { ...inbox, responses } };
}

/** Whether a message is of this event type and speaks of this resource; what is not asked for fits. */
export function isAbout(message: InboxMessageRecord, eventType: string | undefined, resourceId: string | undefined): boolean {
  if (eventType !== undefined && message.headers['x-event-type'] !== eventType) return false;
  // Most bodies need not be parsed to know that they do not.
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

/** A message as responses show it. */
export function inboxMessageView({ id, headers, body, signatureValid, createdAt }: InboxMessageRecord): InboxMessage {
  return { id, headers: { ...headers }, body, signatureValid, receivedAt: createdAt };
}

/** The fields that messages can be filtered by. */
export const messageFilters: FilterFields<InboxMessageRecord, FilterFieldOf<'messages'>> = {
  id: text(({ id }) => id),
  body: text(({ body }) => body),
  signatureValid: flag(({ signatureValid }) => signatureValid),
  receivedAt: timestamp(({ createdAt }) => createdAt),
};
