import { defineRule } from '../../rule.js';
import { transfer } from '../../script.js';
import { amountOperations, amountsOf } from './amounts.js';

export const jsonNumber = defineRule({
  id: 'money.json-number',
  confidence: 'CERTAIN',
  severity: 'ERROR',
  title: 'An amount was sent as a JSON number',
  advice: 'Send amounts as strings of decimal digits, for example "150.00". Most parsers read a JSON number as binary floating point.',
  implies: ['payment.never-made'],
  examples: {
    invalid: [transfer({ value: 25, expect: 400 })],
    valid: [transfer({ value: '25.00' })],
  },
  create({ report }) {
    return {
      operations: amountOperations,
      exchange(call) {
        const numbers = amountsOf(call).filter(({ value }) => typeof value === 'number');
        if (numbers.length === 0) return;
        const { id } = call;
        const what = numbers.map(({ field, value }) => `${field} is the number ${String(value)}`).join(', ');
        report({ ...call.place, evidence: [{ ref: id, what: `${what}.` }] });
      },
    };
  },
});
