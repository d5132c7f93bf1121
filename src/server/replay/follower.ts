import { worldOperations } from '../../contract/control/routes/worlds.js';
import { isReadMethod } from '../../api/plane/guard.js';
import type { Replay, ReplayAttempt, ReplayCall, ReplayStep } from '../../contract/control/analysis/replay.js';
import type { AttemptRecord, RequestRecord } from '../../exchange/exchange.js';
import { isSameBody, withoutOwnValues } from './same-body.js';

/** A request of a live client. */
export interface LiveCall {
  readonly kind: 'CALL';
  readonly method: string;
  readonly url: string;
  readonly key: string | null;
  /** Number of the recorded step whose live request had this key; null for a new key. */
  readonly keyOf: number | null;
  readonly status: number;
  readonly code: string | null;
  /** Whether the response was stored for an earlier request with this key. */
  readonly isReplay: boolean;
}

/** A webhook attempt at a live client. */
export interface LiveAttempt {
  readonly kind: 'ATTEMPT';
  readonly eventType: string;
  readonly number: number;
  readonly status: number;
  readonly error: string | null;
}

/** The first difference between a recording and a live client. */
export interface FirstDifference {
  /** Number of the recorded step; null if the client continued after the last step. */
  readonly step: number | null;
  /** What the client did instead; null if it ended before this step. */
  readonly now: LiveCall | LiveAttempt | null;
  /** Number of requests and of webhooks that were as recorded. */
  readonly same: { readonly calls: number; readonly attempts: number };
}

/** Whether a request may be made more or less often than recorded: a client polls as fast as its machine is, and keeps its tokens. */
const isOptional = ({ method, operationId }: Pick<ReplayCall, 'method' | 'operationId'>) =>
  isReadMethod(method) || operationId === 'createToken';

/** Whether a step is a request that the client must repeat. */
const isRequired = (step: ReplayStep) => step.kind !== 'ATTEMPT' && !isOptional(step);

/** Compares the requests and webhooks of a live client with a recording, up to the first difference. */
export class Follower {
  readonly #steps: readonly ReplayStep[];
  /** Indexes of the steps that the client has repeated or left out. */
  readonly #done = new Set<number>();
  /** Index of the first step that is not done. */
  #from = 0;
  /** Recorded idempotency keys of the steps that are done, with the lowest number of such a step. */
  readonly #recordedKeys = new Map<string, number>();
  /** Idempotency keys of the live client, with the number of the step that used them first. */
  readonly #keys = new Map<string, number>();
  #departure: FirstDifference | null = null;
  #calls = 0;
  #attempts = 0;

  constructor({ steps }: Pick<Replay, 'steps'>) {
    this.#steps = steps;
  }

  /** The first difference; null if there was none so far. */
  get departure(): FirstDifference | null {
    return this.#departure;
  }

