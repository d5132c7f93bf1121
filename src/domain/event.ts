import type { EventType } from '../contract/shared/event-types.js';

/** An event that subscriptions can receive. */
export interface DomainEvent {
  readonly type: EventType;
  /** Id of the resource in the payload: an operation, a payment instruction or an account. */
  readonly resourceId: string;
  /** Returns the body of the webhook. Called only if a subscription selects the event, which is rare. */
  readonly payload: () => unknown;
}
