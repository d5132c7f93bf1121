import type { InboxMessage } from '../../contract/control/deliveries.js';
import { movedText } from '../parts/words.js';

/** A message with the facts that a list shows, and its number among the messages with the same id. */
export interface NumberedMessage {
  readonly key: string;
  readonly message: InboxMessage;
  readonly eventType: string;
  readonly copy: number;
  /** The id of the resource in the body; null without one. */
  readonly resourceId: string | null;
  /** The amounts of an operation, or the status of another resource; empty without one. */
  readonly about: string;
}

/** The parts of a webhook body that a list shows. */
interface Body {
  readonly eventType?: unknown;
  readonly id?: unknown;
  readonly sourceAmount?: { readonly value?: string | null; readonly asset: string };
  readonly destinationAmount?: { readonly value?: string | null; readonly asset: string };
  readonly currentState?: { readonly status?: string };
}

function bodyOf({ body }: InboxMessage): Body {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

function factsOf(message: InboxMessage): Pick<NumberedMessage, 'eventType' | 'resourceId' | 'about'> {
  const { eventType: inBody, id, sourceAmount: source, destinationAmount: target, currentState } = bodyOf(message);
  const eventType = message.headers['x-event-type'] ?? (typeof inBody === 'string' ? inBody : 'a message');
  return {
    eventType,
    resourceId: typeof id === 'string' ? id : null,
    about: source && target ? movedText({ source, target }) : (currentState?.status ?? ''),
  };
}

/** Returns the messages, newest first, each with its number among the messages with the same id. */
export function numberedMessages(messages: readonly InboxMessage[]): NumberedMessage[] {
  const seen = new Map<string, number>();
  const numbered = messages.toReversed().map((message, index): NumberedMessage => {
    const id = message.headers['x-message-id'] ?? `none ${index}`;
    const copy = (seen.get(id) ?? 0) + 1;
    seen.set(id, copy);
    return { key: `${id}#${copy}`, message, copy, ...factsOf(message) };
  });
  return numbered.toReversed();
}
