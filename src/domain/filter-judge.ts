import type { FilterField, Value } from './filter-fields.js';
import { Conditions } from './filter-formula.js';
import type { FilterOperator, FieldCondition } from './filter-operators.js';
import { orderTest, type OrderTest } from './filter-order.js';
import { textTest, type TextTest } from './filter-texts.js';
import { keyOf, type FieldType, type Key } from './filter-value.js';

/** In how many places values of a field are remembered with what they came to, a power of two, and how long they are at most. */
const places = 64;
const rememberedLength = 64;

const nothing = new Conditions();
const oppositeOperators: ReadonlySet<FilterOperator> = new Set(['ne', 'nin', 'last_ne']);
const equalOperators: ReadonlySet<FilterOperator> = new Set(['eq', 'ne', 'in', 'nin', 'last', 'last_ne']);

/**
 * A field with all the conditions on it. They are judged together, so that it matters little how many they are: a value is
 * looked up in a table of equals, sought among the sorted limits, and read once for all the texts that are looked for.
 *
 * Of several values, one that matches is enough; `ne` and `nin` want none that matches.
 */
export class FieldJudge<R> {
  readonly #parts: FilterField<R>['parts'];
  readonly #value: FilterField<R>['value'];
  readonly #type: FieldType;
  readonly #equal = new Map<Key | null, Conditions>();
  readonly #order: OrderTest | null;
  readonly #texts: readonly TextTest[];
  /** Whether a look into the table of equals is all there is to judge. */
  readonly #isLookedUp: boolean;
  readonly #ofNull: Conditions;
  /** The conditions on the last value alone, and those that hold when the opposite does not. */
  readonly #onLast = new Conditions();
  readonly #opposite = new Conditions();
  /** The values that were judged last, each at its place, and what holds for them. The last place is that of the latest long one. */
  readonly #judged: (string | null)[] = Array.from({ length: places + 1 }, () => null);
  readonly #held = Array.from({ length: places + 1 }, () => new Conditions());

  constructor({ type, parts, value }: FilterField<R>, conditions: readonly FieldCondition[]) {
    this.#parts = parts;
    this.#value = value;
    this.#type = type;
    for (const { number, operator, operands } of conditions) {
      if (operator === 'last' || operator === 'last_ne') this.#onLast.add(number);
      if (oppositeOperators.has(operator)) this.#opposite.add(number);
      if (!equalOperators.has(operator)) continue;
      for (const operand of operands) {
        const key = operand === null ? null : keyOf(type, operand);
        if (key !== undefined) this.#equal.set(key, (this.#equal.get(key) ?? new Conditions()).add(number));
      }
    }
    this.#ofNull = this.#equal.get(null) ?? new Conditions();
    this.#order = orderTest(type, conditions);
    this.#texts = [textTest('like', conditions), textTest('text', conditions)].filter((test) => test !== null);
    this.#isLookedUp = type === 'TEXT' && this.#order === null && this.#texts.length === 0;
  }

  /** Adds those conditions that hold for an item. */
  judge(item: R, held: Conditions): void {
    let low = 0;
    let high = 0;
    let latest = this.#ofNull;
    if (this.#parts === null) {
      latest = this.#heldBy(this.#value(item));
      low = latest.low;
      high = latest.high;
    } else {
      for (const part of this.#parts(item)) {
        latest = this.#heldBy(this.#value(part));
        low |= latest.low;
        high |= latest.high;
      }
    }
    const last = this.#onLast;
    held.low |= ((low & ~last.low) | (latest.low & last.low)) ^ this.#opposite.low;
    held.high |= ((high & ~last.high) | (latest.high & last.high)) ^ this.#opposite.high;
  }

  /** What holds for a value; good until the next is judged. */
  #heldBy(value: Value): Conditions {
    if (value === null || value === undefined) return this.#ofNull;
    const text = typeof value === 'string' ? value : String(value);
    if (this.#isLookedUp) return this.#equal.get(text) ?? nothing;
    const place = text.length > rememberedLength ? places : placeOf(text);
    const held = this.#held[place]!;
    if (place === places || this.#judged[place] !== text) {
      this.#judged[place] = place === places ? null : text;
      this.#judge(text, held.clear());
    }
    return held;
  }

  #judge(text: string, held: Conditions): void {
    const key = keyOf(this.#type, text);
    if (key !== undefined) {
      const equal = this.#equal.get(key);
      if (equal) held.addAll(equal);
      this.#order?.(key, held);
    }
    for (const test of this.#texts) test(text, held);
  }
}

/** Where a text is remembered: of the few values that a field like a status has, hardly two share a place. */
function placeOf(text: string): number {
  return (text.length * 5 + text.charCodeAt(0) * 3 + text.charCodeAt(text.length - 1)) & (places - 1);
}
