import type { EventType, ResourceName } from '../contract/public/webhooks.js';
import { resourceEvents, resourceNames } from '../contract/public/webhooks.js';

/** Something that happened and that subscribers hear of. */
export interface DomainEvent {
  readonly type: EventType;
  /** The resource whose present state the payload shows: an operation or a payment instruction. */
  readonly resourceId: string;
  /** The webhook's body, made when it is asked for: most events find nobody who asked for them. */
  readonly payload: () => unknown;
}

/** The resource name under which a subscription asks for this event. */
export function resourceOf(type: EventType): ResourceName {
  const name = resourceNames.find((each) => (resourceEvents[each] as readonly EventType[]).includes(type));
  if (name === undefined) throw new Error(`No resource has the event ${type}.`);
  return name;
}
