import type { OutboxRecord } from '../../../world/rows.js';
import type { Change } from '../../../world/state.js';
import { kinds } from '../../../domain/kinds.js';
import { Attempt, Call } from '../findings/call.js';
import { nextOrder, type AttemptRecord, type RequestRecord } from '../../../exchange/exchange.js';
import { Resilience } from './resilience.js';
import { documentReasons, resourcesIn, shownByResponse, shownByEvent, showsStatuses, type ShownStatus } from './shown.js';
import { Tally, type StoredTally, type Occasion } from './tally.js';
import { evictOldest } from '../../../domain/evict-oldest.js';

/** Maximum number of resources whose last shown state is remembered. */
const maxLast = 4096;
/** Prefix of the ids of faults. The ids of rules begin with the name of their scenario. */
const faultPrefix = 'fault:';

/** The counts of a world as JSON. */
export interface StoredCoverage {
  readonly tally: StoredTally;
  readonly calls: number;
  readonly writes: number;
  readonly attempts: number;
}

/** Counts the requests and webhooks of one world and the statuses that they show, in bounded memory. */
export class WorldCoverage {
  readonly #statesOf: (shown: ShownStatus) => readonly string[];
  #tally = new Tally();
  /** Tracks the injected faults. The rule runner sends requests to this tracker before they are counted here. */
  readonly resilience = new Resilience(() => this.#tally);
  /** The last status of each resource that the client was shown, and the number of statuses in its last shown history. */
  readonly #last = new Map<string, { readonly status: string; readonly length: number }>();
  /** The last hit counter of each rule in the world, by rule id. */
  readonly #hits = new Map<string, number>();
  /** Response data that was already counted. The data never changes, and most reads return the same object again. */
  #counted = new WeakSet<object>();
  /** Requests that began before this order belong to an earlier generation. */
  #since = 0;
  #now: Occasion = { ms: 0, test: null };
  calls = 0;
  writes = 0;
  attempts = 0;

  /** @param statesOf returns all statuses of a resource in the world so far, oldest first */
  constructor(statesOf: (shown: ShownStatus) => readonly string[]) {
    this.#statesOf = statesOf;
  }

  get tally(): Tally {
    return this.#tally;
  }

  request(record: RequestRecord): void {
    if (record.began.order < this.#since) return;
    const call = new Call(record);
    const { operationId, isDelivered } = call;
    const { status, ended, test, response } = record;
    const now = (this.#now = { ms: ended.worldMs ?? ended.realMs, test });
    this.calls += 1;
    if (call.isWrite) this.writes += 1;
    if (operationId === null || !isDelivered) return;
    this.#tally.meet('operations', operationId, now);
    this.#tally.meet('statuses', `${operationId}.${status}`, now);
    this.#tally.meet('outcomes', `${operationId}.${status < 400 ? 'ok' : record.code}`, now);
    if (status >= 300 || !showsStatuses(operationId)) return;
    for (const value of resourcesIn(response.value)) {
      if (this.#counted.has(value)) continue;
      this.#counted.add(value);
      for (const each of shownByResponse(operationId, value)) this.#show(each, now);
      for (const code of documentReasons(operationId, value)) this.#tally.meet('reasons', `DOCUMENT.${code}`, now);
    }
  }

  attempt(record: AttemptRecord): void {
    if (record.synthetic || record.toInbox || record.began.order < this.#since) return;
    const attempt = new Attempt(record);
    this.attempts += 1;
    if (!attempt.isAccepted || !attempt.isGenuine) return;
    const now = { ms: Date.parse(attempt.at), test: record.test };
    this.#tally.meet('events', record.eventType, now);
    for (const each of shownByEvent(record.eventType, record.payload)) this.#showEvent(each, now);
  }

  committed(changes: readonly Change[]): void {
    for (const { table, id, row } of changes) {
      if (row === null) continue;
      if (table === 'outbox') this.resilience.queued(row as OutboxRecord);
      if (table !== 'ruleCounts' || id.startsWith(faultPrefix)) continue;
      const { hits } = row as { hits: number };
      if (hits > (this.#hits.get(id) ?? 0)) this.#tally.meet('rules', id, this.#now);
      this.#hits.set(id, hits);
    }
  }

  /** Called when the state of the world was replaced: its open fault tests can no longer end. */
  replaced(): void {
    this.#since = nextOrder();
    this.#forget();
  }

  #forget(): void {
    this.resilience.clear();
    this.#last.clear();
    this.#counted = new WeakSet();
    this.#hits.clear();
  }

  /** Returns the counts for the next node that has the world. */
  stored(): StoredCoverage {
    const { calls, writes, attempts } = this;
    return { tally: this.#tally.stored(), calls, writes, attempts };
  }

  /** Adds the counts that the previous node of the world stored. */
  restore({ tally, calls, writes, attempts }: StoredCoverage): void {
    this.#tally.add(tally);
    this.calls += calls;
    this.writes += writes;
    this.attempts += attempts;
  }

  /** Deletes all counts. */
  clear(): void {
    this.#forget();
    this.#tally = new Tally();
    this.calls = this.writes = this.attempts = 0;
  }

  /** Counts the status change in an event. The payload contains only the new status, so the world provides the previous one. */
  #showEvent(shown: ShownStatus, now: Occasion): void {
    const status = shown.statuses[0]!;
    const states = this.#statesOf(shown);
    const from = states[states.lastIndexOf(status) - 1];
    this.#show(from === undefined || this.#last.get(`${shown.kind} ${shown.id}`)?.status === status ? shown : { ...shown, from }, now);
  }

  #show({ kind, id, statuses, reasons, intent, from: before }: ShownStatus & { readonly from?: string }, now: Occasion): void {
    const key = `${kind} ${id}`;
    const last = this.#last.get(key);
    const present = statuses.at(-1)!;
    const isHistory = statuses.length > 1;
    if (last?.status === present && (!isHistory || last.length === statuses.length)) return;
    // Statuses that were shown before are not counted again.
    const known = isHistory ? Math.max(last?.length ?? 1, 1) : 1;
    const earlier = before ?? last?.status;
    const path = isHistory || earlier === undefined ? statuses : [earlier, present];
    for (const [index, to] of path.entries()) {
      const from = path[index - 1];
      if (index < known || from === undefined || !(kinds[kind].transitions[from] ?? []).includes(to)) continue;
      this.#tally.meet('transitions', `${kind}.${from}.${to}`, now);
      if (intent !== undefined) this.#tally.meet('transitions', `${kind}.${from}.${to}.${intent}`, now);
    }
    for (const code of reasons) this.#tally.meet('reasons', `${kind}.${code}`, now);
    this.#last.delete(key);
    this.#last.set(key, { status: present, length: isHistory ? statuses.length : (last?.length ?? 1) });
    evictOldest(this.#last, maxLast);
  }
}
