import { futureEventTypes, resourceEvents, resourceNames } from '../contract/public/webhooks.js';
import type { EventType, FutureEventType, ResourceName, SentEventType } from '../contract/public/webhooks.js';

/** An event that subscriptions can receive. */
export interface DomainEvent {
  readonly type: EventType;
  /** Id of the resource in the payload: an operation, a payment instruction or an account. */
  readonly resourceId: string;
  /** Returns the body of the webhook. Called only if a subscription selects the event, which is rare. */
  readonly payload: () => unknown;
}

/** Returns the event type of a resource that the API does not define. */
export const futureEventOf = (name: ResourceName): FutureEventType => futureEventTypes[resourceNames.indexOf(name)]!;

/** Returns the resource name with which a subscription selects this event. */
export function resourceOf(type: SentEventType): ResourceName {
  const name = resourceNames.find((each) => (resourceEvents[each] as readonly string[]).includes(type) || futureEventOf(each) === type);
  if (name === undefined) throw new Error(`No resource has the event ${type}.`);
  return name;
}
