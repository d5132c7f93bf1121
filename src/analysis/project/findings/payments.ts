import { finalOperationStatuses, type OperationRecord } from '../../../domain/operations/operation.js';
import { finalOperationEvents } from '../../../domain/operations/event.js';
import type { ResponseDelivery } from '../../../exchange/exchange.js';
import { listOf, movingOperations, objectOf, textOf, type Attempt, type Call } from './call.js';
import type { LruMap, Remembered, SharedBudget } from './lru-map.js';
import type { WorldFacts } from './world-facts.js';

/** An observation of the client about a payment after which careless clients pay again. */
export type Sign = 'NOT_FOUND' | 'ON_HOLD' | 'PROCESSING' | 'UNKNOWN_FIELD';

/** A marked test, or all requests outside of one. */
interface TestRun extends Remembered {
  readonly test: string | null;
  /** World time of the first request of another test after the last one of this test, in milliseconds; null until then. */
  overMs: number | null;
}

const newRun = (test: string | null): TestRun => ({ ref: '', test, overMs: null });

/** A request that showed something to the client. */
interface Showing {
  readonly order: number;
  readonly ref: string;
}

/**
 * An operation that a request of the client created, and how much of it was shown to the client.
 *
 * An operation is shown by the response to its request, by a replay of this response, and by any later request with its id. A webhook or an
 * execution log shows nothing about an operation that the client cannot know as its own: a 2xx only confirms that it arrived.
 */
export interface Payment extends Remembered {
  readonly id: string;
  /** Id of the request that created the operation. */
  readonly request: string;
  readonly key: string;
  readonly operationId: string;
  /** Type and parties. */
  readonly parties: string;
  /** Type, parties and amount, without the quote. */
  readonly terms: string;
  /** The purpose that the client gives for the payment; null without X-Sandbox-Purpose. */
  readonly purpose: string | null;
  readonly beganOrder: number;
  readonly endedOrder: number;
  /** World time of the request, in milliseconds. */
  readonly atMs: number;
  readonly token: string | null;
  /** True if this is the first payment with its token, and another token was used before. */
  readonly isFirstOfToken: boolean;
  readonly test: string | null;
  readonly run: TestRun;
  readonly delivery: ResponseDelivery;
  /** The loss of the response: the client gave up waiting, or did not receive what was sent; null if it was sent whole. */
  loss: 'TIMEOUT' | 'LOST_RESPONSE' | null;
  /** The first later request that shows that the client knows the operation; null until then. It counts from its begin. */
  usedBy: Showing | null;
  /** The first response that showed a final status of the operation; null until then. */
  endReadBy: Showing | null;
  /** Order of the first webhook or log about the final status; null without one. */
  endNoticed: number | null;
  /** Begin order of the newest request with the idempotency key after the first; 0 without one. */
  repeated: number;
  /**
   * Number of requests, at most 32, that repeated the key after the client process read the response, and before the end was shown. Without a
   * purpose, nothing tells a repeated delivery inside the client from another payment.
   */
  needlessRepeats: number;
  /** Begin order of the newest read of the operation; 0 without one. */
  lastRead: number;
  /** Order of the first observation of each kind. */
  readonly signs: Partial<Record<Sign, number>>;
  /** True if the client paid with a quote whose response had an unknown field: such a field does not make it take a response for a failure. */
  readonly isTolerant: boolean;
}

/** The knowledge of an operation that is noted before the response to the request that created it. */
type Early = Pick<Payment, 'usedBy' | 'endReadBy' | 'endNoticed' | 'lastRead' | 'signs' | 'ref'>;

const newKnowledge = (): Early => ({ ref: '', usedBy: null, endReadBy: null, endNoticed: null, lastRead: 0, signs: {} });

/** Maximum number of counted requests that repeat the key of one payment. */
const mostRepeats = 32;

const logOperations: ReadonlySet<string> = new Set(['listExecutionLogs', 'getExecutionLog', 'resendExecutionLog']);
const signOfStatus: Readonly<Record<string, Sign>> = {
  REQUESTED: 'PROCESSING',
  PROCESSING: 'PROCESSING',
  ON_HOLD: 'ON_HOLD',
  ACTION_REQUIRED: 'ON_HOLD',
};

/** The operations whose requests change what is known about payments. */
const paymentOperations: ReadonlySet<string> = new Set([...movingOperations, ...logOperations, 'getOperation', 'createQuote']);

