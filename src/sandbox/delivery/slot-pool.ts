/** Maximum open attempts at endpoints outside the process, for all worlds. */
const maxOpen = 512;

/** The slots of one world. */
export interface Slots {
  open: number;
  /** Subscriptions that wait for a slot, longest wait first. */
  readonly waiting: Set<string>;
  /** Starts an attempt of a subscription, which takes a slot; false if none is ready. */
  readonly begin: (subscriptionId: string) => boolean;
}

/**
 * Slots for open attempts. A world may take one while more slots are free than it uses. So there is a slot for the next one, regardless of
 * how many slow endpoints one or several worlds have. Waiting worlds take turns.
 */
export class SlotPool {
  #open = 0;
  readonly #waiting = new Set<Slots>();

  hasOne(share: Slots): boolean {
    return share.open < maxOpen - this.#open;
  }

  take(share: Slots): void {
    share.open += 1;
    this.#open += 1;
  }

  /** Frees a slot and assigns the free ones. */
  free(share: Slots): void {
    share.open -= 1;
    this.#open -= 1;
    // A share that is added again is visited again, after the others.
    for (const each of this.#waiting) {
      if (!this.hasOne(each)) continue;
      this.#waiting.delete(each);
      for (const subscriptionId of each.waiting) {
        each.waiting.delete(subscriptionId);
        if (each.begin(subscriptionId)) {
          each.waiting.add(subscriptionId);
          break;
        }
      }
      if (each.waiting.size > 0) this.#waiting.add(each);
    }
  }

  /** Makes a subscription wait for a slot. */
  wait(share: Slots, subscriptionId: string): void {
    share.waiting.add(subscriptionId);
    this.#waiting.add(share);
  }

  /** Removes the waiting subscriptions of a world. */
  leave(share: Slots): void {
    share.waiting.clear();
    this.#waiting.delete(share);
  }
}
