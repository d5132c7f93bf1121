import { weightedSum } from '../../contract/shared/identifiers/bank-account.js';

const dayMs = 86_400_000;
/** The day that due-date factors count from. */
const factorEpoch = Date.parse('1997-10-07');

/**
 * The due-date factor of a day (`yyyy-MM-dd`): days since 1997-10-07 in four digits. It reached 9999 on 2025-02-21 and went on at 1000
 * the day after, as it will each time.
 */
export function dueDateFactor(day: string): string {
  const days = Math.floor((Date.parse(day) - factorEpoch) / dayMs);
  return String(days <= 9999 ? days : 1000 + ((days - 10_000) % 9000)).padStart(4, '0');
}

/** What a boleto without an amount is made of. */
interface OpenBoleto {
  readonly bankCode: string;
  /** The day it is due, `yyyy-MM-dd`. */
  readonly dueDate: string;
  /** 25 digits that are the bank's own. */
  readonly freeField: string;
}

/** The digitable line of a boleto in BRL that leaves the amount open: 47 digits. */
export function digitableLine({ bankCode, dueDate, freeField }: OpenBoleto): string {
  const head = `${bankCode}9`;
  const tail = `${dueDateFactor(dueDate)}${'0'.repeat(10)}`;
  const parts = [head + freeField.slice(0, 5), freeField.slice(5, 15), freeField.slice(15)];
  return parts.map((part) => part + mod10(part)).join('') + mod11(head + tail + freeField) + tail;
}

/** The check digit of one part of the line: weights 2 and 1 from the right, the digits of each product summed. */
function mod10(digits: string): number {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const product = Number(digit) * (index % 2 === 0 ? 2 : 1);
      return total + (product > 9 ? product - 9 : product);
    }, 0);
  return (10 - (sum % 10)) % 10;
}

/** The check digit of the whole barcode, 1 where the formula gives no single digit above zero. */
function mod11(digits: string): number {
  const digit = 11 - (weightedSum(digits) % 11);
  return digit > 9 ? 1 : digit;
}
