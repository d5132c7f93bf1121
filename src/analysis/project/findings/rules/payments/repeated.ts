import { movingOperations, type Call } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { isUnlearned, type Payment } from '../../payments.js';
import { defineRule, type Retractable } from '../../rule.js';
import { loseResponse, quote, withdraw } from '../../script.js';

/** Two payments of which the client may have intended only one. */
interface Pair extends Remembered {
  readonly firstId: string;
  readonly secondId: string;
  /** True if the worker that sent the first payment sent the second. */
  readonly isOfOneWorker: boolean;
  /** The detection; null while another worker may have sent the second payment. */
  reported: Retractable | null;
}

/** The pairs whose first payment has the same idempotency key. */
interface Pairs extends Remembered {
  readonly all: readonly Pair[];
}

/** Longest time between the two payments of a pair, in milliseconds of world time. */
const spanMs = 24 * 3_600_000;
const most = 8;

/** True if the connection of the first response was closed before the second payment was sent. */
const isClosed = ({ delivery }: Payment, second: Payment) => (delivery.connection?.closed?.order ?? Infinity) < second.beganOrder;

/** True if the client disconnected before it read the response, as a killed process does. */
function isUnread(first: Payment, second: Payment): boolean {
  const { connection } = first.delivery;
  return isClosed(first, second) && connection?.closed?.by === 'RESET' && connection.newest < first.endedOrder;
}

/** True if the client sent the second payment without knowing whether the first was made. */
function isBlind(first: Payment, second: Payment): boolean {
  const { learned, endedOrder, isUnknown } = first;
  if (first.key === second.key || (learned !== null && learned < second.beganOrder)) return false;
  // A client that later repeats the first request intended both payments.
  if (first.repeated > second.beganOrder) return false;
  // Equal payments of several workers can overlap. They are a repetition if they have the same reference, or the client gave up the first.
  if (second.beganOrder < endedOrder) return isOne(first, second) || (isUnknown && isClosed(first, second));
  return isUnknown || isUnread(first, second);
}

/** True if the worker that sent the first payment may have sent the second. */
function follows({ delivery, endedOrder }: Payment, second: Payment): boolean {
  const { connection } = second.delivery;
  return (
    connection === delivery.connection ||
    (connection !== null && connection.opened > Math.min(endedOrder, delivery.connection?.closed?.order ?? endedOrder))
  );
}

/** True if both payments have the same reference of the client. */
const isOne = (first: Payment, second: Payment) => first.reference !== null && first.reference === second.reference;

export const repeated = defineRule({
  id: 'payment.repeated',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'The same payment was made twice',
  advice:
    'Before you send a payment again, find out what became of the first: repeat it with its own idempotency key, read it, or wait for its webhook. Store the key with the payment before you send. A new quote does not make it safe to pay again.',
  alternativeExplanation:
    'Two equal payments were intended, and the result of the first was checked in a way that the sandbox does not see.',
  implies: ['idempotency.lost-response-new-key', 'idempotency.lost-response-abandoned', 'idempotency.new-key-after-5xx'],
  examples: {
    invalid: [
      quote(),
      loseResponse('createWithdrawal'),
      withdraw({ key: 'first', expect: 'lost' }),
      quote({ as: 'fresh' }),
      withdraw({ key: 'second', of: 'fresh' }),
    ],
    valid: [
      quote(),
      loseResponse('createWithdrawal'),
      withdraw({ key: 'first', expect: 'lost' }),
      withdraw({ key: 'first' }),
      quote({ as: 'fresh' }),
      withdraw({ key: 'second', of: 'fresh' }),
    ],
  },
  create({ payments, lruMap, report }) {
    const pairs = lruMap<Pairs>(240);
    const show = (first: Payment, second: Payment) => {
      for (const { id } of [first, second]) payments.count(id, true);
      return report({
        about: { operationId: second.operationId },
        test: second.test,
        at: new Date(second.atMs).toISOString(),
        confidence: isOne(first, second) ? 'CERTAIN' : 'LIKELY',
        evidence: [
          { ref: first.request, what: `This request made payment ${first.id}, and the client did not learn of the payment.` },
          { ref: second.request, what: `The same type, parties and amount under another key made payment ${second.id}.` },
        ],
        moved: [second.id],
        concerns: [first.key],
      });
    };
    const hide = (pair: Pair) => {
      if (!pair.reported) return;
      pair.reported.retract();
      pair.reported = null;
      for (const id of [pair.firstId, pair.secondId]) payments.count(id, false);
    };
    const add = (call: Call, first: Payment, second: Payment) => {
      const known = pairs.get(first.key)?.all ?? [];
      const isKnown = known.some(({ secondId, firstId }) => secondId === second.id || firstId === second.id);
      if (isKnown || known.length >= most || second.isCounted) return;
      const isOfOneWorker = isOne(first, second) || follows(first, second);
      // A client that never sent two payments at the same time has one worker, which may use several connections.
      const reported = isOfOneWorker || !payments.isSharedToken(second) ? show(first, second) : null;
      const pair = { ref: call.id, firstId: first.id, secondId: second.id, isOfOneWorker, reported };
      pairs.set(first.key, { ref: '', all: [...known, pair] });
    };
    const compare = (call: Call) => {
      const made = payments.madeBy(call);
      if (!made) return;
      for (const other of payments.alike(made)) {
        const [first, second] = other.beganOrder < made.beganOrder ? [other, made] : [made, other];
        if (second.atMs - first.atMs > spanMs || payments.isOtherProcess(first, second)) continue;
        if (isBlind(first, second)) return add(call, first, second);
      }
    };
    return {
      operations: movingOperations,
      exchange(call) {
        // A client that later repeats the first request intended both payments.
        const own = call.key === null ? undefined : pairs.get(call.key);
        const excused =
          own?.all.filter(({ firstId, secondId }) => {
            const { beganOrder = Infinity } = payments.get(secondId) ?? {};
            return call.isAfter(beganOrder) || (payments.get(firstId)?.learned ?? Infinity) < beganOrder;
          }) ?? [];
        if (own && excused.length > 0) {
          for (const pair of excused) hide(pair);
          pairs.set(call.key!, { ref: '', all: own.all.filter((each) => !excused.includes(each)) });
        }
        compare(call);
      },
      gone: compare,
      end() {
        for (const { all } of pairs.values()) {
          for (const pair of all) {
            const [first, second] = [payments.get(pair.firstId), payments.get(pair.secondId)];
            if (!first || !second) continue;
            if (isUnlearned(first) || isUnlearned(second)) {
              pair.reported ??= show(first, second);
              pair.reported.confirm();
            } else if (!pair.isOfOneWorker && payments.isSharedToken(second)) hide(pair);
          }
        }
      },
    };
  },
});
