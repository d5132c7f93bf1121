import { objectOf, textOf } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { advance, ask, misdeliver, quote, register, settle, subscribe, withdrawToRegistered } from '../../script.js';

const forged = [
  subscribe(),
  misdeliver('BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED', { corruptSignature: true }),
  register(),
  advance('PT5S'),
  settle(),
];

export const unverifiedEffect = defineRule({
  id: 'webhook.unverified-effect',
  confidence: 'LIKELY',
  severity: 'WARNING',
  isHint: true,
  implies: ['webhook.bad-signature-accepted'],
  title: 'A payee was paid after a forged webhook had approved it, without a read',
  advice: 'Reject webhooks with a wrong signature, or read the resource before you act on its event.',
  alternativeExplanation: 'The client would have paid the payee anyway.',
  examples: {
    invalid: [...forged, quote(), withdrawToRegistered()],
    valid: [...forged, ask('getBeneficiary', { params: { beneficiaryId: '{{beneficiary.id}}' } }), quote(), withdrawToRegistered()],
  },
  create({ lruMap, report }) {
    const trusted = lruMap<Remembered>(20);
    return {
      operations: new Set(['createWithdrawal', 'getBeneficiary']),
      exchange(call) {
        if (trusted.size === 0) return;
        const { record, id } = call;
        if (record.operationId === 'getBeneficiary') return trusted.delete(record.params['beneficiaryId']!);
        const payee = textOf(objectOf(call.body['beneficiary'])['id']) ?? '';
        const known = trusted.get(payee);
        if (!known || !call.done || call.done.status >= 300) return;
        trusted.delete(payee);
        report({
          ...call.place,
          evidence: [
            { ref: known.ref, what: 'The event had a wrong signature or none, and the endpoint accepted it.' },
            { ref: id, what: 'The payee was paid, and the client had not read it in between.' },
          ],
        });
      },
      accepted({ record, id, isGenuine, isForged }) {
        const { eventType } = record;
        if (!eventType.startsWith('BENEFICIARY_')) return;
        const payee = textOf(objectOf(record.payload)['id']) ?? record.resourceId;
        if (isForged) trusted.set(payee, { ref: id });
        else if (isGenuine && eventType.endsWith('_APPROVED')) trusted.delete(payee);
      },
    };
  },
});
