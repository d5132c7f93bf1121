import type { InboxMessage } from '../../contract/control/deliveries.js';

/** A message with its event type, and its number among the messages with the same id. */
export interface NumberedMessage {
  readonly key: string;
  readonly message: InboxMessage;
  readonly eventType: string;
  readonly copy: number;
}

function eventTypeOf({ headers, body }: InboxMessage): string {
  const named = headers['x-event-type'];
  if (named !== undefined) return named;
  try {
    const { eventType } = JSON.parse(body) as { eventType?: unknown };
    return typeof eventType === 'string' ? eventType : 'a message';
  } catch {
    return 'a message';
  }
}

/** Returns the messages, newest first, each with its number among the messages with the same id. */
export function numberedMessages(messages: readonly InboxMessage[]): NumberedMessage[] {
  const seen = new Map<string, number>();
  const numbered = messages.toReversed().map((message, index): NumberedMessage => {
    const id = message.headers['x-message-id'] ?? `none ${index}`;
    const copy = (seen.get(id) ?? 0) + 1;
    seen.set(id, copy);
    return { key: `${id}#${copy}`, message, eventType: eventTypeOf(message), copy };
  });
  return numbered.toReversed();
}
