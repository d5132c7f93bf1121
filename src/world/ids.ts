import { hash } from 'node:crypto';

/** Returns the hex SHA-256 of the parts. */
function digest(parts: readonly string[]): string {
  return hash('sha256', parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));
}

/** Returns a version 4 UUID derived from the parts. */
export function deriveUuid(...parts: string[]): string {
  const hex = digest(parts);
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]!;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns a string of 0-9, A-Z and a-z derived from the parts; at most 32 characters. */
export function deriveCode(length: number, ...parts: string[]): string {
  return Array.from(Buffer.from(digest(parts), 'hex').subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('');
}

/** Returns a number derived from the parts, at least 0 and less than 1. */
export function deriveFraction(...parts: string[]): number {
  return Number.parseInt(digest(parts).slice(0, 8), 16) / 2 ** 32;
}

/**
 * Returns the number that decides whether a rule with a `probability` applies, at least 0 and less than 1. The rule applies if the number is
 * below the probability.
 * @param match which match of the rule, from 1
 */
export function chanceOf({ seed, name }: { readonly seed: string; readonly name: string }, ruleId: string, match: number): number {
  return deriveFraction(seed, name, 'chance', ruleId, String(match));
}
