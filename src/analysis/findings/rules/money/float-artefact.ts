import { defineRule } from '../../rule.js';
import { transfer } from '../../script.js';
import { amountOperations, amountsOf } from './amounts.js';

const minDigits = 15;
const tolerance = 1e-9;

/** True if a string has an exponent, or is a binary rounding error close to an amount that the asset allows. */
function isArtefact(value: string, decimals: number): boolean {
  if (/^-?[0-9]+(\.[0-9]+)?[eE][+-]?[0-9]{1,3}$/.test(value)) return true;
  const digits = value.replace(/^-/, '').replace('.', '').replace(/^0+/, '');
  if (!/^-?[0-9]+\.[0-9]+$/.test(value) || digits.length < minDigits) return false;
  const number = Number(value);
  if (String(number) !== value) return false;
  const off = Math.abs(number - Number(number.toFixed(decimals)));
  return off > 0 && off < tolerance * Math.abs(number);
}

export const floatArtefact = defineRule({
  id: 'money.float-artefact',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'An amount was computed in binary floating point',
  advice:
    'Compute with decimals throughout, and write as many decimal places as the asset has. In binary floating point, 0.1 + 0.2 is not 0.3.',
  alternativeExplanation: 'A test sends too many digits on purpose.',
  examples: {
    invalid: [transfer({ value: String(0.1 + 0.2), expect: 400 })],
    valid: [transfer({ value: '10.005', expect: 400 }), transfer({ value: '0.30' })],
  },
  create({ report }) {
    return {
      operations: amountOperations,
      exchange(call) {
        const found = amountsOf(call).filter(
          ({ value, decimals }) => typeof value === 'string' && value.length <= 40 && decimals !== null && isArtefact(value, decimals),
        );
        if (found.length === 0) return;
        const { id } = call;
        const what = found.map(({ field, value }) => `${field} is "${String(value)}"`).join(', ');
        report({ ...call.place, evidence: [{ ref: id, what: `${what}.` }] });
      },
    };
  },
});
