import { defineRule } from '../../rule.js';
import { advance, ask, strike, token } from '../../script.js';

export const tokenRenewedLate = defineRule({
  id: 'hint.token-renewed-late',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  isHint: true,
  title: 'A token was used until it expired',
  advice: 'Renew it a minute before `expiresIn` is over. A request with an expired token has to be sent twice.',
  records: {
    fires: [advance('PT61M'), ask('listAccounts', { expect: 401 })],
    mustNotFire: [
      strike('listAccounts', { expireToken: true }),
      ask('listAccounts', { expect: 401 }),
      token(),
      advance('PT59M'),
      ask('listAccounts'),
    ],
  },
  watch({ shelf, sight }) {
    const told = shelf<{ ref: string }>(16);
    return {
      statuses: new Set([401]),
      exchange(call) {
        const { seen, id, token: given } = call;
        if (seen.code !== 'EXPIRED_ACCESS_TOKEN' || given === null || told.get(given)) return;
        told.set(given, { ref: id });
        if (call.isGenuine) sight({ ...call.place, evidence: [{ ref: id, what: 'The response was 401 EXPIRED_ACCESS_TOKEN.' }] });
      },
    };
  },
});
