import { objectOf, textOf } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { advance, quote, register, withdraw } from '../../script.js';

/** A payee, which can be registered as several beneficiaries. */
interface Payee extends Remembered {
  readonly test: string | null;
  /** The beneficiary that received a payment, and the request that paid; null if none did. */
  readonly paid: { readonly id: string; readonly ref: string } | null;
  readonly isReported: boolean;
}

const paying = (name: string, of: string) =>
  withdraw({
    body: {
      accountId: '{{account}}',
      quoteId: `{{${of}.id}}`,
      beneficiary: {
        type: 'REFERENCE',
        id: `{{${name}.id}}`,
        paymentInstruction: { type: 'REFERENCE', id: `{{${name}.paymentInstruction.id}}` },
      },
    },
  });
const paid = (name: string, of: string) => [advance('PT5S'), quote({ as: of }), paying(name, of)];

export const beneficiaryRecreated = defineRule({
  id: 'beneficiary.recreated',
  confidence: 'LIKELY',
  severity: 'WARNING',
  title: 'The same payee was registered again for another payment',
  advice:
    'Store the id of the beneficiary with the payee, and pay it again with this id. Every registration is reviewed, which delays the payment.',
  alternativeExplanation: 'Two departments of the client do not know of each other.',
  examples: {
    invalid: [register({ as: 'first' }), ...paid('first', 'one'), register({ as: 'second' }), ...paid('second', 'two')],
    valid: [register({ as: 'first' }), ...paid('first', 'one'), ...paid('first', 'two')],
  },
  create({ lruMap, report }) {
    const payees = lruMap<Payee>(120);
    /** The payee of each beneficiary, by beneficiary id. */
    const registrations = lruMap<Remembered & { readonly payee: string }>(60);
    return {
      operations: new Set(['createBeneficiary', 'createWithdrawal']),
      exchange(call) {
        const { fingerprint, id, test, record } = call;
        if (!call.done || call.done.status >= 300 || !call.isDelivered) return;
        if (record.operationId === 'createBeneficiary') {
          const made = call.madeId;
          if (made !== null && fingerprint !== null) registrations.set(made, { ref: id, payee: fingerprint });
          return;
        }
        const beneficiary = textOf(objectOf(call.body['beneficiary'])['id']) ?? '';
        const payee = registrations.get(beneficiary)?.payee;
        if (payee === undefined) return;
        const known = payees.get(payee);
        const first = known?.test === test ? known : undefined;
        const isOther = first?.paid !== null && first !== undefined && first.paid.id !== beneficiary;
        if (isOther && !first.isReported) {
          report({
            ...call.place,
            evidence: [
              { ref: first.paid.ref, what: `This request paid beneficiary ${first.paid.id}.` },
              { ref: id, what: `This request paid beneficiary ${beneficiary}, which was registered with the same data.` },
            ],
          });
        }
        payees.set(payee, { ref: '', test, paid: { id: beneficiary, ref: id }, isReported: isOther || first?.isReported === true });
      },
    };
  },
});
