import { Conditions } from './filter-formula.js';
import type { FilterOperator, FieldCondition } from './filter-operators.js';
import { OrderTest } from './filter-order.js';
import { TextTest } from './filter-texts.js';
import { keyOf, type Key } from './lists/value.js';
import { noteWidth, type Column } from './known-values.js';
import { unitsOf } from './text-units.js';

const nothing = new Conditions();
const oppositeOperators: ReadonlySet<FilterOperator> = new Set(['ne', 'nin', 'last_ne']);
const equalOperators: ReadonlySet<FilterOperator> = new Set(['eq', 'ne', 'in', 'nin', 'last', 'last_ne']);

/**
 * A field with all the conditions on it. They are judged together, so that it matters little how many they are: a value is
 * looked up in a table of equals, sought among the sorted limits, and read once for all the texts that are looked for.
 * And they are judged once for all items that have the same there.
 *
 * Of several values, one that matches is enough; `ne` and `nin` want none that matches.
 */
export class FieldJudge<R> {
  readonly #column: Column<R>;
  readonly #me: number;
  readonly #equal = new Map<Key | null, Conditions>();
  /** The same by the numbers of the values, as long as none was given since: a look at no value itself. */
  readonly #equalNumbers = new Map<number, Conditions>();
  readonly #given: number;
  readonly #order: OrderTest | null;
  readonly #texts: TextTest | null;
  readonly #ofNull: Conditions;
  /** The conditions on the last value alone, and those that hold when the opposite does not. */
  readonly #onLast = new Conditions();
  readonly #opposite = new Conditions();
  readonly #held = new Conditions();

  constructor(column: Column<R>, conditions: readonly FieldCondition[]) {
    const { type } = column.field;
    this.#column = column;
    this.#me = column.newJudge();
    for (const { number, operator, operands } of conditions) {
      if (operator === 'last' || operator === 'last_ne') this.#onLast.add(number);
      if (oppositeOperators.has(operator)) this.#opposite.add(number);
      if (!equalOperators.has(operator)) continue;
      for (const operand of operands) {
        const key = operand === null ? null : keyOf(type, operand);
        if (key !== undefined) this.#equal.set(key, (this.#equal.get(key) ?? new Conditions()).add(number));
      }
    }
    this.#ofNull = this.#equal.get(null) ?? nothing;
    for (const [key, held] of this.#equal) {
      const number = column.numberOf(key);
      if (number !== undefined) this.#equalNumbers.set(number, held);
    }
    this.#given = column.given;
    this.#order = OrderTest.of(type, conditions);
    this.#texts = TextTest.of(conditions);
  }

  /** Adds those conditions that hold for the items in some slots, two words for each. */
  judge(slots: readonly number[], held: Int32Array): void {
    const column = this.#column;
    const { low, high } = this.#opposite;
    let { numbers, notes } = column;
    for (let index = 0; index < slots.length; index += 1) {
      const slot = slots[index]!;
      let number = slot < numbers.length ? numbers[slot]! : 0;
      if (number === 0) {
        number = column.read(slot);
        ({ numbers, notes } = column);
      }
      const at = number * noteWidth;
      if (notes[at] !== this.#me) this.#note(at, column.hasSeveral ? this.#matchingSeveral(number) : this.#matching(number));
      held[index * 2]! |= notes[at + 1]! ^ low;
      held[index * 2 + 1]! |= notes[at + 2]! ^ high;
    }
  }

  #note(at: number, { low, high }: Conditions): void {
    const { notes } = this.#column;
    notes[at] = this.#me;
    notes[at + 1] = low;
    notes[at + 2] = high;
  }

  /** The conditions that match a value. */
  #matching(number: number): Conditions {
    const column = this.#column;
    const key = column.keyOf(number);
    if (key === null) return this.#ofNull;
    const held = this.#held.clear();
    if (key === undefined) return held;
    if (this.#equal.size > 0) {
      const equal = column.given === this.#given ? this.#equalNumbers.get(number) : this.#equal.get(key);
      if (equal) held.addAll(equal);
    }
    if (column.field.type !== 'TEXT') this.#order?.test(key, held);
    else if (this.#order || this.#texts) this.#matchText(number, key as string, held);
    return held;
  }

  #matchText(number: number, text: string, held: Conditions): void {
    const { texts } = this.#column;
    const start = texts.startOf(number, text);
    if (start >= 0) {
      const end = texts.endOf(number);
      if (this.#order && texts.isNarrow(number)) this.#order.testNarrow(texts.units, start, end, held);
      else this.#order?.test(text, held);
      this.#texts?.test(texts.units, start, end, held);
      return;
    }
    this.#order?.test(text, held);
    if (!this.#texts) return;
    const units = unitsOf(text);
    this.#texts.test(units, 0, units.length, held);
  }

  /** The conditions that match several values: one of them, or the last. */
  #matchingSeveral(several: number): Conditions {
    const { notes } = this.#column;
    let [low, high] = [0, 0];
    let { low: latestLow, high: latestHigh } = this.#ofNull;
    for (const number of this.#column.severalOf(several)) {
      const at = number * noteWidth;
      if (notes[at] !== this.#me) this.#note(at, this.#matching(number));
      low |= latestLow = notes[at + 1]!;
      high |= latestHigh = notes[at + 2]!;
    }
    const last = this.#onLast;
    this.#held.low = (low & ~last.low) | (latestLow & last.low);
    this.#held.high = (high & ~last.high) | (latestHigh & last.high);
    return this.#held;
  }
}
