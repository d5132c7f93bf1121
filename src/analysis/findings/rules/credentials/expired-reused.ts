import type { Remembered } from '../../memory.js';
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
  records: {
    fires: [
      advance('PT61M'),
      ask('listAccounts', { expect: 401 }),
      pass(1100),
      ask('listAccounts', { expect: 401 }),
      ask('listAccounts', { expect: 401 }),
    ],
    mustNotFire: [
      advance('PT61M'),
      ask('listAccounts', { expect: 401 }),
      ask('listAccounts', { expect: 401 }),
      ask('listAccounts', { expect: 401 }),
      token(),
      ask('listAccounts'),
    ],
  },
  watch({ shelf, sight }) {
    const refused = shelf<Refused>(40);
    return {
      tokenAsked() {
        refused.clear();
      },
      statuses: new Set([401]),
      exchange(call) {
        const { seen, id } = call;
        if (seen.code !== 'EXPIRED_ACCESS_TOKEN' || !call.isTold || call.token === null) return;
        const first = refused.get(call.token);
        if (!first) return refused.set(call.token, { ref: id, realMs: seen.ended.realMs, times: 0 });
        if (seen.began.realMs <= first.realMs + graceMs) return;
        first.times += 1;
        if (first.times < most) return;
        sight({
          ...call.place,
          evidence: [
            { ref: first.ref, what: 'The response was 401 EXPIRED_ACCESS_TOKEN.' },
            { ref: id, what: `The same token was used ${Math.round(seen.began.realMs - first.realMs)} ms later.` },
          ],
        });
      },
    };
  },
});
