import { isOrdered } from '../../domain/webhooks/delivery.js';
import type { OutboxRecord } from '../../world/rows.js';

/** Maximum number of open retries and resends of a subscription, in addition to first attempts. */
const maxUnordered = 4;

/** The queue of pending attempts of one subscription. */
interface SubscriptionQueue {
  /** First attempts, sent one after another in the order of their events. */
  readonly ordered: OutboxRecord[];
  /** Retries and resends. Each waits only for open attempts of its own message. */
  readonly unordered: OutboxRecord[];
  openOrdered: boolean;
  /** Number of open first attempts that do not delay the next first attempt, because an effect lets them overlap. */
  openBeside: number;
  openUnordered: number;
}

/**
 * The pending attempts of a world in memory, by subscription. Decides which attempt may start next. The cost of each call does not depend
 * on the number of earlier deliveries.
 */
export class AttemptQueues {
  readonly #queues = new Map<string, SubscriptionQueue>();
  readonly #known = new Set<string>();
  /** Queued attempts that may not start yet, because the commit with their effect is not stored. */
  readonly #reserved = new Set<string>();
  /** Messages with an open attempt. Attempts of one message never overlap, so that they can be numbered. */
  readonly #busyMessages = new Set<string>();
  /** Delayed attempts that still wait for an attempt of another event, by the delay key of this other event (`row.awaits`). */
  readonly #waiting = new Map<string, Map<string, OutboxRecord>>();
  /** The delay keys of the attempts in `#waiting`, by attempt id. */
  readonly #awaited = new Map<string, string>();
  /** Ids of the delayed attempts that are sent when another attempt has ended, by the id of this other attempt. */
  readonly #behind = new Map<string, string[]>();

  /** Number of queued and open attempts. */
  get size(): number {
    return this.#known.size;
  }

  /** Queues an attempt, unless it is already queued or open. Lets a reserved attempt start. */
  add(row: OutboxRecord): void {
    const { ordered, unordered } = this.#queueOf(row.subscriptionId);
    if (this.#reserved.delete(row.id)) {
      for (const queue of [ordered, unordered]) {
        const index = queue.findIndex(({ id }) => id === row.id);
        if (index >= 0) queue[index] = row;
      }
      return;
    }
    if (this.#known.has(row.id)) return;
    this.#known.add(row.id);
    this.release(row.id);
    if (isOrdered(row.kind)) insertByOrder(ordered, row);
    else unordered.push(row);
  }

  /** Queues an attempt that may start only after {@link add}, so that later attempts do not overtake it meanwhile. */
  reserve(row: OutboxRecord): void {
    this.add(row);
    this.#reserved.add(row.id);
  }

  /** True if a queued attempt may not start yet. */
  get hasReserved(): boolean {
    return this.#reserved.size > 0;
  }

  /** Removes a deleted attempt that has not started. */
  forget(id: string): void {
    this.release(id);
    if (!this.#reserved.delete(id)) return;
    this.#known.delete(id);
    for (const { ordered, unordered } of this.#queues.values()) {
      for (const queue of [ordered, unordered]) {
        const index = queue.findIndex((row) => row.id === id);
        if (index >= 0) queue.splice(index, 1);
      }
    }
  }

  /** Removes the attempt of a subscription that may start now from the queue and returns it; undefined if there is none. */
  take(subscriptionId: string): OutboxRecord | undefined {
    const queue = this.#queues.get(subscriptionId);
    if (!queue) return undefined;
    const isFree = (row: OutboxRecord) => !this.#busyMessages.has(row.messageId) && !this.#reserved.has(row.id);
    const first = queue.ordered[0];
    if (first && !queue.openOrdered && isFree(first)) {
      queue.ordered.shift();
      if (first.beside) queue.openBeside += 1;
      else queue.openOrdered = true;
      this.#busyMessages.add(first.messageId);
      return first;
    }
    const index = queue.openUnordered < maxUnordered ? queue.unordered.findIndex(isFree) : -1;
    if (index < 0) return undefined;
    const [row] = queue.unordered.splice(index, 1);
    if (!row) return undefined;
    queue.openUnordered += 1;
    this.#busyMessages.add(row.messageId);
    return row;
  }

  /** Records the end of a taken attempt. */
  end(row: OutboxRecord): void {
    const queue = this.#queueOf(row.subscriptionId);
    if (isOrdered(row.kind) && row.beside) queue.openBeside -= 1;
    else if (isOrdered(row.kind)) queue.openOrdered = false;
    else queue.openUnordered -= 1;
    this.#known.delete(row.id);
    this.#busyMessages.delete(row.messageId);
    const isIdle = queue.ordered.length + queue.unordered.length + queue.openBeside + queue.openUnordered === 0 && !queue.openOrdered;
    if (isIdle) this.#queues.delete(row.subscriptionId);
  }

  /** Records an attempt that an effect delays. */
  hold(row: OutboxRecord): void {
    if (row.awaits === undefined) return;
    this.release(row.id);
    if (row.behind === undefined) {
      const group = this.#waiting.get(row.awaits) ?? new Map<string, OutboxRecord>();
      this.#waiting.set(row.awaits, group.set(row.id, row));
      this.#awaited.set(row.id, row.awaits);
    } else {
      this.#behind.set(row.behind, [...(this.#behind.get(row.behind) ?? []), row.id]);
    }
  }

  /** Records that a delayed attempt no longer waits for another attempt. */
  release(id: string): void {
    const key = this.#awaited.get(id);
    if (key === undefined) return;
    const group = this.#waiting.get(key);
    group?.delete(id);
    if (group?.size === 0) this.#waiting.delete(key);
    this.#awaited.delete(id);
  }

  /** True if any delayed attempt waits for another attempt. */
  get isAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  /** Returns the delayed attempts that wait for an attempt with one of these delay keys, oldest first. */
  waitingFor(keys: readonly string[]): OutboxRecord[] {
    return keys.flatMap((key) => [...(this.#waiting.get(key)?.values() ?? [])]).toSorted((a, b) => a.order - b.order);
  }

  /** Removes and returns the ids of the delayed attempts that waited for the end of this attempt. */
  takeHeldBehind(attemptId: string): readonly string[] {
    const held = this.#behind.get(attemptId) ?? [];
    this.#behind.delete(attemptId);
    return held;
  }

  #queueOf(subscriptionId: string): SubscriptionQueue {
    let queue = this.#queues.get(subscriptionId);
    if (!queue)
      this.#queues.set(subscriptionId, (queue = { ordered: [], unordered: [], openOrdered: false, openBeside: 0, openUnordered: 0 }));
    return queue;
  }
}

/** Inserts a row by its order. Searches from the end, because only delayed or repeated attempts belong further ahead. */
function insertByOrder(rows: OutboxRecord[], row: OutboxRecord): void {
  let index = rows.length;
  while (index > 0 && rows[index - 1]!.order > row.order) index -= 1;
  rows.splice(index, 0, row);
}
