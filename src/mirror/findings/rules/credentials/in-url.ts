import { defineRule } from '../../rule.js';
import { ask, subscribe } from '../../script.js';

/** The URLs that a request brings: its own, and that of a subscription. */
const urls = { URL: 'the URL of the call', SUBSCRIPTION_URL: 'the URL of the subscription' } as const;

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
  watch({ sight }) {
    return {
      leaked(call, leaks) {
        for (const { what, place } of leaks) {
          if (place !== 'URL' && place !== 'SUBSCRIPTION_URL') continue;
          sight({ ...call.place, evidence: [{ ref: call.id, what: `It has ${what} in ${urls[place]}.` }] });
        }
      },
    };
  },
});
