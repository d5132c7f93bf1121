import type { FilterField, Value } from './lists/fields.js';
import { keyOf, type Key } from './lists/value.js';
import { TextUnits } from './text-units.js';

/** A value by its key; undefined for what is no value of the field's type. */
type ValueKey = Key | null | undefined;

/** How much a judge notes of a number: which judge it is, and two words for the conditions that match. The fourth place is idle. */
export const noteWidth = 4;

/**
 * The values that items have in one field, each different one under a number, and under numbers of their own what the items have
 * that have several. An item is looked at when it is first asked for. From then on its number stands by its slot, for as long as
 * the item stands there; a number is given up with the last item that has it.
 */
export class Column<R> {
  readonly field: FilterField<R>;
  /** Whether items have several values each. */
  readonly hasSeveral: boolean;
  /** The numbers of the items by slot; 0 where nobody has looked yet. Another array after a look, as the notes are. */
  numbers: Int32Array = new Int32Array(0);
  /** What the latest judge found of each number, {@link noteWidth} places for each. */
  notes: Int32Array = new Int32Array(0);
  /** The texts among the values, as far as they were looked for. */
  readonly texts = new TextUnits();
  /** How often a value was given a number. */
  given = 0;
  readonly #look: (slot: number) => R;
  readonly #ofValues = new Map<ValueKey, number>();
  readonly #ofSeveral = new Map<string, number>();
  /** By number, from 1. */
  readonly #keys: ValueKey[] = [undefined];
  readonly #several: (readonly number[] | undefined)[] = [undefined];
  /** How many slots, and how many of several values, have a number. */
  readonly #uses: number[] = [0];
  readonly #free: number[] = [];
  #judges = 0;

  constructor(field: FilterField<R>, look: (slot: number) => R) {
    this.field = field;
    this.hasSeveral = field.parts !== null;
    this.#look = look;
  }

  /** The number of a value by its key, if an item has it. */
  numberOf(key: ValueKey): number | undefined {
    return this.#ofValues.get(key);
  }

  /** The key of the value that has a number. */
  keyOf(number: number): ValueKey {
    return this.#keys[number];
  }

  /** The numbers of the several values that have a number together. */
  severalOf(number: number): readonly number[] {
    return this.#several[number]!;
  }

  /** A number for whoever is to judge, unlike those of all before. */
  newJudge(): number {
    return (this.#judges += 1);
  }

  /** Looks at the item in a slot. @returns its number */
  read(slot: number): number {
    const { parts, value } = this.field;
    const item = this.#look(slot);
    const number =
      parts === null ? this.#numberFor(value(item)) : this.#numberOfSeveral(parts(item).map((part) => this.#numberFor(value(part))));
    this.numbers = withRoom(this.numbers, slot + 1);
    this.numbers[slot] = number;
    this.#uses[number]! += 1;
    return number;
  }

  /** Takes note that a slot has another item, or none. */
  forget(slot: number): void {
    const number = slot < this.numbers.length ? this.numbers[slot]! : 0;
    if (number === 0) return;
    this.numbers[slot] = 0;
    this.#giveUp(number);
  }

  #numberFor(value: Value): number {
    const key = value === null || value === undefined ? null : keyOf(this.field.type, String(value));
    const known = this.#ofValues.get(key);
    if (known !== undefined) return known;
    const number = this.#newNumber();
    this.#keys[number] = key;
    this.#ofValues.set(key, number);
    this.given += 1;
    return number;
  }

  #numberOfSeveral(numbers: readonly number[]): number {
    const spelled = numbers.join();
    const known = this.#ofSeveral.get(spelled);
    if (known !== undefined) return known;
    for (const each of numbers) this.#uses[each]! += 1;
    const number = this.#newNumber();
    this.#several[number] = numbers;
    this.#ofSeveral.set(spelled, number);
    return number;
  }

  #newNumber(): number {
    const number = this.#free.pop() ?? this.#uses.push(0) - 1;
    if (number === this.#keys.length) {
      this.#keys.push(undefined);
      if (this.hasSeveral) this.#several.push(undefined);
    }
    this.notes = withRoom(this.notes, (number + 1) * noteWidth);
    this.notes[number * noteWidth] = 0;
    return number;
  }

  #giveUp(number: number): void {
    this.#uses[number]! -= 1;
    if (this.#uses[number]! > 0) return;
    this.#free.push(number);
    const several = this.#several[number];
    if (several) {
      this.#several[number] = undefined;
      this.#ofSeveral.delete(several.join());
      for (const each of several) this.#giveUp(each);
      return;
    }
    this.#ofValues.delete(this.#keys[number]);
    this.#keys[number] = undefined;
    this.texts.drop(number);
  }
}

function withRoom(numbers: Int32Array, length: number): Int32Array {
  if (length <= numbers.length) return numbers;
  const larger = new Int32Array(Math.max(length, numbers.length * 2));
  larger.set(numbers);
  return larger;
}

/**
 * What is known of items that stand in numbered slots, so that none is looked at twice for the same field. An item itself never
 * changes; whoever puts another into its slot, or takes it away, says so.
 */
export class KnownValues<R> {
  /** By the field as it was declared, once for all. */
  readonly #columns = new Map<FilterField<R>, Column<R>>();
  readonly #itemIn: (slot: number) => R;
  /** How often an item was looked at. */
  looks = 0;

  constructor(itemIn: (slot: number) => R) {
    this.#itemIn = itemIn;
  }

  /** The item in a slot. */
  item(slot: number): R {
    this.looks += 1;
    return this.#itemIn(slot);
  }

  /** What is known of a field. */
  column(field: FilterField<R>): Column<R> {
    let column = this.#columns.get(field);
    if (!column) this.#columns.set(field, (column = new Column(field, (slot) => this.item(slot))));
    return column;
  }

  /** Takes note that a slot has another item, or none. */
  forget(slot: number): void {
    for (const column of this.#columns.values()) column.forget(slot);
  }
}
