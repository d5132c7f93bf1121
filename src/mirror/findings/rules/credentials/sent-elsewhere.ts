import type { Call } from '../../call.js';
import { defineRule } from '../../rule.js';
import { ask, token } from '../../script.js';
import { decoded, minSecret, openedBasic } from './ours.js';

/** Where a call carries the secret, other than in its URL or in that of a subscription, of which another rule speaks. */
function placeOf(call: Call, secret: string): string | null {
  const { rawHeaders, body } = call.seen;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (openedBasic(rawHeaders[index + 1]!).includes(secret)) return `the header ${rawHeaders[index]!}`;
  }
  return call.operationId !== 'createSubscription' && body?.text.includes(secret) ? 'the body' : null;
}

export const sentElsewhere = defineRule({
  id: 'secret.sent-elsewhere',
  label: 'CERTAIN',
  severity: 'ERROR',
  title: 'The client secret was sent to an operation that does not ask for it',
  advice: 'The secret goes to POST /api/oauth/client/token and nowhere else; every other call carries the token that it buys.',
  records: {
    fires: [ask('listAccounts', { headers: { 'X-Client-Secret': '{{clientSecret}}' } })],
    mustNotFire: [token(), ask('listAccounts')],
  },
  watch({ world: { clientSecret }, sight }) {
    return {
      exchange(call) {
        if (call.operationId === 'createToken' || clientSecret.length < minSecret) return;
        if (decoded(call.seen.target).includes(clientSecret)) return;
        const place = placeOf(call, clientSecret);
        if (place === null) return;
        const { id } = call;
        sight({ ...call.place, evidence: [{ ref: id, what: `It has the client secret in ${place}.` }] });
      },
    };
  },
});
