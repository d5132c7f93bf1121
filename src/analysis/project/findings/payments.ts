import type { OperationRecord } from '../../../domain/operations/operation.js';
import type { Delivery } from '../../../exchange/exchange.js';
import { listOf, movingOperations, objectOf, textOf, type Attempt, type Call } from './call.js';
import type { LruMap, Remembered, SharedBudget } from './lru-map.js';
import type { WorldFacts } from './world-facts.js';

/** An operation that a request of the client created, and how much the client knows of it. */
export interface Payment extends Remembered {
  readonly id: string;
  /** Id of the request that created the operation. */
  readonly request: string;
  readonly key: string;
  readonly operationId: string;
  /** Equal for payments of the same type, parties and amount. */
  readonly purpose: string;
  readonly beganOrder: number;
  readonly endedOrder: number;
  /** World time of the request, in milliseconds. */
  readonly atMs: number;
  readonly token: string | null;
  /** The client's own reference to the payment, from fields outside of the contract; null without one. */
  readonly reference: string | null;
  readonly test: string | null;
  readonly delivery: Delivery;
  /** True if the response to the request never arrived, or was an error although the operation was created. */
  readonly isUnknown: boolean;
  /**
   * Order at which the client learned of the operation later: by a replayed response, a read or a webhook about its end; null until then.
   * A replayed response or a read counts from the begin of its request: a payment that is sent during that request comes from another
   * worker.
   */
  learned: number | null;
  /** Begin order of the newest request that repeated the idempotency key; 0 without one. */
  repeated: number;
  /** True if the client accepted any webhook about the operation. Many clients ignore webhooks without a final status. */
  isNoticed: boolean;
  /** Order at which the client saw a final status of the operation; null until then. */
  endLearned: number | null;
  /** True if a finding already counts the money of the payment. */
  isCounted: boolean;
}

/** True if the client has not learned that a payment was made. */
export const isUnlearned = ({ isUnknown, learned, isNoticed }: Payment) => isUnknown && learned === null && !isNoticed;

/** The knowledge of an operation that the client had before the response to the request that created the operation. */
interface Early extends Remembered {
  readonly learned: number | null;
  readonly endLearned: number | null;
  /** True if the client accepted a webhook about the operation. */
  readonly isNoticed: boolean;
}

/** The requests for payments that were sent with one token. */
interface Token extends Remembered {
  /** Order of the first request. */
  readonly order: number;
  /** Order at which the last response that the client received ended; 0 before the first. */
  readonly endedOrder: number;
  /** True if the client received the responses to two requests that it had sent at the same time, as several workers do. */
  readonly isShared: boolean;
}

/** Maximum number of remembered payments with one purpose. */
const mostAlike = 8;
const logOperations: ReadonlySet<string> = new Set(['listExecutionLogs', 'getExecutionLog']);
const finalEvents: ReadonlySet<string> = new Set(['OPERATION_COMPLETED', 'OPERATION_FAILED']);

/** The operations whose requests change the client's knowledge of its payments. */
export const paymentOperations: ReadonlySet<string> = new Set([...movingOperations, ...logOperations, 'getOperation']);

/** Returns the purpose of a payment: its type, parties and amount, without its quote. */
function purposeOf({ intent, account, requestedAmount, sourceAmount, targetAmount }: OperationRecord): string {
  const party =
    intent.type === 'WITHDRAWAL'
      ? JSON.stringify({ ...intent.beneficiary.paymentInstruction, id: '' })
      : intent.type === 'TRANSFER'
        ? intent.targetAccount.id
        : '';
  const assets = `${sourceAmount.asset} ${targetAmount.asset}`;
  return `${intent.type} ${account.id} ${assets} ${requestedAmount.asset} ${requestedAmount.value} ${party}`;
}

/** Returns the values of fields outside of the contract that look like the client's own reference; null without one. */
function referenceOf({ record, body }: Call): string | null {
  const values = record.unknown.flatMap((each) => {
    const name = each.startsWith('body:') ? each.slice('body:'.length) : '';
    const value = /ref|external|order|invoice|correlation/i.test(name) ? textOf(body[name]) : undefined;
    return value === undefined || value.length > 100 ? [] : [`${name}=${value}`];
  });
  return values.length === 0 ? null : values.join(' ');
}

/** The operations that a client has created, and its knowledge of each. When the memory is full, the least recently used are evicted. */
export class Payments {
  readonly #world: WorldFacts;
  readonly #all: LruMap<Payment>;
  readonly #alike: LruMap<Remembered & { readonly ids: readonly string[] }>;
  readonly #early: LruMap<Early>;
  readonly #tokens: LruMap<Token>;

  constructor(world: WorldFacts, budget: SharedBudget) {
    this.#world = world;
    this.#all = budget.lruMap(320);
    this.#alike = budget.lruMap(160);
    this.#early = budget.lruMap(40);
    this.#tokens = budget.lruMap(30);
  }

  /** Returns the remembered payments, the least recently used first. */
  all(): readonly Payment[] {
    return this.#all.values();
  }

  /** Returns the payment that a request has made; undefined without one. */
  madeBy(call: Call): Payment | undefined {
    return call.madeId === null ? undefined : this.#all.get(call.madeId);
  }

  /** Returns a payment by the id of its operation. */
  get(id: string): Payment | undefined {
    return this.#all.get(id);
  }

  /** Notes whether a finding counts the money of a payment, so that no other finding does. */
  count(id: string, isCounted: boolean): void {
    const payment = this.#all.get(id);
    if (payment) payment.isCounted = isCounted;
  }

