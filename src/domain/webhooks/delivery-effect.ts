/** What a rule or a fault does to one attempt of a delivery, with everything that was left to chance drawn. */
export interface DeliveryEffect {
  /** Held back for this long, of world time. */
  readonly delayMs?: number;
  /** Sent this many times more. */
  readonly duplicate?: number;
  /** Held until the subscription's next delivery was attempted. */
  readonly reorder?: true;
  /** Not sent; the attempt counts as failed. */
  readonly drop?: true;
  /** Signed with a key that is not the client's secret. */
  readonly corruptSignature?: true;
  /** Sent without any signature. */
  readonly unsigned?: true;
  /** Signed rightly, for an instant that is an hour past. */
  readonly staleTimestamp?: true;
}

/** What an effect does to the signatures of an attempt, and of each copy that it sends. */
export type SigningEffect = Pick<DeliveryEffect, 'corruptSignature' | 'unsigned' | 'staleTimestamp'>;

/** The part of an effect that concerns the signatures. */
export function signingEffectOf(effect: { readonly [E in keyof SigningEffect]?: true | undefined }): SigningEffect {
  const { corruptSignature, unsigned, staleTimestamp } = effect;
  return {
    ...(corruptSignature ? { corruptSignature } : {}),
    ...(unsigned ? { unsigned } : {}),
    ...(staleTimestamp ? { staleTimestamp } : {}),
  };
}

/** How long a reordered delivery waits for the next one, in milliseconds of world time. */
const reorderLimitMs = 5000;

/** What remains to be done to an attempt that was held back and has its time now. */
export function afterHold({ delayMs: _delay, reorder: _reorder, ...rest }: DeliveryEffect): DeliveryEffect {
  return rest;
}

/** How long an effect holds an attempt back at most, in milliseconds of world time; null when it does not. */
export function holdMs({ delayMs = 0, reorder }: DeliveryEffect): number | null {
  const longest = Math.max(delayMs, reorder ? reorderLimitMs : 0);
  return longest > 0 ? longest : null;
}
