/** Number of slots: maximum of open attempts at endpoints outside the process, for all worlds together. */
const maxOpen = 512;

/** The slots of one world. */
export interface Slots {
  open: number;
  /** Ids of the subscriptions that wait for a slot, longest wait first. */
  readonly waiting: Set<string>;
  /** Starts the next attempt of a subscription, which takes a slot; false if no attempt can start. */
  readonly begin: (subscriptionId: string) => boolean;
}

/**
 * Slots for open attempts. A world may take a slot while more slots are free than the world uses. So worlds with many slow endpoints always
 * leave a slot for a world that uses none. Waiting worlds take turns.
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

  /** Frees a slot of a world and assigns free slots to waiting worlds. */
  free(share: Slots): void {
    share.open -= 1;
    this.#open -= 1;
    // The loop visits a world again, after the others, if the world is added to the set again.
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
