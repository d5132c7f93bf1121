import type { WriteChallenge } from '../../contract/control/mirror/coverage.js';
import type { Call } from '../findings/call.js';
import type { Tally } from './tally.js';
import { evictOldest } from '../../domain/evict-oldest.js';

/** A call that went wrong on purpose, of which it is not known yet whether the client copes. */
interface Open {
  readonly challenge: WriteChallenge;
  readonly cell: string;
  readonly key: string;
  /** Null where the body was not read before. */
  readonly fingerprint: string | null;
  /** The id of what it has made, where the answer with unknown fields told it. */
  readonly madeId: string | null;
  readonly order: number;
  readonly token: string | null;
  /** How many tokens had been issued until then. */
  readonly tokens: number;
  /** Before this instant of real time, no retry may begin. */
  readonly notBeforeMs: number;
}

/** How many are open at once; of an older one it never becomes clear. */
const maxOpen = 1000;
/** How much sooner than Retry-After says a retry may come: clocks and networks are not exact. */
const tolerableMs = 50;

/** What went wrong with the writes of one world, and how its client has coped. */
export class CallChallenges {
  readonly #tally: Tally;
  readonly #open = new Set<Open>();
  readonly #byKey = new Map<string, Set<Open>>();
  readonly #byFingerprint = new Map<string, Set<Open>>();
  readonly #byId = new Map<string, Set<Open>>();
  /** When the newest call of each key began that told its client how it ended, of the latest thousand keys. */
  readonly #told = new Map<string, number>();
  #tokens = 0;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  exchange(call: Call): void {
    if (call.operationId === 'createToken' && call.isTold && call.seen.status < 300) this.#tokens += 1;
    if (this.#byId.size > 0) this.#use(call);
    if (!isKeyed(call)) return;
    if (this.#open.size > 0) this.#settle(call);
    this.#meet(call);
    if (call.isAnswered) this.#remember(call);
  }

  /** The client did not wait for an answer. */
  gone(call: Call): void {
    if (isKeyed(call)) this.#meet(call);
  }

  clear(): void {
    for (const each of [this.#open, this.#byKey, this.#byFingerprint, this.#byId, this.#told]) each.clear();
  }

  #meet(call: Call): void {
    const challenge = challengeOf(call);
    if (challenge === null) return;
    const { seen, key, fingerprint, token, test } = call;
    const cell = `${call.operationId}.${challenge}`;
    this.#tally.meet('robustness', cell, { ms: Date.parse(call.at), test });
    // That a client has gone is seen late: its retry may have begun before, and even have been answered.
    const since = challenge === 'timeout' ? seen.began : seen.ended;
    if (challenge === 'timeout' && (this.#told.get(key!) ?? 0) > since.order) return this.#tally.settle(cell, 'survived');
    const open: Open = {
      challenge,
      cell,
      key: key!,
      fingerprint,
      madeId: challenge === 'unknownFields' ? (call.madeId ?? idIn(call)) : null,
      order: since.order,
      token,
      tokens: this.#tokens,
      notBeforeMs: since.realMs + (call.retryAfterMs ?? 0) - tolerableMs,
    };
    this.#open.add(open);
    for (const [index, name] of this.#places(open)) index.set(name, (index.get(name) ?? new Set()).add(open));
    if (this.#open.size > maxOpen) this.#drop(this.#open.values().next().value!);
  }

  #remember({ key, seen }: Call): void {
    this.#told.delete(key!);
    this.#told.set(key!, seen.began.order);
    evictOldest(this.#told, maxOpen);
  }

  /** Looks whether a write answers what is open: the same request again, by the same key or by another. */
  #settle(call: Call): void {
    const { key, fingerprint } = call;
    for (const open of new Set([...(this.#byFingerprint.get(fingerprint ?? '') ?? []), ...(this.#byKey.get(key!) ?? [])])) {
      if (!call.isAfter(open.order)) continue;
      const isOther = open.fingerprint !== null && fingerprint !== null && open.fingerprint !== fingerprint;
      const end = isOther ? 'failed' : endOf(open, call, this.#tokens);
      if (end !== null) this.#end(open, end);
    }
  }

  /** Looks whether a call uses what was made by an answer with unknown fields. */
  #use(call: Call): void {
    const { target, body } = call.seen;
    const text = `${target} ${body?.text ?? ''}`.toLowerCase();
    for (const [id, opens] of this.#byId)
      if (text.includes(id)) for (const open of opens) if (call.isAfter(open.order) && call.key !== open.key) this.#end(open, 'survived');
  }

  #end(open: Open, end: 'survived' | 'failed'): void {
    this.#tally.settle(open.cell, end);
    this.#drop(open);
  }

  #drop(open: Open): void {
    this.#open.delete(open);
    for (const [index, name] of this.#places(open)) {
      const group = index.get(name);
      group?.delete(open);
      if (group?.size === 0) index.delete(name);
    }
  }

  #places({ key, fingerprint, madeId }: Open): [Map<string, Set<Open>>, string][] {
    return [
      [this.#byKey, key],
      [this.#byFingerprint, fingerprint ?? key],
      ...(madeId === null ? [] : [[this.#byId, madeId] as [Map<string, Set<Open>>, string]]),
    ];
  }
}

/** Whether a call changes something, by a key. */
const isKeyed = ({ seen, key, operationId }: Call) => seen.method !== 'GET' && key !== null && operationId !== 'createToken';

/** The id of what an answer tells of. */
function idIn({ answer }: Call): string | null {
  return typeof answer['id'] === 'string' ? answer['id'] : null;
}

/** What went wrong with a write; null when nothing did that its client has to cope with. */
function challengeOf({ seen }: Call): WriteChallenge | null {
  const { effect, outcome, status, originalStatus } = seen;
  if (outcome === 'CLIENT_GONE') return originalStatus < 500 ? 'timeout' : null;
  if (outcome === 'LOST') return originalStatus >= 500 ? null : effect?.malformedJson ? 'malformed' : 'lostAnswer';
  if (outcome === 'ALTERED') return status < 300 ? 'unknownFields' : null;
  if (effect?.expireToken && status === 401) return 'expireToken';
  return status === 503 ? '503' : status === 429 ? '429' : null;
}

/** How a client has coped, by a later call for the same; null while that is not clear. */
function endOf(open: Open, call: Call, tokens: number): 'survived' | 'failed' | null {
  const isSameKey = call.key === open.key;
  switch (open.challenge) {
    case 'unknownFields':
      return isSameKey ? 'failed' : null;
    case 'expireToken':
      if (!call.isAnswered || call.token === open.token) return null;
      return tokens - open.tokens === 1 ? 'survived' : 'failed';
    default:
      if (!isSameKey || call.seen.began.realMs < open.notBeforeMs) return 'failed';
      return call.isAnswered ? 'survived' : null;
  }
}
