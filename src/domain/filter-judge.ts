import type { FilterField, Value } from './filter-fields.js';
import { Conditions } from './filter-formula.js';
import type { FilterOperator, FieldCondition } from './filter-operators.js';
import { orderTest, type OrderTest } from './filter-order.js';
import { textTest, type TextTest } from './filter-texts.js';
import { keyOf, type FieldType, type Key } from './filter-value.js';

/** How many values of a field are remembered with what they came to, and how long they are at most. */
const rememberedValues = 256;
const rememberedLength = 64;

const oppositeOperators: ReadonlySet<FilterOperator> = new Set(['ne', 'nin', 'last_ne']);
const equalOperators: ReadonlySet<FilterOperator> = new Set(['eq', 'ne', 'in', 'nin', 'last', 'last_ne']);

/**
 * A field with all the conditions on it. They are judged together, so that it matters little how many they are: a value is
 * looked up in a table of equals, sought among the sorted limits, and read once for all the texts that are looked for.
 *
 * Of several values, one that matches is enough; `ne` and `nin` want none that matches.
 */
export class FieldJudge<R> {
  readonly #type: FieldType;
  readonly #parts: FilterField<R>['parts'];
  readonly #value: FilterField<R>['value'];
  readonly #equal = new Map<Key | null, Conditions>();
  readonly #order: OrderTest;
  readonly #texts: readonly TextTest[];
  readonly #ofNull: Conditions;
  /** The conditions on the last value alone, and those that hold when the opposite does not. */
  readonly #onLast = new Conditions();
  readonly #opposite = new Conditions();
  /** What holds for a value. Null once there were too many: then hardly any comes again. */
  #remembered: Map<string, Conditions> | null = new Map();

  constructor({ type, parts, value }: FilterField<R>, conditions: readonly FieldCondition[]) {
    this.#type = type;
    this.#parts = parts;
    this.#value = value;
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
    this.#texts = [textTest('like', conditions), textTest('text', conditions)];
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

  #heldBy(value: Value): Conditions {
    if (value === null || value === undefined) return this.#ofNull;
    const text = typeof value === 'string' ? value : String(value);
    return this.#remembered?.get(text) ?? this.#judgeText(text);
  }

  #judgeText(text: string): Conditions {
    const held = new Conditions();
    const key = keyOf(this.#type, text);
    if (key !== undefined) {
      const equal = this.#equal.get(key);
      if (equal) held.addAll(equal);
      this.#order(key, held);
    }
    for (const test of this.#texts) test(text, held);
    if (this.#remembered && this.#remembered.size >= rememberedValues) this.#remembered = null;
    if (text.length <= rememberedLength) this.#remembered?.set(text, held);
    return held;
  }
}