/** True if the client did not read the response to the request that created a payment. */
export function isLost({ loss, delivery: { connection }, endedOrder }: Payment): boolean {
  // A process that was killed resets the connections whose responses it has not read.
  return loss !== null || (connection?.closed?.by === 'RESET' && connection.newest < endedOrder);
}

/** Returns the order at which a payment was shown to the client; null if it never was. */
export function shownAt(payment: Payment): number | null {
  return isLost(payment) ? (payment.usedBy?.order ?? null) : payment.endedOrder;
}

/** Returns the order at which the final status of a payment was shown to the client; null if it never was. */
export function endShownAt(payment: Payment): number | null {
  const { endReadBy, endNoticed } = payment;
  const shown = shownAt(payment);
  // A webhook about a payment that the client does not know as its own shows nothing until the payment is shown.
  const noticed = endNoticed === null || shown === null ? Infinity : Math.max(endNoticed, shown);
  const order = Math.min(endReadBy?.order ?? Infinity, noticed);
  return order === Infinity ? null : order;
}

/** True if the response was lost, and the client never saw the payment afterwards. */
export const isNeverShown = (payment: Payment) => shownAt(payment) === null;

function partiesOf({ intent, account }: OperationRecord): string {
  const other =
    intent.type === 'WITHDRAWAL'
      ? JSON.stringify({ ...intent.beneficiary.paymentInstruction, id: '' })
      : intent.type === 'TRANSFER'
        ? intent.targetAccount.id
        : '';
  return `${intent.type} ${account.id} ${other}`;
}

function termsOf({ requestedAmount, sourceAmount, targetAmount }: OperationRecord, parties: string): string {
  return `${parties} ${sourceAmount.asset} ${targetAmount.asset} ${requestedAmount.asset} ${requestedAmount.value}`;
}

/** The end of a payment in the world. */
interface End {
  readonly hasMoved: boolean;
  /** True if the run and the test of the payment went on for five seconds of world time afterwards, so that the client had time to learn of it. */
  readonly isOverdue: boolean;
}

/** World time that the client has to learn of the end of an operation, in milliseconds. */
const graceMs = 5000;

/** Called with a payment when a request or a webhook has changed what the client knows of it. */
type Listener = (payment: Payment, isNew: boolean) => void;

/** The operations that a client has created. When the memory is full, the least recently used are evicted. */
export class Payments {
  readonly #world: WorldFacts;
  readonly #all: LruMap<Payment>;
  readonly #byKey: LruMap<Remembered & { readonly id: string }>;
  readonly #early: LruMap<Early>;
  readonly #tokens: LruMap<Remembered>;
  /** The ids of quotes whose responses had an unknown field. */
  readonly #strangeQuotes: LruMap<Remembered>;
  /** The marked tests by name. */
  readonly #runs: LruMap<TestRun>;
  /** The test of the newest request. */
  #run: TestRun = newRun(null);
  readonly #listeners: Listener[] = [];

  constructor(world: WorldFacts, budget: SharedBudget) {
    this.#world = world;
    this.#all = budget.lruMap(420);
    this.#byKey = budget.lruMap(50);
    this.#early = budget.lruMap(120);
    this.#tokens = budget.lruMap(20);
    this.#strangeQuotes = budget.lruMap(20);
    this.#runs = budget.lruMap(50);
  }