  /** Returns the other payments for the same purpose, oldest first. */
  alike({ purpose, id }: Payment): Payment[] {
    const { ids = [] } = this.#alike.get(purpose) ?? {};
    return ids.flatMap((each) => (each === id ? [] : (this.#all.get(each) ?? [])));
  }

  /** True if another process of the client sent the second payment: its token was used before the first payment was sent. */
  isOtherProcess(first: Payment, second: Payment): boolean {
    if (first.token === second.token || second.token === null) return false;
    const known = this.#tokens.get(second.token);
    return known !== undefined && known.order < first.beganOrder;
  }

  /** True if several workers of the client share the token of a payment: they send payments at the same time. */
  isSharedToken({ token }: Payment): boolean {
    // A token that was evicted may be shared: an eviction must never cause a finding.
    return token === null || this.#tokens.get(token)?.isShared !== false;
  }

  /** Updates the payments from a request that has a response. */
  exchange(call: Call): void {
    const { operationId, record } = call;
    if (operationId === null || !paymentOperations.has(operationId)) return;
    if (movingOperations.has(operationId)) this.#write(call);
    else if (!call.isDelivered || record.status >= 300) return;
    else if (operationId === 'getOperation') this.#learn(record.params['operationId']!, record, call.ended !== null);
    else {
      const logs = operationId === 'getExecutionLog' ? [call.responseBody] : listOf(call.responseBody['data']);
      for (const log of logs) {
        const type = textOf(log['eventType']) ?? '';
        const id = type.startsWith('OPERATION_') ? textOf(objectOf(JSON.parse(textOf(log['payload']) ?? '{}'))['id']) : undefined;
        if (id !== undefined) this.#learn(id, record, finalEvents.has(type));
      }
    }
  }

  /** Updates the payments from a request whose client disconnected before it had the response. */
  gone(call: Call): void {
    if (movingOperations.has(call.operationId ?? '')) this.#write(call);
  }

  /** Updates the payments from an accepted webhook. */
  accepted({ record, isGenuine }: Attempt): void {
    const { eventType, resourceId, ended } = record;
    if (!isGenuine || !eventType.startsWith('OPERATION_')) return;
    const isEnd = finalEvents.has(eventType);
    const payment = this.#all.get(resourceId);
    if (payment) {
      payment.isNoticed = true;
      if (isEnd) this.#learn(resourceId, { began: ended, ended }, true);
      return;
    }
    this.#learnEarly(resourceId, { learned: isEnd ? ended.order : null, endLearned: isEnd ? ended.order : null, isNoticed: true });
  }

  /** Notes a payment of the client, or the replayed response to one. */
  #write(call: Call): void {
    const { key, record, done, madeId, operationId, token } = call;
    if (key === null) return;
    this.#noteToken(call);
    if (done === null || done.status >= 300 || madeId === null) {
      const id = record.replay && record.status < 300 ? textOf(call.responseBody['id']) : undefined;
      const payment = this.#all.get(id ?? '');
      if (payment) payment.repeated = Math.max(payment.repeated, record.began.order);
      if (id !== undefined && call.isDelivered) this.#learn(id, record, false);
      return;
    }
    const operation = this.#world.row('operations', madeId);
    if (!operation) return;
    const early = this.#early.get(madeId);
    const isUnknown = !call.isDelivered || record.status >= 300;
    const before = this.#all.get(madeId);
    // A repeated request with the same key got its response before this request ended.
    const byRepetition = call.isRepeated ? record.ended.order : null;
    const purpose = purposeOf(operation);
    this.#all.set(madeId, {
      ref: '',
      id: madeId,
      request: call.id,
      key,
      operationId: operationId!,
      purpose,
      beganOrder: record.began.order,
      endedOrder: record.ended.order,
      atMs: record.began.worldMs ?? record.began.realMs,
      token,
      reference: referenceOf(call),
      test: call.test,
      delivery: record.delivery,
      isUnknown,
      learned: early?.learned ?? before?.learned ?? byRepetition,
      repeated: before?.repeated ?? 0,
      isNoticed: early?.isNoticed === true || before?.isNoticed === true,
      endLearned: early?.endLearned ?? before?.endLearned ?? null,
      isCounted: false,
    });
    this.#early.delete(madeId);
    const ids = this.#alike.get(purpose)?.ids ?? [];
    if (!ids.includes(madeId)) this.#alike.set(purpose, { ref: '', ids: [...ids, madeId].slice(-mostAlike) });
  }

  #noteToken({ token, isDelivered, record: { began, ended } }: Call): void {
    if (token === null) return;
    const { order, endedOrder, isShared } = this.#tokens.get(token) ?? { order: began.order, endedOrder: 0, isShared: false };
    this.#tokens.set(token, {
      ref: '',
      order,
      endedOrder: isDelivered ? Math.max(endedOrder, ended.order) : endedOrder,
      isShared: isShared || (isDelivered && began.order < endedOrder),
    });
  }

  /** Notes that the client knows of an operation. */
  #learn(id: string, { began, ended }: Pick<Call['record'], 'began' | 'ended'>, isEnd: boolean): void {
    const payment = this.#all.get(id);
    if (!payment) return this.#learnEarly(id, { learned: began.order, endLearned: isEnd ? ended.order : null, isNoticed: false });
    payment.learned ??= began.order;
    if (isEnd) payment.endLearned ??= ended.order;
  }

  #learnEarly(id: string, { learned, endLearned, isNoticed }: Omit<Early, 'ref'>): void {
    const before = this.#early.get(id);
    this.#early.set(id, {
      ref: '',
      learned: before?.learned ?? learned,
      endLearned: before?.endLearned ?? endLearned,
      isNoticed: isNoticed || before?.isNoticed === true,
    });
  }
}
