import { defineRule } from '../../rule.js';
import { ask, subscribe } from '../../script.js';

/** The URLs in a request: its target, and the URL of a new subscription. */
const urls = { URL: 'its URL', SUBSCRIPTION_URL: 'the URL of the subscription' } as const;

export const inUrl = defineRule({
  id: 'secret.in-url',
  confidence: 'CERTAIN',
  severity: 'ERROR',
  title: 'A URL contained a secret or a token',
  advice:
    'URLs are stored in logs, histories and proxies. Send tokens only in the Authorization header. Put no secret into webhook URLs; verify signatures instead.',
  examples: {
    invalid: [ask('listAccounts', { query: 'access_token={{token.accessToken}}' }), subscribe({ at: '/hook?secret={{clientSecret}}' })],
    valid: [
      ask('listAccounts', { query: 'limit=1', as: 'page' }),
      ask('listAccounts', { query: 'limit=1&cursor={{page.meta.nextCursor}}' }),
      subscribe({ at: '/hook?tenant=7' }),
    ],
  },
  create({ report }) {
    return {
      leaked(call, leaks) {
        for (const { what, place } of leaks) {
          if (place !== 'URL' && place !== 'SUBSCRIPTION_URL') continue;
          report({ ...call.place, evidence: [{ ref: call.id, what: `The request contains ${what} in ${urls[place]}.` }] });
        }
      },
    };
  },
});
