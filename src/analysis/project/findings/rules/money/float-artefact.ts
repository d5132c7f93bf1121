import { defineRule } from '../../rule.js';
import { transfer } from '../../script.js';
import { amountOperations, amountsOf } from './amounts.js';

const minDigits = 15;
/** Number of significant digits that single precision never keeps. */
const minSingleDigits = 10;
/** Minimum number of decimal places of a repeating decimal. */
const minDivided = 9;
const tolerance = 1e-9;

/** True if a string is a decimal amount as single-precision floating point prints it: 150.1 becomes 150.10000610351562. */
function isSingle(value: string, decimals: number): boolean {
  const number = Number(value);
  const digits = value.replace(/^-?0*/, '').replace('.', '');
  if (digits.length < minSingleDigits || String(number) !== value || Math.fround(number) !== number) return false;
  const meant = Number(number.toFixed(decimals));
  return meant !== number && Math.fround(meant) === number;
}

/** True if a string is a repeating decimal, for example 33.333333333333336 for 100 divided by 3. */
function isDivided(value: string, decimals: number): boolean {
  const fraction = value.split('.', 2)[1] ?? '';
  return (
    fraction.length > decimals &&
    fraction.length >= minDivided &&
    /^([1-9])\1{6,}[0-9]{0,2}$/.test(fraction.slice(-minDivided)) &&
    !/^0+$/.test(fraction)
  );
}

/** True if a string has an exponent, or is a binary rounding error close to an amount that the asset allows. */
function isArtefact(value: string, decimals: number): boolean {
  if (/^-?[0-9]+(\.[0-9]+)?[eE][+-]?[0-9]{1,3}$/.test(value)) return true;
  if (isSingle(value, decimals) || isDivided(value, decimals)) return true;
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
  implies: ['payment.never-made'],
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
