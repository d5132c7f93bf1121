import { slowBodyMsOf } from '../../../../../contract/scenario/effects.js';
import type { Call } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { injectFault, transfer } from '../../script.js';

/** Consecutive requests on which a client gave up after about the same time. */
interface Series extends Remembered {
  readonly test: string | null;
  readonly leastMs: number;
  readonly mostMs: number;
  readonly times: number;
  /** Order of the last disconnect. */
  readonly order: number;
}

/** The newest read of a target with a complete response. */
interface Read extends Remembered {
  readonly ended: number;
}

/** Latency that a client has to expect, in milliseconds. */
const ordinaryMs = 5000;
/** Number of requests from which the rule reports. */
const least = 3;
/** A timeout ends after about the same time each time; a process that is killed does not. */
const isAlike = (leastMs: number, mostMs: number) => mostMs <= 1.5 * leastMs + 100;

const impatient = (delay: string) => [
  injectFault('createTransfer', { delay }, { times: 3 }),
  ...Array.from({ length: 3 }, () => transfer({ key: 'first', timeoutMs: 200, expect: 'lost' })),
  transfer({ key: 'first' }),
];

export const timeoutTooShort = defineRule({
  id: 'timeout.too-short',
  confidence: 'LIKELY',
  severity: 'WARNING',
  title: 'The client repeatedly gave up on responses that would have come within 5 s',
  advice:
    'Wait at least 10 s for a response. A client that gives up does not know whether its payment was made, and its retries make a slow service slower.',
  alternativeExplanation: 'The test uses a shorter timeout than the client in operation.',
  examples: { invalid: impatient('2s'), valid: impatient('6s') },
  create({ lruMap, report }) {
    const clients = lruMap<Series>(110);
    const reads = lruMap<Read>(60);
    /** True if an equal read at the same time got its response: the client sends slow reads twice, and cancels the later response. */
    const isHedged = ({ record: { target, began } }: Call, closedOrder: number) => {
      const read = reads.get(target);
      return read !== undefined && read.ended > began.order && read.ended < closedOrder;
    };
    const giveUp = (call: Call) => {
      const { record, id, test } = call;
      // A process that starts again requests a new token.
      const client = `${call.userAgent} ${call.token ?? ''}`;
      const addedMs = record.effect === null ? 0 : record.delayMs + slowBodyMsOf(record.effect);
      if (addedMs === 0 || addedMs > ordinaryMs) return;
      const { order, realMs } = record.delivery.connection?.closed ?? record.ended;
      if (isHedged(call, order)) return;
      const waitedMs = realMs - record.began.realMs;
      const last = clients.get(client);
      // Workers that wait at the same time end together when their process is killed.
      if (last && !call.isAfter(last.order)) return;
      const leastMs = Math.min(waitedMs, last?.leastMs ?? waitedMs);
      const mostMs = Math.max(waitedMs, last?.mostMs ?? waitedMs);
      if (!last || last.test !== test || !isAlike(leastMs, mostMs)) {
        clients.set(client, { ref: id, test, leastMs: waitedMs, mostMs: waitedMs, times: 1, order });
        return;
      }
      const times = last.times + 1;
      if (times < least) return clients.set(client, { ...last, leastMs, mostMs, times, order });
      clients.delete(client);
      report({
        ...call.place,
        evidence: [
          { ref: last.ref, what: 'The first request without a response in time.' },
          { ref: id, what: `Abandoned request ${times}: the client gave up after ${Math.round(waitedMs)} ms.` },
        ],
      });
    };
    return {
      exchange(call) {
        const { id, method, outcome, target, ended } = call.record;
        if (outcome === 'CLIENT_DISCONNECTED') return giveUp(call);
        if (method !== 'GET' || !call.isDelivered) return;
        reads.set(target, { ref: id, ended: ended.order });
      },
      gone: giveUp,
    };
  },
});
