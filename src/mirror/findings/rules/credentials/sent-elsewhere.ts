import { defineRule } from '../../rule.js';
import { ask, token } from '../../script.js';

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
  watch({ sight }) {
    return {
      leaked(call, leaks) {
        for (const { what, place, header } of leaks) {
          if (place !== 'HEADER' && place !== 'BODY') continue;
          const where = place === 'HEADER' ? `the header ${header}` : 'the body';
          sight({ ...call.place, evidence: [{ ref: call.id, what: `It has ${what} in ${where}.` }] });
        }
      },
    };
  },
});
