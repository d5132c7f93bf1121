import { defineRule } from '../../rule.js';
import { ask, token } from '../../script.js';

export const sentElsewhere = defineRule({
  id: 'secret.sent-elsewhere',
  confidence: 'CERTAIN',
  severity: 'ERROR',
  title: 'The client secret was sent to an operation that does not need it',
  advice: 'Send the secret only to POST /api/oauth/client/token. Send the access token with every other request.',
  examples: {
    invalid: [ask('listAccounts', { headers: { 'X-Client-Secret': '{{clientSecret}}' } })],
    valid: [token(), ask('listAccounts')],
  },
  create({ report }) {
    return {
      leaked(call, leaks) {
        for (const { what, place, header } of leaks) {
          if (place !== 'HEADER' && place !== 'BODY') continue;
          const where = place === 'HEADER' ? `the header ${header}` : 'the body';
          report({ ...call.place, evidence: [{ ref: call.id, what: `The request contains ${what} in ${where}.` }] });
        }
      },
    };
  },
});
