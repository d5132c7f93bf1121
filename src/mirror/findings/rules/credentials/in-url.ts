import { textOf, type Call } from '../../call.js';
import { defineRule } from '../../rule.js';
import { ask, subscribe } from '../../script.js';
import { credentialIn, decoded } from './ours.js';

/** The URLs that a call brings: its own, and that of a subscription. */
function urlsOf(call: Call): { what: string; url: string }[] {
  const own = { what: 'the URL of the call', url: call.seen.target };
  const hook = call.operationId === 'createSubscription' ? textOf(call.body['url']) : undefined;
  return hook === undefined ? [own] : [own, { what: 'the URL of the subscription', url: hook }];
}

export const inUrl = defineRule({
  id: 'secret.in-url',
  label: 'CERTAIN',
  severity: 'ERROR',
  title: 'A secret or a token stood in a URL',
  advice:
    'URLs end in logs, histories and proxies. Send tokens in the Authorization header alone, and put no secret into webhook URLs: verify signatures instead.',
  records: {
    fires: [ask('listAccounts', { query: 'access_token={{token.accessToken}}' }), subscribe({ at: '/hook?secret={{clientSecret}}' })],
    mustNotFire: [
      ask('listAccounts', { query: 'limit=1', as: 'page' }),
      ask('listAccounts', { query: 'limit=1&cursor={{page.meta.nextCursor}}' }),
      subscribe({ at: '/hook?tenant=7' }),
    ],
  },
  watch({ world, sight }) {
    return {
      exchange(call) {
        for (const { what, url } of urlsOf(call)) {
          const credential = credentialIn(decoded(url), world);
          if (credential === null) continue;
          const { id } = call;
          sight({ ...call.place, evidence: [{ ref: id, what: `It has ${credential} in ${what}.` }] });
        }
      },
    };
  },
});
