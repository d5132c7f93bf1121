import { defineRule } from '../../rule.js';
import { advance, ask, injectFault, token } from '../../script.js';

export const tokenRenewedLate = defineRule({
  id: 'hint.token-renewed-late',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  isHint: true,
  title: 'A token was used until it expired',
  advice: 'Renew the token a minute before `expiresIn` is over. A request with an expired token has to be sent twice.',
  examples: {
    invalid: [advance('PT61M'), ask('listAccounts', { expect: 401 })],
    valid: [
      injectFault('listAccounts', { expireToken: true }),
      ask('listAccounts', { expect: 401 }),
      token(),
      advance('PT59M'),
      ask('listAccounts'),
    ],
  },
  create({ lruMap, report }) {
    const renewed = lruMap<{ ref: string }>(16);
    return {
      statuses: new Set([401]),
      exchange(call) {
        const { record, id, token: given } = call;
        if (record.code !== 'EXPIRED_ACCESS_TOKEN' || given === null || renewed.get(given)) return;
        renewed.set(given, { ref: id });
        if (call.isGenuine) report({ ...call.place, evidence: [{ ref: id, what: 'The response was 401 EXPIRED_ACCESS_TOKEN.' }] });
      },
    };
  },
});
