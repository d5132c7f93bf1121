import type { Sent } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { advance, ask, token } from '../../script.js';
import { isKeyed, logicalCall } from '../retries/logical-call.js';

/** A request whose token was rejected as expired. */
interface Refused extends Remembered {
  readonly key: string;
  sent: Sent;
  /** Number of times that the request was sent again with this token, and of those since a token was last requested. */
  times: number;
  timesSinceAsked: number;
}

/** Numbers of times from which the rule reports. Requests that are sent before a new token arrives still carry the old token. */
const [most, mostSinceAsked] = [4, 2];

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
      ask('listAccounts', { expect: 401 }),
      ask('listAccounts', { expect: 401 }),
    ],
    valid: [
      advance('PT61M'),
      ask('listAccounts', { expect: 401, connection: 'one' }),
      ask('listAccounts', { expect: 401, connection: 'two' }),
      ask('listAccounts', { expect: 401, query: 'limit=1', connection: 'three' }),
      token(),
      ask('listAccounts'),
    ],
  },
  create({ lruMap, report }) {
    const refused = lruMap<Refused>(110);
    return {
      tokenAsked() {
        for (const each of refused.values()) each.timesSinceAsked = 0;
      },
      statuses: new Set([401]),
      exchange(call) {
        const { record, id, key } = call;
        if (record.code !== 'EXPIRED_ACCESS_TOKEN' || !call.isDelivered || call.token === null) return;
        const name = `${call.token} ${logicalCall(call)}`;
        const first = refused.get(name);
        if (!first) return refused.set(name, { ref: id, key: key ?? '', sent: call.sent, times: 0, timesSinceAsked: 0 });
        // Other workers may send equal requests. Each worker learns of the expiry by its own response.
        if (!call.hasRead(first.sent) || (!isKeyed(call) && !call.continues(first.sent))) return;
        first.times += 1;
        first.timesSinceAsked += 1;
        first.sent = call.sent;
        if (first.times < most && first.timesSinceAsked < mostSinceAsked) return;
        report({
          ...call.place,
          evidence: [
            { ref: first.ref, what: 'The response was 401 EXPIRED_ACCESS_TOKEN.' },
            {
              ref: id,
              what: `The same request was sent ${first.times} more times with the same token${first.times === first.timesSinceAsked ? ', and no new token was requested' : ''}.`,
            },
          ],
          concerns: [first.key],
        });
      },
    };
  },
});
