import { defineRule } from '../../rule.js';
import { transfer } from '../../script.js';
import { amountOperations, amountsOf } from './amounts.js';

const plain = /^-?[0-9]+(\.[0-9]+)?$/;
/** Digits in groups of three with a separator, or a comma before the fraction. */
const localised = /^-?([0-9]{1,3}([.,'’ \u00a0\u202f][0-9]{3})+([.,][0-9]+)?|[0-9]+,[0-9]+)$/;

/** True if a string is an amount with a currency symbol or code. */
const isSymbolic = (value: string) => /^([A-Z]{0,3}[$€£¥]|[A-Z]{3}) ?-?[0-9.,]+$|^-?[0-9.,]+ ?([$€£¥]|[A-Z]{3})$/.test(value);

const symbolAdvice = 'Send the number alone, for example "25.00", and name the currency in `asset`. Format amounts only for display.';

export const locale = defineRule({
  id: 'money.locale',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'An amount was formatted for a locale',
  advice: 'Use a point before the fraction and no separators, for example "1234.56". Format amounts only for display.',
  implies: ['payment.never-made'],
  examples: {
    invalid: [transfer({ value: '1.234,56', expect: 400 })],
    valid: [transfer({ value: '1234.56' })],
  },
  create({ report }) {
    return {
      operations: amountOperations,
      exchange(call) {
        const found = amountsOf(call).filter(
          ({ value }) =>
            typeof value === 'string' && value.length <= 40 && !plain.test(value) && (localised.test(value) || isSymbolic(value)),
        );
        if (found.length === 0) return;
        const { id } = call;
        const what = found.map(({ field, value }) => `${field} is "${String(value)}"`).join(', ');
        const hasSymbols = found.every(({ value }) => isSymbolic(String(value)));
        const advice = hasSymbols ? { advice: symbolAdvice } : {};
        report({ ...call.place, ...advice, evidence: [{ ref: id, what: `${what}.` }] });
      },
    };
  },
});
