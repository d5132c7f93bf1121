import type { OutboxRecord } from '../../world/rows.js';
import type { Change } from '../../world/state.js';
import { kinds } from '../../domain/kinds.js';
import { Attempt, Call } from '../findings/call.js';
import { nextOrder, type AttemptRecord, type RequestRecord } from '../../world/observer.js';
import { CallChallenges } from './call-challenges.js';
import { EventChallenges } from './event-challenges.js';
import { documentReasons, resourcesIn, shownByAnswer, shownByEvent, showsStatuses, type Shown } from './shown.js';
import { Tally, type Occasion } from './tally.js';
import { evictOldest } from '../../domain/evict-oldest.js';

/** Of how many resources it is remembered how the client saw them last. */
const maxLast = 4096;
/** Rules of a scenario have the name of its file before theirs; faults have this. */
const faultPrefix = 'fault:';

/** Counts what happens in one world and what of it the client has seen, in memory that does not grow. */
export class WorldCoverage {
  #tally = new Tally();
  #calls = new CallChallenges(this.#tally);
  #events = new EventChallenges(this.#tally);
  /** How the client saw each resource last, where the API does not tell what was before. */
  readonly #last = new Map<string, { readonly status: string; readonly length: number }>();
  /** How often each rule had applied, by the counters of the world. */
  readonly #hits = new Map<string, number>();
  /** Data that was shown already. It never changes, and most reads show the same again. */
  #counted = new WeakSet<object>();
  /** Whatever began before this belongs to an earlier chapter. */
  #since = 0;
  #now: Occasion = { ms: 0, test: null };
  calls = 0;
  writes = 0;
  attempts = 0;

  get tally(): Tally {
    return this.#tally;
  }

  request(record: RequestRecord): void {
    if (record.began.order < this.#since) return;
    const call = new Call(record);
    const { operationId, isTold } = call;
    const { status, ended, test, response } = record;
    const now = (this.#now = { ms: ended.worldMs ?? ended.realMs, test });
    this.calls += 1;
    if (call.isWrite) this.writes += 1;
    this.#calls.exchange(call);
    this.#events.exchange(call);
    if (operationId === null || !isTold) return;
    this.#tally.meet('operations', operationId, now);
    this.#tally.meet('statuses', `${operationId}.${status}`, now);
    this.#tally.meet('outcomes', `${operationId}.${status < 400 ? 'ok' : record.code}`, now);
    if (status >= 300 || !showsStatuses(operationId)) return;
    for (const value of resourcesIn(response.value)) {
      if (this.#counted.has(value)) continue;
      this.#counted.add(value);
      for (const each of shownByAnswer(operationId, value)) this.#show(each, now);
      for (const code of documentReasons(operationId, value)) this.#tally.meet('reasons', `DOCUMENT.${code}`, now);
    }
  }

  clientDisconnected(record: RequestRecord): void {
    if (record.began.order >= this.#since) this.#calls.gone(new Call(record));
  }

  attempt(record: AttemptRecord): void {
    if (record.synthetic || record.own || record.began.order < this.#since) return;
    const attempt = new Attempt(record);
    this.attempts += 1;
    this.#events.attempt(attempt);
    if (!attempt.isAccepted || !attempt.isGenuine) return;
    const now = { ms: Date.parse(attempt.at), test: record.test };
    this.#tally.meet('events', record.eventType, now);
    for (const each of shownByEvent(record.eventType, record.payload)) this.#show(each, now);
  }

  committed(changes: readonly Change[]): void {
    for (const { table, id, row } of changes) {
      if (row === null) continue;
      if (table === 'outbox') this.#events.queued(row as OutboxRecord);
      if (table !== 'ruleCounts' || id.startsWith(faultPrefix)) continue;
      const { hits } = row as { hits: number };
      if (hits > (this.#hits.get(id) ?? 0)) this.#tally.meet('rules', id, this.#now);
      this.#hits.set(id, hits);
    }
  }

  /** The world has another state: what was open there comes to no end. */
  replaced(): void {
    this.#since = nextOrder();
    this.#forget();
  }

  #forget(): void {
    this.#calls.clear();
    this.#events.clear();
    this.#last.clear();
    this.#counted = new WeakSet();
    this.#hits.clear();
  }

  /** Starts from nothing. */
  clear(): void {
    this.#forget();
    this.#tally = new Tally();
    this.#calls = new CallChallenges(this.#tally);
    this.#events = new EventChallenges(this.#tally);
    this.calls = this.writes = this.attempts = 0;
  }

  #show({ kind, id, statuses, reasons, intent }: Shown, now: Occasion): void {
    const key = `${kind} ${id}`;
    const last = this.#last.get(key);
    const present = statuses.at(-1)!;
    const isHistory = statuses.length > 1;
    if (last?.status === present && (!isHistory || last.length === statuses.length)) return;
    // What was shown before is not counted again.
    const known = isHistory ? Math.max(last?.length ?? 1, 1) : 1;
    const path = isHistory || last === undefined ? statuses : [last.status, present];
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
