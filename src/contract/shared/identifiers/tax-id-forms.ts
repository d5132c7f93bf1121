import { InvalidChecksum, InvalidFormat } from 'stdnum/lib/cjs/exceptions.js';
import type { ValidateReturn } from 'stdnum/lib/cjs/types.js';
import { iso7064mod10x11validate } from 'stdnum/lib/cjs/util/iso7064.js';
import { luhnChecksumValidate } from 'stdnum/lib/cjs/util/checksum.js';

/** Validates a number without punctuation, in capital letters. */
type Validator = (value: string) => ValidateReturn;

/** Returns a validator for a published format and an optional check digit. The validator expects an id without punctuation, in capital letters. */
export function formatValidator(form: RegExp, isChecked: (value: string) => boolean = () => true): Validator {
  return (value) => {
    if (!form.test(value)) return { isValid: false, error: new InvalidFormat() };
    if (!isChecked(value)) return { isValid: false, error: new InvalidChecksum() };
    return { isValid: true, compact: value, isIndividual: false, isCompany: false };
  };
}

/** Returns a validator that first removes parts which a register adds to a number, for example the country. */
export function withoutPart(part: RegExp, validator: Validator): Validator {
  return (value) => validator(value.replace(part, ''));
}

/** Returns a validator of numbers with a fixed length, which takes them without their leading zeros too. */
export function withLeadingZeros(length: number, validator: Validator): Validator {
  return (value) => validator(value.padStart(length, '0'));
}

/** Returns a validator of all numbers that one of these validators accepts. */
export function anyOf(...validators: readonly [Validator, ...Validator[]]): Validator {
  return (value) => {
    const results = validators.map((each) => each(value));
    return results.find(({ isValid }) => isValid) ?? results[0]!;
  };
}

/** Returns the sum of the digits of a number, multiplied by weights. */
function sumOf(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}

/** True if a day exists. @param year four digits, or two digits for a day in any century */
function isDay(year: string, month: number, day: number): boolean {
  const years = year.length === 4 ? [Number(year)] : [1900 + Number(year), 2000 + Number(year)];
  return years.some((each) => {
    const date = new Date(Date.UTC(each, month - 1, day));
    return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  });
}

const dayIn = (digits: string) => isDay(digits.slice(0, -4), Number(digits.slice(-4, -2)), Number(digits.slice(-2)));