  /** Number of requests and webhooks that were as recorded. */
  get same(): FirstDifference['same'] {
    return { calls: this.#calls, attempts: this.#attempts };
  }

  /** Begins again, because the client has replaced the world. */
  restart(): void {
    this.#done.clear();
    this.#from = 0;
    this.#recordedKeys.clear();
    this.#keys.clear();
    this.#departure = null;
    this.#calls = this.#attempts = 0;
  }

  /** The first step that has not been repeated; undefined without one. */
  get next(): ReplayStep | undefined {
    return this.#steps[this.#from];
  }

  /** Returns the step of a request whose body is not known yet; undefined without one. */
  expected(request: RequestRecord): ReplayCall | undefined {
    return this.#stepOf(request, false)?.step;
  }

  /** Compares a request that has its response. */
  called(request: RequestRecord): void {
    if (this.#departure || worldOperations.has(request.operationId ?? '')) return;
    const found = this.#stepOf(request, true);
    const { idempotencyKey, status, code, method, target, replay } = request;
    const keyOf = idempotencyKey === null ? null : (this.#keys.get(idempotencyKey) ?? null);
    const now: LiveCall = { kind: 'CALL', method, url: target, key: idempotencyKey, keyOf, status, code, isReplay: replay };
    if (!found) {
      if (isOptional(request)) return;
      const index = this.#indexOf(isRequired);
      return this.#depart(index < 0 ? null : index + 1, now);
    }
    const { step, index } = found;
    const isSameResult = step.response.status === status && step.response.code === code;
    if (!isSameResult || this.#keyOf(step) !== keyOf) return this.#depart(index + 1, now);
    // Reads before this step were left out.
    for (let at = this.#from; at < index; at += 1) {
      const each = this.#steps[at]!;
      if (each.kind !== 'ATTEMPT' && isOptional(each)) this.#finish(at);
    }
    this.#finish(index);
    this.#calls += 1;
    if (idempotencyKey !== null && !this.#keys.has(idempotencyKey)) this.#keys.set(idempotencyKey, index + 1);
  }

  /** Compares an attempt that has ended. @param subscription number of its subscription in the order of creation */
  attempted({ eventType, number, httpStatus, error, subscription }: AttemptRecord): void {
    if (this.#departure) return;
    const now: LiveAttempt = { kind: 'ATTEMPT', eventType, number, status: httpStatus, error };
    const index = this.#indexOf(
      (step) => step.kind === 'ATTEMPT' && step.eventType === eventType && step.number === number && step.subscription === subscription,
    );
    if (index < 0) return this.#depart(null, now);
    if ((this.#steps[index] as ReplayAttempt).response.status !== httpStatus) return this.#depart(index + 1, now);
    this.#finish(index);
    this.#attempts += 1;
  }

  /** Compares the end: a client that ends before the last recorded write differs from the recording. */
  ended(): void {
    if (this.#departure) return;
    const index = this.#indexOf(isRequired);
    if (index >= 0) this.#depart(index + 1, null);
  }

  /** Returns the number of the repeated step that first used the recorded key of a step; null for a new key. */
  #keyOf(step: ReplayCall): number | null {
    const key = step.headers['x-idempotency-key'];
    return key === undefined ? null : (this.#recordedKeys.get(key) ?? null);
  }

  /** Returns the index of the first matching step that is not done; -1 without one. */
  #indexOf(matches: (step: ReplayStep) => boolean): number {
    for (let index = this.#from; index < this.#steps.length; index += 1)
      if (!this.#done.has(index) && matches(this.#steps[index]!)) return index;
    return -1;
  }

  /** Marks a step as repeated or left out. */
  #finish(index: number): void {
    const step = this.#steps[index]!;
    const key = step.kind === 'ATTEMPT' ? undefined : step.headers['x-idempotency-key'];
    if (key !== undefined) this.#recordedKeys.set(key, Math.min(this.#recordedKeys.get(key) ?? Infinity, index + 1));
    this.#done.add(index);
    while (this.#done.has(this.#from)) this.#from += 1;
  }

  #depart(step: number | null, now: FirstDifference['now']): void {
    this.#departure = { step, now, same: this.same };
  }

  /**
   * Returns the step that a request repeats: the next write, or one that overlapped with it. Reads may be left out.
   * @param withBody false to compare only the operation and the path
   */
  #stepOf(request: RequestRecord, withBody: boolean): { step: ReplayCall; index: number } | undefined {
    let last = Infinity;
    for (let index = this.#from; index < this.#steps.length && index <= last; index += 1) {
      const step = this.#steps[index]!;
      if (step.kind === 'ATTEMPT' || this.#done.has(index)) continue;
      if (isSameCall(step, request, withBody)) return { step, index };
      if (!isOptional(step)) last = Math.min(last, (step.endsAfter ?? index + 1) - 1);
    }
    return undefined;
  }
}

function isSameCall(step: ReplayCall, { kind, method, target, operationId, body }: RequestRecord, withBody: boolean): boolean {
  const isSameKind = (step.kind === 'CONTROL') === (kind === 'CONTROL');
  if (!isSameKind || step.method !== method || step.operationId !== operationId) return false;
  if (withoutOwnValues(step.url) !== withoutOwnValues(target)) return false;
  return !withBody || isSameBody(step.body?.text ?? '', body?.text ?? '');
}
