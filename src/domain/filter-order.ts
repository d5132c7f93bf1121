import { Conditions } from './filter-formula.js';
import type { FieldCondition } from './filter-operators.js';
import { comparisonWith, keyOf, type FieldType, type Key } from './filter-value.js';

/** Adds those conditions that hold for a value, by its key. */
export type OrderTest = (key: Key, held: Conditions) => void;

/**
 * A test for those conditions that compare by order. What they compare with is sorted once, and each value looked up among that,
 * so that it matters little how many conditions they are. Null when there are none.
 */
export function orderTest(type: FieldType, conditions: readonly FieldCondition[]): OrderTest | null {
  const comparing = conditions.flatMap(({ number, operator, operands: [operand = null] }) => {
    const isAbove = operator === 'gt' || operator === 'gte';
    if (!isAbove && operator !== 'lt' && operator !== 'lte') return [];
    const limit = operand === null ? undefined : keyOf(type, operand);
    return limit === undefined ? [] : [{ number, limit, isAbove, holdsAtLimit: operator === 'gte' || operator === 'lte' }];
  });
  if (comparing.length === 0) return null;
  const compare = comparisonWith(
    type,
    comparing.map(({ limit }) => limit),
  );
  const limits = [...new Set(comparing.map(({ limit }) => limit))].toSorted(compare);
  /** What holds below the first limit, at it, between it and the second, at that, and so on. */
  const heldAt = Array.from({ length: limits.length * 2 + 1 }, (_, place) => {
    const holding = new Conditions();
    for (const { number, limit, isAbove, holdsAtLimit } of comparing) {
      const at = limits.indexOf(limit) * 2 + 1;
      if (place === at ? holdsAtLimit : place > at === isAbove) holding.add(number);
    }
    return holding;
  });
  return (key, held) => {
    let [low, high] = [0, limits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const side = compare(key, limits[middle]!);
      if (side === 0) return held.addAll(heldAt[middle * 2 + 1]!);
      if (side > 0) low = middle + 1;
      else high = middle;
    }
    held.addAll(heldAt[low * 2]!);
  };
}
