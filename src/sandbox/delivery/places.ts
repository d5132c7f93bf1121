/** How many attempts at endpoints outside the process may be open at a time, of all worlds together. */
const maxOpen = 512;

/** The part that one world has in the places for open attempts. */
export interface Share {
  open: number;
  /** Subscriptions that found no place, longest wait first. */
  readonly waiting: Set<string>;
  /** Begins an attempt of a subscription, in a place that it takes; false when there is none to begin. */
  readonly begin: (subscriptionId: string) => boolean;
}

/**
 * The places for open attempts. A world may take one as long as it leaves as many free as it would have: however many silent endpoints
 * one world or several have, there is a place for the next. Those that wait have their turn, one world after the other.
 */
export class Places {
  #open = 0;
  readonly #waiting = new Set<Share>();

  hasOne(share: Share): boolean {
    return share.open < maxOpen - this.#open;
  }

  take(share: Share): void {
    share.open += 1;
    this.#open += 1;
  }

  /** Takes a place back, and gives out those that are free now. */
  free(share: Share): void {
    share.open -= 1;
    this.#open -= 1;
    // A share that is put back is visited again, after the others.
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

  /** Has a subscription wait for a place. */
  wait(share: Share, subscriptionId: string): void {
    share.waiting.add(subscriptionId);
    this.#waiting.add(share);
  }

  /** Lets nobody of a share wait any longer. */
  leave(share: Share): void {
    share.waiting.clear();
    this.#waiting.delete(share);
  }
}