  onChange(listener: Listener): void {
    this.#listeners.push(listener);
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

  /** True if the client learned the final status of an operation, or has seen an operation that has no final status. */
  isLearned(id: string): boolean {
    const payment = this.#all.get(id);
    const isOpen = !finalOperationStatuses.has(this.#world.row('operations', id)?.states.at(-1)?.status);
    if (payment) return endShownAt(payment) !== null || (isOpen && shownAt(payment) !== null);
    // It is unknown if the client knows an operation that it did not create.
    const early = this.#early.get(id);
    return early !== undefined && (early.endReadBy !== null || early.endNoticed !== null || (isOpen && early.usedBy !== null));
  }

  /** Returns the payment that was made with an idempotency key; undefined without one. */
  byKey(key: string): Payment | undefined {
    return this.#all.get(this.#byKey.get(key)?.id ?? '');
  }

  /** True if the client has read the end of an operation, also of one that it created at another node. */
  isEndRead(id: string): boolean {
    return ((this.#all.get(id) ?? this.#early.get(id))?.endReadBy ?? null) !== null;
  }

  /** Returns the end of a payment that was not shown to the client; null if it was, or if the payment has not ended. */
  missedEnd(payment: Payment): End | null {
    const { status, createdAt } = this.#world.row('operations', payment.id)?.states.at(-1) ?? {};
    if (createdAt === undefined || !finalOperationStatuses.has(status) || endShownAt(payment) !== null) return null;
    const overMs = payment.run.overMs ?? this.#world.nowMs();
    return { hasMoved: status === 'COMPLETED', isOverdue: overMs - Date.parse(createdAt) >= graceMs };
  }

  /** Updates the payments from a request that has a response. */
  exchange(call: Call): void {
    const { operationId, record } = call;
    this.#noteRun(call);
    if (operationId === null || !paymentOperations.has(operationId)) return;
    if (movingOperations.has(operationId)) return this.#write(call);
    if (operationId === 'getOperation') return this.#read(call);
    if (operationId === 'createQuote') return this.#quote(call);
    const logId = record.params['executionLogId'];
    const usedId = logId === undefined ? undefined : this.#operationOfLog(logId);
    if (usedId !== undefined) this.#change(usedId, (known) => use(known, call));
    if (!call.isDelivered || record.status >= 300 || operationId === 'resendExecutionLog') return;
    for (const log of operationId === 'getExecutionLog' ? [call.responseBody] : listOf(call.responseBody['data'])) {
      if (!finalOperationEvents.has(textOf(log['eventType']) ?? '')) continue;
      const id = textOf(objectOf(JSON.parse(textOf(log['payload']) ?? '{}'))['id']);
      if (id !== undefined) this.#change(id, (known) => noticeEnd(known, record.ended.order));
    }
  }

  /** Updates the payments from a request whose client disconnected before it had the response. */
  gone(call: Call): void {
    const { operationId, key, record } = call;
    const isWrite = movingOperations.has(operationId ?? '');
    if (!isWrite && operationId !== 'getOperation') return;
    const known = isWrite ? this.byKey(key ?? '') : this.#all.get(record.params['operationId']!);
    if (known?.endReadBy?.ref === call.id) known.endReadBy = null;
    if (known?.usedBy?.ref === call.id && isWrite) known.usedBy = null;
    if (isWrite) this.#write(call);
  }

  /** Updates the payments from an accepted webhook. */
  accepted({ record: { eventType, resourceId, began }, isGenuine }: Attempt): void {
    // A handler may use the event before it responds.
    if (isGenuine && finalOperationEvents.has(eventType)) this.#change(resourceId, (known) => noticeEnd(known, began.order));
  }

  /** Notes the test of a request, and that the one before is over unless it sends another request. */
  #noteRun({ test, record: { began, ended } }: Call): void {
    if (test === this.#run.test) return;
    if (this.#run.test !== null) this.#run.overMs = began.worldMs ?? ended.worldMs ?? this.#world.nowMs();
    this.#run = (test === null ? undefined : this.#runs.get(test)) ?? newRun(test);
    this.#run.overMs = null;
    if (test !== null) this.#runs.set(test, this.#run);
  }

  /** Updates a payment from a read. A read with its id shows that the client knows the payment, even if there is no response. */
  #read(call: Call): void {
    const { record, isDelivered, responseBody } = call;
    this.#change(record.params['operationId']!, (known) => {
      use(known, call);
      known.lastRead = Math.max(known.lastRead, record.began.order);
      if (!isDelivered) return;
      const { order } = record.ended;
      this.#noteEnd(known, call);
      if (record.outcome === 'MODIFIED') known.signs.UNKNOWN_FIELD ??= order;
      const status = textOf(objectOf(responseBody['currentState'])['status']) ?? '';
      const sign = record.status === 404 ? 'NOT_FOUND' : record.status < 300 ? signOfStatus[status] : undefined;
      if (sign !== undefined) known.signs[sign] ??= order;
    });
  }

  #quote({ record, responseBody }: Call): void {
    const id = record.outcome === 'MODIFIED' ? textOf(responseBody['id']) : undefined;
    if (id !== undefined) this.#strangeQuotes.set(id, { ref: '' });
  }

  /** Notes a payment of the client, or a repeated request with its key. */
  #write(call: Call): void {
    const { key, record, done, madeId, isDelivered } = call;
    if (key === null) return;
    if (madeId !== null && done !== null && done.status < 300) return this.#add(call, madeId, key);
    const known = this.byKey(key);
    if (!known) return;
    known.repeated = Math.max(known.repeated, record.began.order);
    if (record.replay && isDelivered && record.status < 300) {
      if (isNeedless(call, known)) known.needlessRepeats = Math.min(known.needlessRepeats + 1, mostRepeats);
      use(known, call);
    }
    this.#noteEnd(known, call);
    this.#changed(known, false);
  }

