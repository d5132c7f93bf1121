import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { advance, ask, pass, token } from '../../script.js';

/** A token that was rejected as expired. */
interface Refused extends Remembered {
  readonly realMs: number;
  times: number;
}

/** Time for requests that were already sent, in milliseconds of real time. */
const graceMs = 1000;
const most = 2;

export const expiredReused = defineRule({
  id: 'token.expired-reused',
  confidence: 'CERTAIN',
  severity: 'ERROR',
  title: 'A token was still used after it was rejected as expired',
  advice: 'After a 401, get one new token for all threads and repeat the request once. Better: renew the token shortly before it expires.',
  examples: {
    invalid: [
      advance('PT61M'),
      ask('listAccounts', { expect: 401 }),
      pass(1100),
      ask('listAccounts', { expect: 401 }),
      ask('listAccounts', { expect: 401 }),
    ],
    valid: [
      advance('PT61M'),
      ask('listAccounts', { expect: 401 }),
      ask('listAccounts', { expect: 401 }),
      ask('listAccounts', { expect: 401 }),
      token(),
      ask('listAccounts'),
    ],
  },
  create({ lruMap, report }) {
    const refused = lruMap<Refused>(40);
    return {
      tokenAsked() {
        refused.clear();
      },
      statuses: new Set([401]),
      exchange(call) {
        const { record, id } = call;
        if (record.code !== 'EXPIRED_ACCESS_TOKEN' || !call.isDelivered || call.token === null) return;
        const first = refused.get(call.token);
        if (!first) return refused.set(call.token, { ref: id, realMs: record.ended.realMs, times: 0 });
        if (record.began.realMs <= first.realMs + graceMs) return;
        first.times += 1;
        if (first.times < most) return;
        report({
          ...call.place,
          evidence: [
            { ref: first.ref, what: 'The response was 401 EXPIRED_ACCESS_TOKEN.' },
            { ref: id, what: `The same token was used ${Math.round(record.began.realMs - first.realMs)} ms later.` },
          ],
        });
      },
    };
  },
});
