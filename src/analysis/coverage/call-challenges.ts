import type { WriteChallenge } from '../../contract/control/analysis/coverage.js';
import type { Call } from '../findings/call.js';
import type { Tally } from './tally.js';
import { evictOldest } from '../../domain/evict-oldest.js';

/** A request with an injected fault; it is not known yet whether the client handles it. */
interface Open {
  readonly challenge: WriteChallenge;
  readonly cell: string;
  readonly key: string;
  /** Null if the body was not read. */
  readonly fingerprint: string | null;
  /** The id of the created resource, if the response with unknown fields contained it. */
  readonly madeId: string | null;
  readonly order: number;
  readonly token: string | null;
  /** Number of tokens issued until then. */
  readonly tokens: number;
  /** Earliest real time of a valid retry, in milliseconds. */
  readonly notBeforeMs: number;
}

/** Maximum number of open fault tests; older ones stay undecided. */
const maxOpen = 1000;
/** Tolerance for a retry before its Retry-After time, because clocks and networks are inexact, in milliseconds. */
const tolerableMs = 50;

/** The fault tests of the writes of one world, and how its client handles them. */
export class CallChallenges {
  readonly #tally: Tally;
  readonly #open = new Set<Open>();
  readonly #byKey = new Map<string, Set<Open>>();
  readonly #byFingerprint = new Map<string, Set<Open>>();
  readonly #byId = new Map<string, Set<Open>>();
  /** Order of the begin of the newest request for each key whose client knows the outcome; at most the latest thousand keys. */
  readonly #told = new Map<string, number>();
  #tokens = 0;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  exchange(call: Call): void {
    if (call.operationId === 'createToken' && call.isDelivered && call.record.status < 300) this.#tokens += 1;
    if (this.#byId.size > 0) this.#use(call);
    if (!isKeyed(call)) return;
    if (this.#open.size > 0) this.#settle(call);
    this.#meet(call);
    if (call.isAnswered) this.#remember(call);
  }

  /** Called when the client did not wait for a response. */
  gone(call: Call): void {
    if (isKeyed(call)) this.#meet(call);
  }

  clear(): void {
    for (const each of [this.#open, this.#byKey, this.#byFingerprint, this.#byId, this.#told]) each.clear();
  }

  #meet(call: Call): void {
    const challenge = challengeOf(call);
    if (challenge === null) return;
    const { record, key, fingerprint, token, test } = call;
    const cell = `${call.operationId}.${challenge}`;
    this.#tally.meet('resilience', cell, { ms: Date.parse(call.at), test });
    // A disconnect is noticed late: the retry may have begun before it, and may even have a response.
    const since = challenge === 'timeout' ? record.began : record.ended;
    if (challenge === 'timeout' && (this.#told.get(key!) ?? 0) > since.order) return this.#tally.settle(cell, 'passed');
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

  #remember({ key, record }: Call): void {
    this.#told.delete(key!);
    this.#told.set(key!, record.began.order);
    evictOldest(this.#told, maxOpen);
  }

  /** Decides open fault tests if a write repeats their request, with the same key or another. */
  #settle(call: Call): void {
    const { key, fingerprint } = call;
    for (const open of new Set([...(this.#byFingerprint.get(fingerprint ?? '') ?? []), ...(this.#byKey.get(key!) ?? [])])) {
      if (!call.isAfter(open.order)) continue;
      const isOther = open.fingerprint !== null && fingerprint !== null && open.fingerprint !== fingerprint;
      const end = isOther ? 'failed' : endOf(open, call, this.#tokens);
      if (end !== null) this.#end(open, end);
    }
  }

  /** Decides open fault tests if a request uses the resource from a response with unknown fields. */
  #use(call: Call): void {
    const { target, body } = call.record;
    const text = `${target} ${body?.text ?? ''}`.toLowerCase();
    for (const [id, opens] of this.#byId)
      if (text.includes(id)) for (const open of opens) if (call.isAfter(open.order) && call.key !== open.key) this.#end(open, 'passed');
  }

  #end(open: Open, end: 'passed' | 'failed'): void {
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

/** True if a request changes something and has a key. */
const isKeyed = ({ record, key, operationId }: Call) => record.method !== 'GET' && key !== null && operationId !== 'createToken';

/** Returns the id of the resource in a response. */
function idIn({ responseBody }: Call): string | null {
  return typeof responseBody['id'] === 'string' ? responseBody['id'] : null;
}

/** Returns the fault test of a write; null if there is nothing for the client to handle. */
function challengeOf({ record }: Call): WriteChallenge | null {
  const { effect, outcome, status, originalStatus } = record;
  if (outcome === 'CLIENT_DISCONNECTED') return originalStatus < 500 ? 'timeout' : null;
  if (outcome === 'LOST') return originalStatus >= 500 ? null : effect?.malformedJson ? 'malformed' : 'lostResponse';
  if (outcome === 'MODIFIED') return status < 300 ? 'unknownFields' : null;
  if (effect?.expireToken && status === 401) return 'expireToken';
  return status === 503 ? '503' : status === 429 ? '429' : null;
}

/** Returns how a client handled a fault, from a later request for the same; null if that is not clear yet. */
function endOf(open: Open, call: Call, tokens: number): 'passed' | 'failed' | null {
  const isSameKey = call.key === open.key;
  switch (open.challenge) {
    case 'unknownFields':
      return isSameKey ? 'failed' : null;
    case 'expireToken':
      if (!call.isAnswered || call.token === open.token) return null;
      return tokens - open.tokens === 1 ? 'passed' : 'failed';
    default:
      if (!isSameKey || call.record.began.realMs < open.notBeforeMs) return 'failed';
      return call.isAnswered ? 'passed' : null;
  }
}
