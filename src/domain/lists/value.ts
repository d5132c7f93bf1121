import { parseTimestamp } from '../../contract/shared/common.js';
import { Decimal } from '../money.js';

/** The comparison type of a filterable field. */
export type FieldType = 'TEXT' | 'DECIMAL' | 'BOOLEAN' | 'TIMESTAMP';

const numberPattern = /^-?[0-9]+(\.[0-9]+)?$/;
/** Whether a string is a valid value of this type. */
export function isOfType(type: FieldType, value: string): boolean {
  return keyOf(type, value) !== undefined;
}

/** Returns the comparison type for a field without a declared type: that of the JSON values it is compared with. Strings are text. */
export function typeOfOperands(operands: readonly unknown[]): FieldType {
  const [type = 'string', ...others] = new Set(operands.filter((each) => each !== null && each !== undefined).map((each) => typeof each));
  if (others.length > 0) return 'TEXT';
  return type === 'number' ? 'DECIMAL' : type === 'boolean' ? 'BOOLEAN' : 'TEXT';
}

/** Returns a text with composed characters (NFC): systems write the same letter with its accent as one character or as two. */
export function normalizedText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII is always composed
  return /^[\u0000-\u007f]*$/.test(text) ? text : text.normalize('NFC');
}

/** A normalised value: equal values have identical keys. */
export type Key = string | number;

/** Returns the key of a value; undefined if the value is invalid for the type. Such a value equals nothing. */
export function keyOf(type: FieldType, value: string): Key | undefined {
  switch (type) {
    case 'TEXT':
      return normalizedText(value);
    case 'DECIMAL':
      return numberPattern.test(value) && value.length <= 64 ? decimalKey(value) : undefined;
    case 'BOOLEAN':
      return value === 'true' || value === 'false' ? value : undefined;
    case 'TIMESTAMP':
      return parseTimestamp(value)?.getTime();
  }
}

/**
 * Removes redundant zeros. Returns a number up to 15 digits, which a double represents exactly; else a string.
 */
function decimalKey(value: string): Key {
  if (value.length <= 15) return Number(value) + 0; // Turns -0 into 0.
  const sign = value.startsWith('-') ? '-' : '';
  const point = value.includes('.') ? value.indexOf('.') : value.length;
  let [start, end] = [sign.length, value.length];
  while (start < point - 1 && value[start] === '0') start += 1;
  while (end > point && (value[end - 1] === '0' || end - 1 === point)) end -= 1;
  const plain = sign + value.slice(start, end);
  return plain.length <= 15 ? Number(plain) + 0 : plain;
}

/** Returns a comparison function for keys of this type, as `sort` expects it. */
export function compareKeys(type: FieldType): (a: Key, b: Key) => number {
  return type === 'DECIMAL' || type === 'TIMESTAMP' ? compareNumbers : compareCodePoints;
}

/** Compares as doubles first: conversion can make different numbers equal, but never changes their order. */
function compareNumbers(a: Key, b: Key): number {
  return Number(a) - Number(b) || (typeof a === 'number' && typeof b === 'number' ? 0 : new Decimal(a).comparedTo(b));
}

function compareCodePoints(a: Key, b: Key): number {
  const [left, right] = [String(a), String(b)];
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  if (at === length) return left.length - right.length;
  // Code units sort like code points, except surrogates.
  const [leftUnit, rightUnit] = [left.charCodeAt(at), right.charCodeAt(at)];
  if (leftUnit < 0xd800 && rightUnit < 0xd800) return leftUnit - rightUnit;
  const difference = (place: number) => left.codePointAt(place)! - right.codePointAt(place)!;
  // The first difference may be the second half of a surrogate pair.
  return (at > 0 && difference(at - 1)) || difference(at);
}
