import { instantOf } from '../../contract/shared/common.js';
import { Decimal } from '../money.js';

/** How the values of a filterable field compare. */
export type FieldType = 'TEXT' | 'DECIMAL' | 'BOOLEAN' | 'TIMESTAMP';

const numberPattern = /^-?[0-9]+(\.[0-9]+)?$/;
/** Whether a text can be compared with a field of this type. */
export function fits(type: FieldType, value: string): boolean {
  return keyOf(type, value) !== undefined;
}

/** The type by which two values compare when nothing declares it. */
export function typeOfValue(value: string): FieldType {
  return fits('DECIMAL', value) ? 'DECIMAL' : fits('TIMESTAMP', value) ? 'TIMESTAMP' : 'TEXT';
}

/** A value in a form in which equal ones are identical. */
export type Key = string | number;

/** The key of a value; undefined for what is no value of the type, which is equal to nothing. */
export function keyOf(type: FieldType, value: string): Key | undefined {
  switch (type) {
    case 'TEXT':
      return value;
    case 'DECIMAL':
      return numberPattern.test(value) && value.length <= 64 ? decimalKey(value) : undefined;
    case 'BOOLEAN':
      return value === 'true' || value === 'false' ? value : undefined;
    case 'TIMESTAMP':
      return instantOf(value)?.getTime();
  }
}

/** A decimal without idle zeros; as a number where a double tells it from every other one, which it does up to 15 digits. */
function decimalKey(value: string): Key {
  if (value.length <= 15) return Number(value) + 0; // Not minus zero.
  const sign = value.startsWith('-') ? '-' : '';
  const point = value.includes('.') ? value.indexOf('.') : value.length;
  let [start, end] = [sign.length, value.length];
  while (start < point - 1 && value[start] === '0') start += 1;
  while (end > point && (value[end - 1] === '0' || end - 1 === point)) end -= 1;
  const plain = sign + value.slice(start, end);
  return plain.length <= 15 ? Number(plain) + 0 : plain;
}

/** How two keys of a type compare: negative, zero or positive as the first is below, equal to or above the second. */
export function compareKeys(type: FieldType): (a: Key, b: Key) => number {
  return type === 'DECIMAL' || type === 'TIMESTAMP' ? compareNumbers : compareCodePoints;
}

/** As doubles, different numbers never change their order; at most they become equal. */
function compareNumbers(a: Key, b: Key): number {
  return Number(a) - Number(b) || (typeof a === 'number' && typeof b === 'number' ? 0 : new Decimal(a).comparedTo(b));
}

function compareCodePoints(a: Key, b: Key): number {
  const [left, right] = [String(a), String(b)];
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  if (at === length) return left.length - right.length;
  // Units are in the order of code points but for halves of pairs.
  const [leftUnit, rightUnit] = [left.charCodeAt(at), right.charCodeAt(at)];
  if (leftUnit < 0xd800 && rightUnit < 0xd800) return leftUnit - rightUnit;
  const difference = (place: number) => left.codePointAt(place)! - right.codePointAt(place)!;
  // Where they differ may be in the midst of a pair.
  return (at > 0 && difference(at - 1)) || difference(at);
}
