import { InvalidChecksum, InvalidFormat } from 'stdnum/lib/cjs/exceptions.js';
import type { ValidateReturn } from 'stdnum/lib/cjs/types.js';

/** Returns a validator for a published format and an optional check digit. It takes numbers without punctuation, in capital letters. */
export function byForm(form: RegExp, isChecked: (value: string) => boolean = () => true): (value: string) => ValidateReturn {
  return (value) => {
    if (!form.test(value)) return { isValid: false, error: new InvalidFormat() };
    if (!isChecked(value)) return { isValid: false, error: new InvalidChecksum() };
    return { isValid: true, compact: value, isIndividual: false, isCompany: false };
  };
}

/** Weights of the first eleven digits of a My Number, from ordinance No. 85 of 2014 of Japan's Ministry of Internal Affairs. */
const myNumberWeights = [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** True if the last of twelve digits is the check digit of a My Number, the number of an individual in Japan. */
export function isMyNumber(digits: string): boolean {
  const sum = myNumberWeights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  const rest = sum % 11;
  return Number(digits[11]) === (rest <= 1 ? 0 : 11 - rest);
}
