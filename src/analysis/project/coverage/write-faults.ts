import type { WriteChallenge } from '../../../contract/control/analysis/coverage.js';
import { evictOldest } from '../../../domain/evict-oldest.js';
import { movingOperations, textOf, type Call } from '../findings/call.js';
import { endShownAt, type Payment } from '../findings/payments.js';
import type { FaultTest, FaultTests } from './fault-tests.js';

/** Maximum number of idempotency keys whose newest answered request is remembered. */
const maxAnswered = 1000;

/** Tracks the injected faults of write requests, each by its idempotency key and the created resource. */
export class WriteFaults {
  readonly #tests: FaultTests;
  /** Begin order of the newest request whose outcome the client knows, by idempotency key. */
  readonly #answered = new Map<string, number>();

  constructor(tests: FaultTests) {
    this.#tests = tests;
  }

  exchange(call: Call): void {
    if (call.isDelivered && call.record.status < 300) this.#read(call);
    if (!isKeyed(call)) return;
    for (const test of this.#tests.of(call.key!)) if (call.isAfter(test.order) && handles(test, call)) this.#tests.pass(test);
    this.#meet(call);
    if (!call.isAnswered) return;
    this.#answered.delete(call.key!);
    this.#answered.set(call.key!, call.record.began.order);
    evictOldest(this.#answered, maxAnswered);
  }

  /** Called when the client disconnected before it had the complete response. */
  gone(call: Call): void {
    if (isKeyed(call)) this.#meet(call);
  }

  /** Marks the open fault tests of a payment as passed if the client uses it, or knows its end. */
  paymentChanged(payment: Payment): void {
    if (payment.usedBy === null && endShownAt(payment) === null) return;
    for (const test of this.#tests.open) if (test.resourceId === payment.id) this.#tests.pass(test);
  }

  clear(): void {
    this.#answered.clear();
  }

  /**
   * If the client reads or uses a resource other than a payment, marks its open fault tests as passed: the client knows that its request
   * took effect.
   */
  #read({ key, record }: Call): void {
    const open = [...this.#tests.open].filter(
      (test) => test.resourceId !== null && !test.isPayment && test.key !== key && record.began.order > test.order,
    );
    if (open.length === 0) return;
    const text = `${record.target} ${record.body?.text ?? ''} ${record.method === 'GET' ? (record.response.body ?? '') : ''}`.toLowerCase();
    for (const test of open) if (text.includes(test.resourceId!)) this.#tests.pass(test);
  }

  #meet(call: Call): void {
    const challenge = challengeOf(call);
    if (challenge === null) return;
    const { record, key, test } = call;
    // The sandbox notices a disconnect late: the retry may have begun earlier, and may even have a response.
    const isDisconnect = challenge === 'timeout' || challenge === 'crash';
    const { order } = isDisconnect ? record.began : record.ended;
    const met = this.#tests.add(
      {
        challenge,
        cell: `${call.operationId}.${challenge}`,
        key: key!,
        order,
        resourceId: call.madeId ?? (challenge === 'unknownFields' ? (textOf(call.responseBody['id']) ?? null) : null),
        token: challenge === 'expireToken' ? call.token : null,
        isPayment: movingOperations.has(call.operationId!),
      },
      { ms: Date.parse(call.at), test },
    );
    if (isDisconnect && (this.#answered.get(key!) ?? 0) > order) this.#tests.pass(met);
  }
}

/** True if a request is a write with an idempotency key. */
const isKeyed = ({ record, key, operationId }: Call) => record.method !== 'GET' && key !== null && operationId !== 'createToken';

/** Returns the fault in the response to a write; null if the client has no fault to handle. */
function challengeOf({ record }: Call): WriteChallenge | null {
  const { effect, outcome, status, originalStatus } = record;
  if (outcome === 'CLIENT_DISCONNECTED') {
    if (effect?.delay !== undefined && effect.connectionReset) return 'crash';
    return originalStatus < 500 ? 'timeout' : null;
  }
  if (outcome === 'LOST') return originalStatus >= 500 ? null : effect?.malformedJson ? 'malformed' : 'lostResponse';
  if (outcome === 'MODIFIED') return status < 300 ? 'unknownFields' : null;
  if (effect?.expireToken && status === 401) return 'expireToken';
  return status === 503 ? '503' : status === 429 ? '429' : null;
}

/** True if a later request with the key of the test shows that the client handled the fault. */
function handles({ challenge, token }: FaultTest, call: Call): boolean {
  switch (challenge) {
    case 'unknownFields':
      return false; // The client does not have to send the request again.
    case 'expireToken':
      return call.isAnswered && call.token !== token;
    default:
      return call.isAnswered;
  }
}
