import { listOf, textOf, writingOperations, type Call, type Json, type Sent } from '../../call.js';
import type { ClientConnection } from '../../../../../exchange/exchange.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { transfer } from '../../script.js';

/** A request that was rejected as invalid. */
interface Refused extends Remembered {
  readonly realMs: number;
  readonly test: string | null;
  /** The last response to the request. */
  sent: Sent;
  times: number;
}

const spanMs = 600_000;
/** Number of repetitions from which the rule reports. */
const most = 2;

/** True if a request was rejected because of its headers. */
function isAboutHeaders({ record, details }: Call): boolean {
  const isField = ({ field }: Json) => textOf(field)?.startsWith('header:') === true;
  return record.code === 'MISSING_REQUIRED_HEADER' || listOf(details['errors']).some(isField);
}

export const notRetryable = defineRule({
  id: 'retry.not-retryable',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A request that was rejected as invalid was sent again unchanged',
  advice: 'A repeated 400 stays a 400. Read `details.errors` and fix the request. Retry only 429 and 5xx.',
  examples: {
    invalid: [
      transfer({ value: '1.2.3', expect: 400 }),
      transfer({ value: '1.2.3', expect: 400 }),
      transfer({ value: '1.2.3', expect: 400 }),
    ],
    valid: [
      transfer({ value: '1.2.3', expect: 400 }),
      transfer({ value: '1.2.3', expect: 400 }),
      transfer({ value: '1.2.4.', expect: 400 }),
      transfer({ value: '1.2.3', expect: 400 }),
    ],
  },
  create({ lruMap, report }) {
    const refused = lruMap<Refused>(100);
    /** The fingerprint of the last write over each connection. */
    const lastWrites = new WeakMap<ClientConnection, string>();
    return {
      operations: writingOperations,
      exchange(call) {
        const { fingerprint, record, test, id } = call;
        if (fingerprint === null || record.method === 'GET') return;
        const { connection } = record.delivery;
        const before = connection && lastWrites.get(connection);
        if (connection) lastWrites.set(connection, fingerprint);
        // Other requests in between mean that a test runs again.
        if (before !== null && before !== undefined && before !== fingerprint) refused.delete(fingerprint);
        const first = record.status === 400 || refused.size > 0 ? refused.get(fingerprint) : undefined;
        // The fingerprint of a request does not include its headers.
        const isRefused = record.status === 400 && call.isDelivered && !isAboutHeaders(call);
        if (!isRefused) {
          if (first && record.status < 400) refused.delete(fingerprint);
          return;
        }
        const { sent } = call;
        const { realMs } = record.ended;
        if (!first || first.test !== test || realMs - first.realMs > spanMs) {
          refused.set(fingerprint, { ref: id, realMs, test, sent, times: 0 });
          return;
        }
        if (!call.hasRead(first.sent)) return;
        first.sent = sent;
        first.times += 1;
        if (first.times < most) return;
        report({
          ...call.place,
          evidence: [
            { ref: first.ref, what: 'The request was rejected with 400.' },
            { ref: id, what: `The same request was sent ${first.times + 1} times so far.` },
          ],
        });
      },
    };
  },
});
