import type { Answered } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { pass, strike, transfer } from '../../script.js';

/** A response with a Retry-After header. */
interface Asked extends Remembered {
  readonly answered: Answered;
  readonly waitMs: number;
}

/** Tolerance for differences of clocks and networks. */
const toleranceMs = 50;

export const tooEarly = defineRule({
  id: 'retry.too-early',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A request was retried before its Retry-After time',
  advice: 'After the response, wait for the seconds in Retry-After before you send the same request again.',
  implies: ['retry.no-backoff'],
  examples: {
    invalid: [
      strike('createTransfer', { status: 503, retryAfter: '2s' }),
      transfer({ key: 'first', expect: 503 }),
      pass(1000),
      transfer({ key: 'first' }),
    ],
    valid: [
      strike('createTransfer', { status: 503, retryAfter: '2s' }, { times: 2 }),
      transfer({ key: 'first', expect: 503 }),
      transfer({ key: 'first', expect: 503, connection: 'in parallel' }),
      transfer({ key: 'other', value: '26.00' }),
      pass(2000),
      transfer({ key: 'first' }),
    ],
  },
  create({ lruMap, report }) {
    const asked = lruMap<Asked>(80);
    return {
      having: 'idempotencyKey',
      exchange(call) {
        const { key, record } = call;
        if (key === null || record.method === 'GET') return;
        const last = asked.get(key);
        if (last) {
          // The request may have been sent before the response arrived.
          if (!call.knows(last.answered)) return;
          const waitedMs = record.began.realMs - last.answered.realMs;
          asked.delete(key);
          if (waitedMs < last.waitMs - toleranceMs) {
            report({
              ...call.place,
              evidence: [
                { ref: last.ref, what: `Its response asked for a wait of ${last.waitMs / 1000} s.` },
                { ref: call.id, what: `The same key was sent ${Math.round(waitedMs)} ms after that response.` },
              ],
            });
          }
        }
        const waitMs = call.isDelivered && record.status >= 400 ? call.retryAfterMs : null;
        if (waitMs !== null) asked.set(key, { ref: call.id, answered: call.answered, waitMs });
      },
    };
  },
});
