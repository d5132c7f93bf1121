import { composeIBAN, electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';

/** Bank code of the sandbox's own accounts. No bank in Brazil has it. */
export const sandboxBankCode = '999';

/** Returns an IBAN in electronic format: no spaces, capital letters. */
export function normalizeIban(iban: string): string {
  return electronicFormatIBAN(iban) ?? iban;
}

/** True if an IBAN (spaces allowed) has the length and check digits of its country. */
export function isIban(iban: string): boolean {
  return /^[A-Za-z0-9 ]+$/.test(iban) && isValidIBAN(normalizeIban(iban));
}

/** Returns an IBAN with the correct check digits for its country and account; null if the text has another format. */
export function correctedIban(iban: string): string | null {
  const plain = normalizeIban(iban);
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$/.test(plain)) return null;
  const corrected = composeIBAN({ countryCode: plain.slice(0, 2), bban: plain.slice(4) });
  return corrected !== null && isIban(corrected) ? corrected : null;
}

/**
 * The country codes of IBANs in SEPA. Source: "List of SEPA Scheme Countries" of the European Payments Council (EPC409-09), as of May 2026,
 * when banks in Serbia joined; those of Albania, Moldova, Montenegro and North Macedonia joined in October 2025. Territories without their
 * own IBANs have those of their country.
 */
export const sepaCountries: ReadonlySet<string> = new Set([
  // The European Economic Area.
  ...'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
  ...'AD AL CH GB GI MC MD ME MK RS SM VA'.split(' '),
]);

/** True if a valid IBAN belongs to a country in SEPA. */
export function isSepaIban(iban: string): boolean {
  return isIban(iban) && sepaCountries.has(normalizeIban(iban).slice(0, 2));
}

/**
 * True if a BIC has the format of ISO 9362:2014: four letters or digits for the party, an existing country, two letters or digits, and
 * three more for a branch.
 */
export function isBic(bic: string): boolean {
  // The library expects the format of 2009, which had only letters for the party.
  return /^[A-Z0-9]{4}/i.test(bic) && isValidBIC(`AAAA${bic.slice(4).toUpperCase()}`);
}

/** True if a US routing number has a prefix assigned by the ABA and a correct check digit. */
export function isRoutingNumber(routingNumber: string): boolean {
  return correctedRoutingNumber(routingNumber) === routingNumber;
}

/** Returns a US routing number with its correct check digit; null if it does not have 9 digits and a prefix assigned by the ABA. */
export function correctedRoutingNumber(routingNumber: string): string | null {
  if (!/^(0[0-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)[0-9]{7}$/.test(routingNumber)) return null;
  const digits = routingNumber.slice(0, 8);
  const sum = Array.from(digits, (digit, index) => Number(digit) * [3, 7, 1][index % 3]!).reduce((a, b) => a + b, 0);
  return sum === 0 ? null : `${digits}${(10 - (sum % 10)) % 10}`;
}

/** Returns the check digit that most Brazilian banks append to an account number: modulo 11, weights 2 to 9 from the right, X for ten. */
export function accountCheckDigit(digits: string): string {
  const rest = weightedSum(digits) % 11;
  if (rest === 0) return '0';
  return rest === 1 ? 'X' : String(11 - rest);
}

/** Returns the weighted sum of the digits: weights 2 to 9 from the right, repeated. */
export function weightedSum(digits: string): number {
  return Array.from(digits)
    .toReversed()
    .reduce((sum, digit, index) => sum + Number(digit) * (2 + (index % 8)), 0);
}

export const bankCodePattern = /^[0-9]{3}$/;
export const branchPattern = /^[0-9]{4}(-[0-9X])?$/;
export const brazilianAccountPattern = /^([0-9]{1,13})-?([0-9X])$/;

/** True for a clearing number of a Brazilian bank: three digits. */
export function isBankCode(bankCode: string): boolean {
  return bankCodePattern.test(bankCode) && bankCode !== '000';
}

/** True for a Brazilian branch number: four digits, optionally with a hyphen and a check digit. */
export function isBranch(branch: string): boolean {
  return branchPattern.test(branch);
}

/**
 * True if a Brazilian account number has digits and a check digit, optionally after a hyphen. Each bank computes the check
 * digit differently, so this function verifies only that of the sandbox's bank.
 */
export function isBrazilianAccount(bankCode: string, accountNumber: string): boolean {
  const [, digits, checkDigit] = brazilianAccountPattern.exec(accountNumber) ?? [];
  if (digits === undefined) return false;
  return bankCode !== sandboxBankCode || accountCheckDigit(digits) === checkDigit;
}
