import { electronicFormatIBAN, isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools';

/** The bank that the sandbox's own accounts are at. No bank of Brazil has this number. */
export const sandboxBankCode = '999';

/** The IBAN as machines exchange it: no spaces, capital letters. */
export function normalizeIban(iban: string): string {
  return electronicFormatIBAN(iban) ?? iban;
}

/** Whether an IBAN, spaces allowed, has the length and the check digits of its country. */
export function isIban(iban: string): boolean {
  return /^[A-Za-z0-9 ]+$/.test(iban) && isValidIBAN(normalizeIban(iban));
}

/** Whether an IBAN belongs to a country that SEPA reaches. */
export function isSepaIban(iban: string): boolean {
  return isIban(iban) && isSEPACountry(normalizeIban(iban).slice(0, 2));
}

/** Whether a BIC has the form of ISO 9362, 8 or 11 characters with a country that exists. */
export function isBic(bic: string): boolean {
  return isValidBIC(bic.toUpperCase());
}

/** Whether a US routing number has a prefix that the ABA assigns, and the right check digit. */
export function isRoutingNumber(routingNumber: string): boolean {
  if (!/^(0[0-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)[0-9]{7}$/.test(routingNumber)) return false;
  const sum = Array.from(routingNumber, (digit, index) => Number(digit) * [3, 7, 1][index % 3]!).reduce((a, b) => a + b, 0);
  return sum > 0 && sum % 10 === 0;
}

/** The check digit that most Brazilian banks put behind an account number: modulo 11, weights 2 to 9 from the right, X for ten. */
export function accountCheckDigit(digits: string): string {
  const rest = weightedSum(digits) % 11;
  if (rest === 0) return '0';
  return rest === 1 ? 'X' : String(11 - rest);
}

/** The sum of the digits, each by its weight: 2 to 9 from the right, then from 2 again. */
export function weightedSum(digits: string): number {
  return Array.from(digits)
    .toReversed()
    .reduce((sum, digit, index) => sum + Number(digit) * (2 + (index % 8)), 0);
}

export const bankCodePattern = /^[0-9]{3}$/;
export const branchPattern = /^[0-9]{4}(-[0-9X])?$/;
export const brazilianAccountPattern = /^([0-9]{1,13})-?([0-9X])$/;

/** Whether a Brazilian bank has such a number at the clearing: three digits. */
export function isBankCode(bankCode: string): boolean {
  return bankCodePattern.test(bankCode) && bankCode !== '000';
}

/** Whether a Brazilian branch has such a number: four digits, its check digit behind a hyphen if there is one. */
export function isBranch(branch: string): boolean {
  return branchPattern.test(branch);
}

/**
 * Whether a Brazilian account number is right as far as it can be told from here: digits with a check digit, which may stand
 * behind a hyphen. Each bank has a way of its own to compute that digit, so it is recomputed for the sandbox's bank only.
 */
export function isBrazilianAccount(bankCode: string, accountNumber: string): boolean {
  const [, digits, checkDigit] = brazilianAccountPattern.exec(accountNumber) ?? [];
  if (digits === undefined) return false;
  return bankCode !== sandboxBankCode || accountCheckDigit(digits) === checkDigit;
}
