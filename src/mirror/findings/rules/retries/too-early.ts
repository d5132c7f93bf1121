import type { Answered } from '../../call.js';
import type { Remembered } from '../../memory.js';
import { defineRule } from '../../rule.js';
import { pass, strike, transfer } from '../../script.js';

/** An answer that named a time to wait. */
interface Asked extends Remembered {
  readonly answered: Answered;
  readonly waitMs: number;
}

/** How much too early is not worth a word, since clocks and networks differ. */
const toleranceMs = 50;

export const tooEarly = defineRule({
  id: 'retry.too-early',
  label: 'CERTAIN',
  severity: 'WARNING',
  title: 'A request was retried sooner than Retry-After asked for',
  advice: 'Wait as many seconds as Retry-After says, counted from the answer, before you send the same request again.',
  implies: ['retry.no-backoff'],
  records: {
    fires: [
      strike('createTransfer', { status: 503, retryAfter: '2s' }),
      transfer({ key: 'first', expect: 503 }),
      pass(1000),
      transfer({ key: 'first' }),
    ],
    mustNotFire: [
      strike('createTransfer', { status: 503, retryAfter: '2s' }, { times: 2 }),
      transfer({ key: 'first', expect: 503 }),
      transfer({ key: 'first', expect: 503, connection: 'in parallel' }),
      transfer({ key: 'other', value: '26.00' }),
      pass(2000),
      transfer({ key: 'first' }),
    ],
  },
  watch({ shelf, sight }) {
    const asked = shelf<Asked>(80);
    return {
      having: 'idempotencyKey',
      exchange(call) {
        const { key, seen } = call;
        if (key === null || seen.method === 'GET') return;
        const last = asked.get(key);
        if (last) {
          // It may have been on its way by then.
          if (!call.knows(last.answered)) return;
          const waitedMs = seen.began.realMs - last.answered.realMs;
          asked.delete(key);
          if (waitedMs < last.waitMs - toleranceMs) {
            sight({
              ...call.place,
              evidence: [
                { ref: last.ref, what: `Its answer asked to wait ${last.waitMs / 1000} s.` },
                { ref: call.id, what: `The same key came ${Math.round(waitedMs)} ms after that answer.` },
              ],
            });
          }
        }
        const waitMs = call.isTold && seen.status >= 400 ? call.retryAfterMs : null;
        if (waitMs !== null) asked.set(key, { ref: call.id, answered: call.answered, waitMs });
      },
    };
  },
});
