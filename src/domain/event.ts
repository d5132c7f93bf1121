import type { EventType, ResourceName } from '../contract/public/webhooks.js';
import { resourceEvents, resourceNames } from '../contract/public/webhooks.js';

/** An event that subscriptions can receive. */
export interface DomainEvent {
  readonly type: EventType;
  /** Id of the resource in the payload: an operation, a payment instruction or an account. */
  readonly resourceId: string;
  /** Returns the body of the webhook. Called only if a subscription selects the event, which is rare. */
  readonly payload: () => unknown;
}

/** Returns the resource name with which a subscription selects this event. */
export function resourceOf(type: EventType): ResourceName {
  const name = resourceNames.find((each) => (resourceEvents[each] as readonly EventType[]).includes(type));
  if (name === undefined) throw new Error(`No resource has the event ${type}.`);
  return name;
}
