import { writingOperations } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { transfer } from '../../script.js';

/** The last key of one world, and the number of consecutive weak keys. */
interface Series extends Remembered {
  readonly key: string;
  times: number;
}

/** Number of weak keys from which the rule reports. */
const least = 2;
/** Two keys that differ by less than this follow each other. */
const mostApart = 1000n;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const isNear = (a: bigint, b: bigint) => a - b < mostApart && b - a < mostApart;

/** Number of first digits that fit into a number, of 32. */
const firstDigits = 13;
const startOf = (digits: string) => Number.parseInt(digits.slice(0, firstDigits), 16);

/** True if two keys, given without hyphens, are near as hexadecimal numbers. Most keys differ in their first digits. */
const areNear = (digits: string, before: string) =>
  Math.abs(startOf(digits) - startOf(before)) <= 1 && isNear(BigInt(`0x${digits}`), BigInt(`0x${before}`));

/** True if two keys, given without hyphens, follow each other as hexadecimal numbers or in decimal digits at their end. */
function isCounted(digits: string, before: string): boolean {
  if (areNear(digits, before)) return true;
  // A counter or a time is usually written in decimal digits: 0999 is followed by 1000, which is far away in hexadecimal.
  let same = 0;
  while (digits[same] === before[same]) same += 1;
  const [end, endBefore] = [digits.slice(same), before.slice(same)];
  return !/[a-f]/.test(end + endBefore) && isNear(BigInt(end), BigInt(endBefore));
}

/** True if a text has at most four different characters. A random key has a fifth after a few characters. */
function hasFew(digits: string): boolean {
  let seen = '';
  for (const digit of digits) {
    if (!seen.includes(digit)) seen += digit;
    if (seen.length > 4) return false;
  }
  return true;
}

/** Describes why a key is easy to repeat; null if it looks random. */
function weaknessOf(key: string, before: string | undefined): string | null {
  const digits = key.replaceAll('-', '');
  if (hasFew(digits)) return 'consists of a few repeated digits';
  if (/0{16}/.test(digits)) return 'is a short number with zeros';
  if (before === undefined || before === key) return null;
  if (isCounted(digits, before.replaceAll('-', ''))) return 'follows the key before';
  // In UUIDs of version 1 that follow each other, only the first group changes: the time.
  return key.charAt(14) === '1' && key.slice(9) === before.slice(9) ? 'is the time' : null;
}

const counted = (last: string) => ({ headers: { 'X-Idempotency-Key': `00000000-0000-4000-8000-00000000000${last}` } });

export const weakKey = defineRule({
  id: 'idempotency.weak-key',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'Idempotency keys are counted or derived from the time',
  advice:
    'Use a random UUID (version 4) for each payment. Keys that count up start again after a restart, and the next payment is not made.',
  examples: {
    invalid: [transfer(counted('1')), transfer({ value: '26.00', ...counted('2') }), transfer({ value: '27.00', ...counted('3') })],
    valid: [transfer(counted('1')), transfer(counted('1')), transfer({ value: '27.00' })],
  },
  create({ lruMap, report }) {
    const keys = lruMap<Series>(90);
    return {
      operations: writingOperations,
      having: 'idempotencyKey',
      exchange(call) {
        const { key, id } = call;
        if (key === null || call.record.method === 'GET' || !uuid.test(key)) return;
        const last = keys.get('last');
        if (last?.key === key) return;
        const weakness = weaknessOf(key, last?.key);
        const times = weakness === null ? 0 : (last?.times ?? 0) + 1;
        keys.set('last', { ref: id, key, times });
        if (weakness === null || times !== least || !last) return;
        report({
          ...call.place,
          evidence: [
            { ref: last.ref, what: `Key ${last.key}.` },
            { ref: id, what: `Key ${key} ${weakness}.` },
          ],
        });
      },
    };
  },
});
