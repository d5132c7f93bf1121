import { Conditions } from './filter-formula.js';
import type { FieldCondition } from './filter-operators.js';
import { comparisonWith, keyOf, type Comparison, type FieldType, type Key } from './lists/value.js';

/**
 * Those conditions on a field that compare by order. What they compare with is sorted once, and each value looked up among that,
 * so that it matters little how many conditions they are.
 */
export class OrderTest {
  readonly #limits: readonly Key[];
  readonly #compare: Comparison;
  /** What holds below the first limit, at it, between it and the second, at that, and so on. */
  readonly #heldAt: readonly Conditions[];

  private constructor(type: FieldType, comparing: readonly Comparing[]) {
    this.#compare = comparisonWith(
      type,
      comparing.map(({ limit }) => limit),
    );
    const limits = [...new Set(comparing.map(({ limit }) => limit))].toSorted(this.#compare);
    this.#limits = limits;
    this.#heldAt = Array.from({ length: limits.length * 2 + 1 }, (_, place) => {
      const holding = new Conditions();
      for (const { number, limit, isAbove, holdsAtLimit } of comparing) {
        const at = limits.indexOf(limit) * 2 + 1;
        if (place === at ? holdsAtLimit : place > at === isAbove) holding.add(number);
      }
      return holding;
    });
  }

  /** @returns null when there are no such conditions */
  static of(type: FieldType, conditions: readonly FieldCondition[]): OrderTest | null {
    const comparing = conditions.flatMap(({ number, operator, operands: [operand = null] }): Comparing[] => {
      const isAbove = operator === 'gt' || operator === 'gte';
      if (!isAbove && operator !== 'lt' && operator !== 'lte') return [];
      const limit = operand === null ? undefined : keyOf(type, operand);
      return limit === undefined ? [] : [{ number, limit, isAbove, holdsAtLimit: operator === 'gte' || operator === 'lte' }];
    });
    return comparing.length === 0 ? null : new OrderTest(type, comparing);
  }

  /** Adds those conditions that hold for a value, by its key. */
  test(key: Key, held: Conditions): void {
    this.#add(key, null, 0, 0, held);
  }

  /** The same for a text, by its narrow units between two places. */
  testNarrow(units: Uint16Array, start: number, end: number, held: Conditions): void {
    this.#add('', units, start, end, held);
  }

  #add(key: Key, units: Uint16Array | null, start: number, end: number, held: Conditions): void {
    let [low, high] = [0, this.#limits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const limit = this.#limits[middle]!;
      const side = units === null ? this.#compare(key, limit) : compareNarrow(units, start, end, limit as string);
      if (side === 0) return held.addAll(this.#heldAt[middle * 2 + 1]!);
      if (side > 0) low = middle + 1;
      else high = middle;
    }
    held.addAll(this.#heldAt[low * 2]!);
  }
}

/** A condition with the key that it compares with. */
interface Comparing {
  readonly number: number;
  readonly limit: Key;
  readonly isAbove: boolean;
  readonly holdsAtLimit: boolean;
}

/** Where a unit is narrow, any other that differs from it tells the order of the code points too. */
function compareNarrow(units: Uint16Array, start: number, end: number, limit: string): number {
  const length = Math.min(end - start, limit.length);
  for (let at = 0; at < length; at += 1) {
    const difference = units[start + at]! - limit.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return end - start - limit.length;
}
