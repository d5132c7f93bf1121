/** The effect of a rule or fault on one delivery attempt. All random values are drawn. */
export interface DeliveryEffect {
  /** Delay in milliseconds of world time. */
  readonly delayMs?: number;
  /** Number of additional copies. */
  readonly duplicate?: number;
  /** Delayed until the subscription's next delivery is attempted. */
  readonly reorder?: true;
  /** Not sent; the attempt counts as failed. */
  readonly drop?: true;
  /** Signed with a key other than the client secret. */
  readonly corruptSignature?: true;
  /** Sent without signatures. */
  readonly unsigned?: true;
  /** Signed correctly, with a timestamp one hour in the past. */
  readonly staleTimestamp?: true;
}

/** The effect on the signatures of an attempt and of each copy. */
export type SigningEffect = Pick<DeliveryEffect, 'corruptSignature' | 'unsigned' | 'staleTimestamp'>;

/** Returns the part of an effect that concerns signatures. */
export function signingEffectOf(effect: { readonly [E in keyof SigningEffect]?: true | undefined }): SigningEffect {
  const { corruptSignature, unsigned, staleTimestamp } = effect;
  return {
    ...(corruptSignature ? { corruptSignature } : {}),
    ...(unsigned ? { unsigned } : {}),
    ...(staleTimestamp ? { staleTimestamp } : {}),
  };
}

/** Maximum delay of a reordered delivery, in milliseconds of world time. */
const reorderLimitMs = 5000;

/** Returns the rest of an effect after its delay. */
export function afterHold({ delayMs: _delay, reorder: _reorder, ...rest }: DeliveryEffect): DeliveryEffect {
  return rest;
}

/** Returns the maximum delay of an effect, in milliseconds of world time; null if it has none. */
export function holdMs({ delayMs = 0, reorder }: DeliveryEffect): number | null {
  const longest = Math.max(delayMs, reorder ? reorderLimitMs : 0);
  return longest > 0 ? longest : null;
}
