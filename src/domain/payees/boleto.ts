import { weightedSum } from '../../contract/shared/identifiers/bank-account.js';

const dayMs = 86_400_000;
/** The date with due-date factor 0. */
const factorEpoch = Date.parse('1997-10-07');

/**
 * Returns the due-date factor of a day (`yyyy-MM-dd`): days since 1997-10-07, in four digits. After 9999, first reached on 2025-02-21, the
 * factor restarts at 1000.
 */
export function dueDateFactor(day: string): string {
  const days = Math.floor((Date.parse(day) - factorEpoch) / dayMs);
  return String(days <= 9999 ? days : 1000 + ((days - 10_000) % 9000)).padStart(4, '0');
}

/** The parts of a boleto. */
interface Boleto {
  readonly bankCode: string;
  /** `yyyy-MM-dd`. */
  readonly dueDate: string;
  /** 25 digits that the bank chooses. */
  readonly freeField: string;
  /** Amount in cents; 0 for a boleto without an amount. */
  readonly cents: bigint;
}

/** Digits of the amount in the line. The line does not contain a larger amount. */
const amountDigits = 10;

/** Returns the digitable line of a boleto in BRL: 47 digits. */
export function digitableLine({ bankCode, dueDate, freeField, cents }: Boleto): string {
  const head = `${bankCode}9`;
  const amount = String(cents).length > amountDigits ? '0' : String(cents);
  const tail = `${dueDateFactor(dueDate)}${amount.padStart(amountDigits, '0')}`;
  const parts = [head + freeField.slice(0, 5), freeField.slice(5, 15), freeField.slice(15)];
  return parts.map((part) => part + mod10(part)).join('') + mod11(head + tail + freeField) + tail;
}

/** Returns the check digit of one part of the line: weights 2 and 1 from the right, digits of each product summed. */
function mod10(digits: string): number {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const product = Number(digit) * (index % 2 === 0 ? 2 : 1);
      return total + (product > 9 ? product - 9 : product);
    }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Returns the check digit of the whole barcode; 1 if the formula yields 0 or two digits. */
function mod11(digits: string): number {
  const digit = 11 - (weightedSum(digits) % 11);
  return digit > 9 ? 1 : digit;
}
