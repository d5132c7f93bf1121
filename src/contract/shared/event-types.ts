/** The resource of an event, with which subscriptions select it, and its meaning. */
interface EventEntry {
  readonly resource: string;
  readonly summary: string;
  readonly description: string;
}

/** The event types of the API. Plain data, so that the client can use it without the schemas of webhooks. */
const events = {
  OPERATION_REQUESTED: {
    resource: 'OPERATION',
    summary: 'An operation was created',
    description: 'Sent for every withdrawal, transfer, swap and deposit as soon as it is REQUESTED. No money has moved yet.',
  },
  OPERATION_COMPLETED: {
    resource: 'OPERATION',
    summary: 'An operation was completed',
    description: 'The money has arrived, and the operation is final. `transactions` lists its payments.',
  },
  OPERATION_FAILED: {
    resource: 'OPERATION',
    summary: 'An operation has failed',
    description: 'No money was booked, and the operation is final. `currentState.reason` has the reason.',
  },
  BENEFICIARY_PAYMENT_INSTRUCTION_CREATED: {
    resource: 'BENEFICIARY',
    summary: 'A payment instruction was added to a beneficiary',
    description: 'The review of the instruction starts. Withdrawals cannot use the instruction yet.',
  },
  BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED: {
    resource: 'BENEFICIARY',
    summary: 'A payment instruction was approved',
    description: 'Withdrawals can now use the instruction.',
  },
  BENEFICIARY_PAYMENT_INSTRUCTION_REJECTED: {
    resource: 'BENEFICIARY',
    summary: 'A payment instruction was rejected',
    description: 'Withdrawals cannot use the instruction. GET of the beneficiary returns the reason.',
  },
  ASSET_ACTIVATED: {
    resource: 'ACCOUNT',
    summary: 'An asset of an account was activated',
    description: 'The account can now hold and move the asset. Each asset has its own event.',
  },
} as const satisfies Readonly<Record<string, EventEntry>>;

export type EventType = keyof typeof events;
/** A resource that a subscription can name. */
export type ResourceName = (typeof events)[EventType]['resource'];

export const eventTypes = Object.keys(events) as [EventType, ...EventType[]];
export const resourceNames = [...new Set(Object.values(events).map(({ resource }) => resource))] as [ResourceName, ...ResourceName[]];
export const eventMeanings: Readonly<Record<EventType, EventEntry>> = events;

/** The event types of each resource. */
export const resourceEvents = Object.fromEntries(
  resourceNames.map((name) => [name, eventTypes.filter((type) => events[type].resource === name)]),
) as unknown as Readonly<Record<ResourceName, readonly EventType[]>>;

/** Event types that the API does not define, one for each resource. Only the effect `unknownEvent` sends them. */
export const futureEventTypes = resourceNames.map((name) => `${name}_FUTURE_EVENT` as const);
export type FutureEventType = (typeof futureEventTypes)[number];

/** The type of a webhook: an event type of the API, or one that the API does not define. */
export type SentEventType = EventType | FutureEventType;

export function isDefinedEvent(type: SentEventType): type is EventType {
  return Object.hasOwn(events, type);
}

/** Returns the event type of a resource that the API does not define. */
export const futureEventOf = (name: ResourceName): FutureEventType => `${name}_FUTURE_EVENT`;

/** Returns the resource name with which a subscription selects this event. */
export function resourceOf(type: SentEventType): ResourceName {
  return isDefinedEvent(type) ? events[type].resource : resourceNames.find((name) => futureEventOf(name) === type)!;
}
