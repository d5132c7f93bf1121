import { isOrdered } from '../../domain/webhooks/delivery.js';
import type { OutboxRecord } from '../../world/rows.js';

/** Maximum open retries and resends of a subscription, in addition to its first attempt. */
const maxUnordered = 4;

/** The pending attempts of one subscription. */
interface Lane {
  /** First attempts, sent one after another in the order of their events. */
  readonly ordered: OutboxRecord[];
  /** Retries and resends, which wait only for attempts of the same message. */
  readonly unordered: OutboxRecord[];
  openOrdered: boolean;
  openUnordered: number;
}

/**
 * The pending attempts of a world in memory, by subscription. Decides which may start next. The cost of each call does not depend on
 * earlier deliveries.
 */
export class AttemptLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #known = new Set<string>();
  /** Messages with an open attempt. Attempts of one message never overlap, so that they can be numbered. */
  readonly #busyMessages = new Set<string>();
  /** By subscription, the reordered attempt that waits for the next one. */
  readonly #alone = new Map<string, OutboxRecord>();
  /** By attempt, the reordered one that is sent after it has ended. */
  readonly #behind = new Map<string, string>();

  /** Number of queued and open attempts. */
  get size(): number {
    return this.#known.size;
  }

  /** Queues an attempt, unless it is here already. */
  add(row: OutboxRecord): void {
    if (this.#known.has(row.id)) return;
    this.#known.add(row.id);
    if (this.#alone.get(row.subscriptionId)?.id === row.id) this.#alone.delete(row.subscriptionId);
    const lane = this.#lane(row.subscriptionId);
    if (isOrdered(row.kind)) insertByOrder(lane.ordered, row);
    else lane.unordered.push(row);
  }

  /** Takes the attempt of a subscription that may start now; undefined if there is none. */
  take(subscriptionId: string): OutboxRecord | undefined {
    const lane = this.#lanes.get(subscriptionId);
    if (!lane) return undefined;
    const isFree = (row: OutboxRecord) => !this.#busyMessages.has(row.messageId);
    const first = lane.ordered[0];
    if (first && !lane.openOrdered && isFree(first)) {
      lane.ordered.shift();
      lane.openOrdered = true;
      this.#busyMessages.add(first.messageId);
      return first;
    }
    const index = lane.openUnordered < maxUnordered ? lane.unordered.findIndex(isFree) : -1;
    if (index < 0) return undefined;
    const [row] = lane.unordered.splice(index, 1);
    if (!row) return undefined;
    lane.openUnordered += 1;
    this.#busyMessages.add(row.messageId);
    return row;
  }

  /** Records the end of a taken attempt. */
  end(row: OutboxRecord): void {
    const lane = this.#lane(row.subscriptionId);
    if (isOrdered(row.kind)) lane.openOrdered = false;
    else lane.openUnordered -= 1;
    this.#known.delete(row.id);
    this.#busyMessages.delete(row.messageId);
    const isIdle = lane.ordered.length === 0 && lane.unordered.length === 0 && !lane.openOrdered && lane.openUnordered === 0;
    if (isIdle) this.#lanes.delete(row.subscriptionId);
  }

  /** Records an attempt that an effect delays. */
  hold(row: OutboxRecord): void {
    if (!row.effect?.reorder) return;
    if (row.behind === undefined) this.#alone.set(row.subscriptionId, row);
    else {
      this.#alone.delete(row.subscriptionId);
      this.#behind.set(row.behind, row.id);
    }
  }

  /** Returns the reordered attempt of a subscription that has no next attempt to follow yet. */
  heldAlone(subscriptionId: string): OutboxRecord | undefined {
    return this.#alone.get(subscriptionId);
  }

  /** Removes and returns the id of the attempt that waited for this one to end; undefined if there is none. */
  takeHeldBehind(attemptId: string): string | undefined {
    const held = this.#behind.get(attemptId);
    this.#behind.delete(attemptId);
    return held;
  }

  #lane(subscriptionId: string): Lane {
    let lane = this.#lanes.get(subscriptionId);
    if (!lane) this.#lanes.set(subscriptionId, (lane = { ordered: [], unordered: [], openOrdered: false, openUnordered: 0 }));
    return lane;
  }
}

/** Searches from the end, because only delayed or repeated attempts belong further ahead. */
function insertByOrder(rows: OutboxRecord[], row: OutboxRecord): void {
  let index = rows.length;
  while (index > 0 && rows[index - 1]!.order > row.order) index -= 1;
  rows.splice(index, 0, row);
}
