import type { Remembered } from '../../memory.js';
import { defineRule } from '../../rule.js';
import { advance, ask, pass, token } from '../../script.js';

/** A token that was refused as expired. */
interface Refused extends Remembered {
  readonly realMs: number;
  times: number;
}

/** How long calls that were on their way by then may still come. */
const graceMs = 1000;
const most = 2;

export const expiredReused = defineRule({
  id: 'token.expired-reused',
  label: 'CERTAIN',
  severity: 'ERROR',
  title: 'Calls went on with a token that had been refused as expired',
  advice: 'On a 401 get one new token, for all threads together, and repeat the call once; better, renew it shortly before it ends.',
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
            { ref: first.ref, what: 'It was answered 401 EXPIRED_ACCESS_TOKEN.' },
            { ref: id, what: `Still the same token, ${Math.round(seen.began.realMs - first.realMs)} ms later.` },
          ],
        });
      },
    };
  },
});
