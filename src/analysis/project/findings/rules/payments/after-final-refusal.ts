import { current } from '../../../../../domain/machine.js';
import type { Remembered } from '../../lru-map.js';
import { shownAt } from '../../payments.js';
import { defineRule } from '../../rule.js';
import { advance, ask, quote, withdraw } from '../../script.js';

/** A permanent failure of a payment, of which the client knows. */
interface Refused extends Remembered {
  readonly order: number;
  readonly code: string;
  readonly test: string | null;
}

/** The failure reasons with which an equal payment fails again. */
const finalCodes: ReadonlySet<string> = new Set(['COMPLIANCE_REJECTED', 'BENEFICIARY_ACCOUNT_CLOSED']);

const closed = [
  quote({ sourceAmount: '150.12' }),
  withdraw(),
  advance('PT1M'),
  ask('getOperation', { params: { operationId: '{{withdrawal.id}}' } }),
];
const rejected = [
  quote({ sourceAmount: '150.13' }),
  withdraw(),
  advance('PT1M'),
  ask('getOperation', { params: { operationId: '{{withdrawal.id}}' } }),
];
const again = (sourceAmount: string) => [quote({ as: 'fresh', sourceAmount }), withdraw({ of: 'fresh', as: 'again' })];

export const afterFinalRefusal = defineRule({
  id: 'payment.after-final-refusal',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A payment was made again although it had failed permanently',
  advice:
    'Read `currentState.reason.code` of a failed operation. After COMPLIANCE_REJECTED or BENEFICIARY_ACCOUNT_CLOSED stop paying this payee until a person has decided.',
  examples: { invalid: [...closed, ...again('150.12')], valid: [...rejected, ...again('150.13')] },
  create({ payments, lruMap, report, world }) {
    const refused = lruMap<Refused>(100);
    const isShown = (id: string) => {
      const payment = payments.get(id);
      return payment !== undefined && shownAt(payment) !== null;
    };
    const learn = (id: string, ref: string, order: number, test: string | null) => {
      const operation = world.row('operations', id);
      const { status, reason } = operation ? current(operation.states) : { status: null, reason: null };
      const terms = payments.get(id)?.terms;
      if (terms !== undefined && status === 'FAILED' && reason && finalCodes.has(reason.code) && !refused.get(terms))
        refused.set(terms, { ref, order, code: reason.code, test });
    };
    return {
      operations: new Set(['createWithdrawal', 'getOperation']),
      exchange(call) {
        const { record, id, ended, test } = call;
        if (record.operationId === 'getOperation') {
          if (ended !== null) learn(ended, id, record.ended.order, test);
          return;
        }
        if (refused.size === 0) return;
        const made = payments.madeBy(call);
        const known = made && refused.get(made.terms);
        if (!known || known.test !== test || !call.isAfter(known.order)) return;
        report({
          ...call.place,
          evidence: [
            { ref: known.ref, what: `This response or webhook showed the client that the payment failed with ${known.code}.` },
            { ref: id, what: 'The same type, parties and amount were paid again.' },
          ],
        });
      },
      accepted({ record, id, isGenuine, test }) {
        if (isGenuine && record.eventType === 'OPERATION_FAILED' && isShown(record.resourceId))
          learn(record.resourceId, id, record.ended.order, test);
      },
    };
  },
});