/** Weights of the first eleven digits of a My Number, from ordinance No. 85 of 2014 of Japan's Ministry of Internal Affairs. */
const myNumberWeights = [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** True if the last of twelve digits is the check digit of a My Number, the number of an individual in Japan. */
export function isMyNumber(digits: string): boolean {
  const rest = sumOf(digits, myNumberWeights) % 11;
  return Number(digits[11]) === (rest <= 1 ? 0 : 11 - rest);
}

/** True if the last of eleven digits is the check digit of a CUIT or CUIL (Argentina). */
export function isCuit(digits: string): boolean {
  const rest = sumOf(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return digits[10] === '012345678990'[11 - rest];
}

/** True if the last digit is the check digit of a RUC (Paraguay): modulo 11, weights from 2. */
export function isRucOfParaguay(digits: string): boolean {
  const front = Array.from(digits.slice(0, -1)).toReversed();
  const rest = front.reduce((sum, digit, index) => sum + Number(digit) * (index + 2), 0) % 11;
  return Number(digits.at(-1)) === (rest <= 1 ? 0 : 11 - rest);
}

/** True if the last of twelve digits is the check digit of a RUT (Uruguay). */
export function isRutOfUruguay(digits: string): boolean {
  return (11 - (sumOf(digits, [4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(digits[11]);
}

/**
 * True for an RFC (Mexico) with a day that exists. The check digit is not verified: SAT issued numbers with other digits, and does not
 * verify it itself.
 */
export const isRfc = formatValidator(/^([A-ZÑ&]{3}[0-9]{6}[0-9A-Z]{2}[0-9A]|[A-ZÑ&]{4}[0-9]{6}([0-9A-Z]{2}[0-9A])?)$/, (value) =>
  dayIn(/[0-9]{6}/.exec(value)![0]),
);

/** A personnummer or coordination number (Sweden), with or without century and sign. The day of a coordination number is 60 higher. */
export const isPersonnummer = formatValidator(/^(1[89]|20)?[0-9]{6}[-+]?[0-9]{4}$/, (value) => {
  const digits = value.replace(/[-+]/, '');
  const date = digits.slice(0, -4);
  const day = Number(date.slice(-2));
  return isDay(date.slice(0, -4), Number(date.slice(-4, -2)), day > 60 ? day - 60 : day) && luhnChecksumValidate(digits.slice(-10));
});

/** Amounts that are added to the month of birth: none, NAV's test persons, and Skatteetaten's (the last are those of Tenor). */
const monthOffsets = [0, 40, 65, 80];

/** A national identity number (Norway), of a person or a test person. The day of a D number is 40 higher. */
export const isFodselsnummer = formatValidator(/^[0-9]{11}$/, (value) => {
  const [day, month] = [Number(value.slice(0, 2)), Number(value.slice(2, 4))];
  const hasDay = monthOffsets.some((offset) => isDay(value.slice(4, 6), month - offset, day > 40 ? day - 40 : day));
  return hasDay && sumOf(value, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 && sumOf(value, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
});

/** First month of birth, as yyyymm, of numbers without a check digit: since October 2020, newborns get random digits. */
const firstRandom = '202009';

/**
 * A resident registration number (South Korea). The seventh digit is the century and the sex. Numbers of foreigners (5 to 8) have no
 * check digit if they were issued since October 2020, whenever the person was born.
 */
export const isRrn = formatValidator(/^[0-9]{13}$/, (value) => {
  const sign = Number(value[6]);
  const century = sign === 9 || sign === 0 ? '18' : [1, 2, 5, 6].includes(sign) ? '19' : '20';
  if (!dayIn(century + value.slice(0, 6))) return false;
  if ((sign >= 5 && sign <= 8) || century + value.slice(0, 4) >= firstRandom) return true;
  return (11 - (sumOf(value, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10 === Number(value[12]);
});

/** An identity number of South Africa. The eleventh digit is 0 for citizens, 1 for residents and 2 for refugees. */
export const isSouthAfrican = formatValidator(
  /^[0-9]{10}[0-2][0-9]{2}$/,
  (value) => dayIn(value.slice(0, 6)) && luhnChecksumValidate(value),
);

/** A provisional codice fiscale, and that of an organisation (Italy). */
export const isNumericCodiceFiscale = formatValidator(/^[0-9]{11}$/, (value) => luhnChecksumValidate(value));

/** A tax number for tests of Germany's BZSt, which begins with 0. */
export const isTestSteuerId = formatValidator(/^0[0-9]{10}$/, iso7064mod10x11validate);

/** A tax file number of eight digits, from before 1990 (Australia). */
export const isShortTfn = formatValidator(/^[0-9]{8}$/, (value) => sumOf(value, [10, 7, 8, 4, 6, 3, 5, 1]) % 11 === 0);

const usccCharacters = '0123456789ABCDEFGHJKLMNPQRTUWXY';

/** A unified social credit code (China, GB 32100-2015). */
export const isUscc = formatValidator(/^[1-9ANY][1-9A][0-9]{6}[0-9A-HJ-NPQRTUWXY]{10}$/, (value) => {
  const sum = Array.from(value.slice(0, 17)).reduce((total, each, index) => total + usccCharacters.indexOf(each) * (3 ** index % 31), 0);
  return usccCharacters[(31 - (sum % 31)) % 31] === value[17];
});

/** Formats of GSTN: taxpayers, deductors (D), collectors (C), UN bodies and embassies, non-residents, and online services from abroad. */
const gstinForm =
  /^((0[1-9]|[12][0-9]|3[0-8]|9[679])([A-Z]{5}[0-9]{4}[A-Z][1-9A-Z][1-9A-JZ]|[A-Z]{4}[A-Z0-9][0-9]{4}[A-Z][1-9A-Z][DC]|[0-9]{2}[A-Z]{3}[0-9]{5}([UO]N|NR|OS)))[0-9A-Z]$/;
const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A goods and services tax number (India). */
export const isGstin = formatValidator(gstinForm, (value) => {
  const sum = Array.from(value.slice(0, 14)).reduce((total, each, index) => {
    const product = alphanumerics.indexOf(each) * (1 + (index % 2));
    return total + Math.floor(product / 36) + (product % 36);
  }, 0);
  return alphanumerics[(36 - (sum % 36)) % 36] === value[14];
});
