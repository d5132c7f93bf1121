import type { Until } from '../../contract/scenario/effects.js';

/** The effect of a rule or fault on one delivery attempt. All random values are already drawn. */
export interface DeliveryEffect {
  /** Delay in milliseconds of world time. */
  readonly delayMs?: number;
  /** Number of additional copies. */
  readonly duplicate?: number;
  /** Delayed until the subscription's next delivery is attempted. */
  readonly reorder?: true;
  /** Delayed until the given event was attempted, or until an advance with `untilIdle` has run all other jobs. */
  readonly until?: Until;
  /** One additional copy, sent later. */
  readonly again?: { readonly until: Until };
  /** Delayed until the next event of the resource, and sent at the same time as that event. */
  readonly overlap?: true;
  /** Sent twice at the same time, over two connections. */
  readonly simultaneous?: true;
  /** Not sent; the attempt counts as failed. */
  readonly drop?: true;
  /** Sent, and its response ignored; the attempt counts as failed. */
  readonly dropResponse?: true;
  /** Not sent and not retried; the delivery counts as failed. */
  readonly lost?: true;
  /** Signed with a key other than the client secret. */
  readonly corruptSignature?: true;
  /** Sent without signatures. */
  readonly unsigned?: true;
  /** Signed correctly, with a timestamp one hour in the past. */
  readonly staleTimestamp?: true;
  /** Sent with fields that the API does not define. */
  readonly unknownFields?: true;
  /** One additional event of a type that the API does not define. */
  readonly unknownEvent?: true;
}

/** The effect on the signatures and the body of an attempt and of each copy. */
export type ContentEffect = Pick<DeliveryEffect, 'corruptSignature' | 'unsigned' | 'staleTimestamp' | 'unknownFields'>;

/** Returns the part of an effect that concerns signatures and body. */
export function contentEffectOf(effect: { readonly [E in keyof ContentEffect]?: true | undefined }): ContentEffect {
  const { corruptSignature, unsigned, staleTimestamp, unknownFields } = effect;
  return {
    ...(corruptSignature ? { corruptSignature } : {}),
    ...(unsigned ? { unsigned } : {}),
    ...(staleTimestamp ? { staleTimestamp } : {}),
    ...(unknownFields ? { unknownFields } : {}),
  };
}

/** Maximum delay of a reordered delivery, in milliseconds of world time. */
const reorderLimitMs = 5000;
/** Maximum delay of a delivery that waits for an event, in milliseconds of world time. */
const waitLimitMs = 86_400_000;

/** Returns the part of an effect that remains after its delay. */
export function effectAfterDelay({
  delayMs: _delay,
  reorder: _reorder,
  until: _until,
  overlap: _overlap,
  ...rest
}: DeliveryEffect): DeliveryEffect {
  return rest;
}

/** Returns the maximum delay of an effect, in milliseconds of world time; null if it has none. */
export function holdMs({ delayMs = 0, reorder, until, overlap }: DeliveryEffect): number | null {
  const longest = Math.max(delayMs, reorder ? reorderLimitMs : 0, until !== undefined || overlap ? waitLimitMs : 0);
  return longest > 0 ? longest : null;
}

/** Whether an advance with `untilIdle` ends a delay after all other jobs. */
export function endsWhenIdle({ until, overlap }: DeliveryEffect): boolean {
  return until !== undefined || overlap === true;
}

/** The fields of an attempt that determine which delays it ends. */
interface Place {
  readonly subscriptionId: string;
  readonly eventType: string;
  readonly resourceId: string;
}

/** Returns the key of a delay; undefined if no attempt ends the delay. An attempt with this key in {@link keysOf} ends the delay. */
export function awaitedKey({ reorder, until, overlap }: DeliveryEffect, { subscriptionId, resourceId }: Place): string | undefined {
  if (until === 'end') return undefined;
  if (until !== undefined) return `${subscriptionId} ${until.eventType}${until.of === 'sameResource' ? ` ${resourceId}` : ''}`;
  if (overlap) return `${subscriptionId} ${resourceId}`;
  return reorder ? subscriptionId : undefined;
}

/** Returns the keys of the delays that this attempt ends. */
export function keysOf({ subscriptionId, eventType, resourceId }: Place): readonly string[] {
  return [
    subscriptionId,
    `${subscriptionId} ${resourceId}`,
    `${subscriptionId} ${eventType}`,
    `${subscriptionId} ${eventType} ${resourceId}`,
  ];
}
