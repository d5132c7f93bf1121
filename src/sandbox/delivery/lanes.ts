import { isOrdered } from '../../domain/webhooks/delivery.js';
import type { OutboxRecord } from '../../world/rows.js';

/** How many attempts of a subscription may be open beside the one in order: its retries and resends. */
const maxUnordered = 4;

/** What one subscription is owed and not yet being sent. */
interface Lane {
  /** Attempts that go one after another, in the order of their events. */
  readonly ordered: OutboxRecord[];
  /** Retries and resends, which wait for none but their own message. */
  readonly unordered: OutboxRecord[];
  openOrdered: boolean;
  openUnordered: number;
}

/**
 * What a world owes, subscription by subscription, in memory: which attempt may begin next.
 * Every question costs the same however much has been delivered before.
 */
export class AttemptLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #known = new Set<string>();
  /** Messages with an attempt under way; attempts of one message never overlap, so that they can be numbered. */
  readonly #busyMessages = new Set<string>();
  /** By subscription, the reordered attempt that waits for a next one to come. */
  readonly #alone = new Map<string, OutboxRecord>();
  /** By attempt, the reordered one that goes when it has ended. */
  readonly #behind = new Map<string, string>();

  /** Attempts that are queued or under way. */
  get size(): number {
    return this.#known.size;
  }

  /** Queues an attempt; one that is here already is left where it is. */
  add(row: OutboxRecord): void {
    if (this.#known.has(row.id)) return;
    this.#known.add(row.id);
    if (this.#alone.get(row.subscriptionId)?.id === row.id) this.#alone.delete(row.subscriptionId);
    const lane = this.#lane(row.subscriptionId);
    if (isOrdered(row.kind)) insertByOrder(lane.ordered, row);
    else lane.unordered.push(row);
  }

  /** Takes the attempt of a subscription that may begin now; undefined when none may. */
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

  /** Takes note that an attempt that was taken has ended. */
  end(row: OutboxRecord): void {
    const lane = this.#lane(row.subscriptionId);
    if (isOrdered(row.kind)) lane.openOrdered = false;
    else lane.openUnordered -= 1;
    this.#known.delete(row.id);
    this.#busyMessages.delete(row.messageId);
    const isIdle = lane.ordered.length === 0 && lane.unordered.length === 0 && !lane.openOrdered && lane.openUnordered === 0;
    if (isIdle) this.#lanes.delete(row.subscriptionId);
  }

  /** Takes note of an attempt that an effect holds back. */
  hold(row: OutboxRecord): void {
    if (!row.effect?.reorder) return;
    if (row.behind === undefined) this.#alone.set(row.subscriptionId, row);
    else {
      this.#alone.delete(row.subscriptionId);
      this.#behind.set(row.behind, row.id);
    }
  }

  /** The reordered attempt of a subscription that has no next one yet to go behind. */
  heldAlone(subscriptionId: string): OutboxRecord | undefined {
    return this.#alone.get(subscriptionId);
  }

  /** The id of the attempt that was held until this one ended; undefined when none was. */
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

/** Nearly always at the end: only what was held back or repeated belongs further ahead. */
function insertByOrder(rows: OutboxRecord[], row: OutboxRecord): void {
  let index = rows.length;
  while (index > 0 && rows[index - 1]!.order > row.order) index -= 1;
  rows.splice(index, 0, row);
}
