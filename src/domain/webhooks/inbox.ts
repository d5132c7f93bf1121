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

/** Limits for all inboxes of a world together. Beyond them, the oldest messages of the fullest inbox are evicted, unsigned ones first. */
export const inboxLimits = { messages: 2000, characters: 16 * 1024 * 1024 } as const;

/** The messages of one inbox with or without a valid signature. */
interface Share {
  readonly messages: InboxMessageRecord[];
  characters: number;
  /** Position of the oldest message that is not evicted. */
  next: number;
}

/** Returns the part of the limits that a share uses. */
const usedBy = ({ messages, next, characters }: Share): number =>
  Math.max((messages.length - next) / inboxLimits.messages, characters / inboxLimits.characters);

/**
 * Yields the messages to evict to free the given number of messages and characters: the oldest of the inbox with the most, and messages
 * without a valid signature before others. So a sender without the secret evicts no signed message, and a busy inbox evicts its own messages.
 * @param kept all messages, oldest first, with the new one
 */
export function* messagesToEvict(
  kept: Iterable<InboxMessageRecord>,
  { messages, characters }: { messages: number; characters: number },
): Generator<InboxMessageRecord> {
  let [tooMany, tooLong] = [messages, characters];
  if (tooMany <= 0 && tooLong <= 0) return;
  const shares = { unsigned: new Map<string, Share>(), signed: new Map<string, Share>() };
  for (const message of kept) {
    const group = message.signatureValid ? shares.signed : shares.unsigned;
    let share = group.get(message.inbox);
    if (!share) group.set(message.inbox, (share = { messages: [], characters: 0, next: 0 }));
    share.messages.push(message);
    share.characters += message.body.length;
  }
  for (const group of [[...shares.unsigned.values()], [...shares.signed.values()]]) {
    for (let left = group.reduce((sum, { messages: { length } }) => sum + length, 0); left > 0; left -= 1) {
      if (tooMany <= 0 && tooLong <= 0) return;
      const most = group.reduce((a, b) => (usedBy(b) > usedBy(a) ? b : a));
      const message = most.messages[most.next]!;
      most.next += 1;
      most.characters -= message.body.length;
      tooMany -= 1;
      tooLong -= message.body.length;
      yield message;
    }
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