  #add(call: Call, id: string, key: string): void {
    const { record, token, operationId, isDelivered } = call;
    const { began, ended, delivery, outcome } = record;
    const operation = this.#world.row('operations', id);
    if (!operation) return;
    const loss = outcome === 'CLIENT_DISCONNECTED' ? 'TIMEOUT' : isDelivered && record.status < 300 ? null : 'LOST_RESPONSE';
    const known = this.#all.get(id);
    if (known) {
      known.loss = loss;
      return this.#changed(known, false);
    }
    const parties = partiesOf(operation);
    const isFirstOfToken = token !== null && this.#tokens.size > 0 && this.#tokens.get(token) === undefined;
    if (token !== null) this.#tokens.set(token, { ref: '' });
    const { ref, usedBy, endReadBy, endNoticed, lastRead, signs } = this.#early.get(id) ?? newKnowledge();
    const payment: Payment = {
      ref,
      id,
      request: call.id,
      key,
      operationId: operationId!,
      parties,
      terms: termsOf(operation, parties),
      purpose: record.purpose,
      beganOrder: began.order,
      endedOrder: ended.order,
      atMs: began.worldMs ?? began.realMs,
      token,
      isFirstOfToken,
      test: call.test,
      run: this.#run,
      delivery,
      loss,
      usedBy,
      endReadBy,
      endNoticed,
      repeated: 0,
      lastRead,
      signs,
      needlessRepeats: 0,
      isTolerant: call.quoteId !== undefined && this.#strangeQuotes.get(call.quoteId) !== undefined,
    };
    this.#early.delete(id);
    if (outcome === 'MODIFIED') payment.signs.UNKNOWN_FIELD ??= ended.order;
    if (loss === null) this.#noteEnd(payment, call);
    // Meanwhile, the client repeated the request with the same key and received a response.
    else if (call.isRepeated) payment.usedBy ??= { order: ended.order, ref: '' };
    this.#all.set(id, payment);
    this.#byKey.set(key, { ref: '', id });
    this.#changed(payment, true);
  }

  /** Notes the end of an operation if the response to a request shows it. */
  #noteEnd(known: Early, { record, responseBody, id }: Call): void {
    const { status } = objectOf(responseBody['currentState']);
    if (record.status < 300 && finalOperationStatuses.has(status)) known.endReadBy ??= { order: record.ended.order, ref: id };
  }

  #operationOfLog(logId: string): string | undefined {
    const messageId = this.#world.row('executionLogs', logId)?.messageId;
    const delivery = messageId === undefined ? undefined : this.#world.row('deliveries', messageId);
    return delivery?.eventType.startsWith('OPERATION_') ? delivery.resourceId : undefined;
  }

  /** Changes the knowledge of an operation, which may be noted before the operation itself. */
  #change(id: string, change: (known: Early) => void): void {
    const payment = this.#all.get(id);
    if (payment) {
      change(payment);
      return this.#changed(payment, false);
    }
    const early = this.#early.get(id) ?? newKnowledge();
    change(early);
    this.#early.set(id, early);
  }

  #changed(payment: Payment, isNew: boolean): void {
    for (const listener of this.#listeners) listener(payment, isNew);
  }
}

/** True if a request repeats the key of a payment after the client process read the response, and before the end was shown. */
function isNeedless(call: Call, payment: Payment): boolean {
  const { endedOrder: order, token, delivery, usedBy } = payment;
  if (isLost(payment) || payment.purpose !== null || call.isAfter(endShownAt(payment) ?? Infinity)) return false;
  const sent = { order, token, delivery };
  return (call.hasRead(sent) || call.isAfter(usedBy?.order ?? Infinity)) && call.isOfSameProcess(sent);
}

/** Notes that a request shows that the client knows an operation. */
function use(known: Early, { record: { began }, id }: Call): void {
  known.usedBy ??= { order: began.order, ref: id };
}

function noticeEnd(known: Early, order: number): void {
  known.endNoticed ??= order;
}
