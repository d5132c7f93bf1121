import { listOf, objectOf, type Call } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { quote, transfer } from '../../script.js';
import { amountOperations, amountsOf } from './amounts.js';

const decimal = /^[0-9]{1,12}\.[0-9]{1,8}$/;
const integer = /^[1-9][0-9]{2,14}$/;

/** Returns an amount in minor units as a decimal string: 15000 with 2 decimals is 150.00. */
const shifted = (digits: string, decimals: number) => {
  const padded = digits.padStart(decimals + 1, '0');
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
};

/** Returns the amounts with a decimal point in a request, and those of its quote, with as many decimal places as their assets have. */
function knownAmounts(call: Call): string[] {
  const own = amountsOf(call).flatMap(({ value, decimals }) =>
    typeof value === 'string' && decimals !== null && decimal.test(value) ? [Number(value).toFixed(decimals)] : [],
  );
  const { sourceAmount, targetAmount } = call.responseBody;
  const quoted = listOf([sourceAmount, targetAmount]).flatMap((each) => (typeof each['value'] === 'string' ? [each['value']] : []));
  return [...own, ...(call.operationId === 'createQuote' && call.record.status < 300 ? quoted : [])];
}

export const minorUnits = defineRule({
  id: 'money.minor-units',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'An amount was sent in minor units',
  advice: 'Amounts are decimal strings in units of the asset: 150 reais are "150.00", not "15000". Convert cents before you send them.',
  alternativeExplanation: 'A payment a hundred times as large was intended.',
  examples: {
    invalid: [quote({ sourceAmount: '150.00' }), transfer({ value: '15000' })],
    valid: [quote({ sourceAmount: '150.00' }), transfer({ value: '150' }), transfer({ value: '1500' })],
  },
  create({ lruMap, report }) {
    const known = lruMap<Remembered>(20);
    return {
      operations: amountOperations,
      exchange(call) {
        const { id } = call;
        if (Object.keys(objectOf(call.body)).length === 0) return;
        for (const { field, value, decimals } of amountsOf(call)) {
          const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
          if (decimals === null || decimals === 0 || !integer.test(digits)) continue;
          const meant = shifted(digits, decimals);
          const first = known.get(meant);
          if (!first) continue;
          report({
            ...call.place,
            evidence: [
              { ref: first.ref, what: `This request or its response has the amount ${meant}.` },
              { ref: id, what: `${field} is ${digits}, which is ${meant} in minor units.` },
            ],
          });
        }
        for (const amount of knownAmounts(call)) if (!known.get(amount)) known.set(amount, { ref: id });
      },
    };
  },
});
