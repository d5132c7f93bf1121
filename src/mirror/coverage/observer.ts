import type { OutboxRecord } from '../../world/rows.js';
import type { Change } from '../../world/state.js';
import { kinds } from '../../domain/kinds.js';
import { objectOf, type Attempt, type Call } from '../findings/call.js';
import type { Handlers } from '../findings/rule.js';
import { CallChallenges } from './call-challenges.js';
import { EventChallenges } from './event-challenges.js';
import { documentReasons, showsStatuses, shownByAnswer, shownByEvent, type Shown } from './shown.js';
import { Tally, type Occasion } from './tally.js';
import { keepWithin } from '../../domain/keep-within.js';

/** Of how many resources it is remembered how the client saw them last. */
const maxLast = 4096;
/** Longer answers are not read: what they show is as if it had not been shown. */
const maxText = 256 * 1024;
/** Rules of a scenario have the name of its file before theirs; faults have this. */
const faultPrefix = 'fault:';

/** What happens in one world, and what of it the client has seen, counted in a memory that does not grow. */
export class Observer implements Handlers {
  #tally = new Tally();
  #calls = new CallChallenges(this.#tally);
  #events = new EventChallenges(this.#tally);
  /** How the client saw each resource last, where the API does not tell what was before. */
  readonly #last = new Map<string, { readonly status: string; readonly length: number }>();
  /** How often each rule had applied, by the counters of the world. */
  readonly #hits = new Map<string, number>();
  #lastBody: string | null = null;
  #now: Occasion = { ms: 0, test: null };
  calls = 0;
  writes = 0;
  attempts = 0;

  get tally(): Tally {
    return this.#tally;
  }

  exchange(call: Call): void {
    const { operationId, seen, isTold } = call;
    const now = (this.#now = { ms: seen.ended.worldMs ?? seen.ended.realMs, test: call.test });
    this.calls += 1;
    if (call.isWrite) this.writes += 1;
    this.#calls.exchange(call);
    this.#events.exchange(call);
    if (operationId === null || !isTold) return;
    this.#tally.meet('operations', operationId, now);
    this.#tally.meet('statuses', `${operationId}.${seen.status}`, now);
    this.#tally.meet('outcomes', `${operationId}.${seen.status < 400 ? 'ok' : seen.code}`, now);
    const { body } = seen.answer;
    if (seen.status >= 300 || !showsStatuses(operationId) || body === null || body.length > maxText) return;
    if (body === this.#lastBody) return; // It polls, and nothing has changed.
    this.#lastBody = body;
    for (const each of shownByAnswer(operationId, call.answer)) this.#show(each, now);
    for (const code of documentReasons(operationId, call.answer)) this.#tally.meet('reasons', `DOCUMENT.${code}`, now);
  }

  gone(call: Call): void {
    this.#calls.gone(call);
  }

  attempt(attempt: Attempt): void {
    const { seen, isAccepted, isGenuine, test } = attempt;
    this.attempts += 1;
    this.#events.attempt(attempt);
    if (!isAccepted || !isGenuine) return;
    const now = { ms: Date.parse(attempt.at), test };
    this.#tally.meet('events', seen.eventType, now);
    for (const each of shownByEvent(seen.eventType, objectOf(JSON.parse(seen.body)))) this.#show(each, now);
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
    this.#calls.clear();
    this.#events.clear();
    this.#last.clear();
    this.#lastBody = null;
    this.#hits.clear();
  }

  /** Starts from nothing. */
  clear(): void {
    this.replaced();
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
    const told = isHistory ? Math.max(last?.length ?? 1, 1) : 1;
    const course = isHistory || last === undefined ? statuses : [last.status, present];
    for (const [index, to] of course.entries()) {
      const from = course[index - 1];
      if (index < told || from === undefined || !(kinds[kind].transitions[from] ?? []).includes(to)) continue;
      this.#tally.meet('transitions', `${kind}.${from}.${to}`, now);
      if (intent !== undefined) this.#tally.meet('transitions', `${kind}.${from}.${to}.${intent}`, now);
    }
    for (const code of reasons) this.#tally.meet('reasons', `${kind}.${code}`, now);
    this.#last.delete(key);
    this.#last.set(key, { status: present, length: isHistory ? statuses.length : (last?.length ?? 1) });
    keepWithin(this.#last, maxLast);
  }
}
