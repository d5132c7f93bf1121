import { Conditions } from './filter-formula.js';
import { narrow } from './text-units.js';

/** The words of a text: its runs of letters and digits. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether a unit belongs to words, by unit: 1 if not, 2 if it does, 0 if nobody asked yet, or if it depends on the other half of a pair. */
const ofWords = new Uint8Array(0x10000);

/** Whether a unit between two places belongs to a word, alone or as half of a pair. What is not between them does not. */
function isOfWord(units: Uint16Array, at: number, start: number, end: number): boolean {
  if (at < start || at >= end) return false;
  const known = ofWords[units[at]!]!;
  return known === 0 ? isLetterOrDigit(units.subarray(start, end), at - start) : known === 2;
}

function isLetterOrDigit(units: Uint16Array, at: number): boolean {
  const unit = units[at]!;
  const text = String.fromCharCode(...units.subarray(Math.max(at - 1, 0), at + 2));
  const place = Math.min(at, 1);
  const isSecondHalf = place > 0 && text.codePointAt(0)! > 0xffff;
  const isOne = wordsOf(String.fromCodePoint(text.codePointAt(isSecondHalf ? 0 : place)!)).length > 0;
  if (unit < 0xd800 || unit > 0xdfff) ofWords[unit] = isOne ? 2 : 1;
  return isOne;
}

/** Something to be found in texts. */
export interface Pattern {
  /** In lower case. */
  readonly text: string;
  /** The conditions that hold for a text which it is a part of. */
  readonly held: Conditions;
  /** Whether it is of interest, too, that a text has it as a whole word. */
  readonly isWord: boolean;
}

/** What a row ends with: the two words of the conditions that hold in its state, and whether words may end there. */
const rowEnd = 3;

/**
 * Finds any number of patterns in a text while it looks at each unit of the text once: the automaton of Aho and Corasick.
 * Each of its states stands for the longest beginning of a pattern that the text ends with so far.
 */
export class TextAutomaton {
  /** Numbers for the units that patterns are made of, from 1; all others are 0. */
  readonly #kinds = new Map<number, number>();
  readonly #narrowKinds = new Uint16Array(narrow);
  /** Where a kind of unit leads from one beginning to a longer one, by the place of that kind in its row. */
  readonly #longer = new Map<number, number>();
  /** For each state, from 1, that of the longest shorter beginning which it ends with. */
  readonly #shorter = [0, 0];
  readonly #held = [new Conditions(), new Conditions()];
  /** For each state, how long the words are that may end there, and their patterns; the longest first. */
  readonly #words: (readonly { readonly length: number; readonly pattern: number }[])[] = [[], []];
  readonly #width: number;
  /**
   * A row for each state. By kind of unit, it has the place of the row that comes next, negative where something is found there;
   * zero where nobody has come yet.
   */
  readonly #rows: Int32Array;

  constructor(patterns: readonly Pattern[]) {
    for (const { text } of patterns) {
      for (let at = 0; at < text.length; at += 1) {
        const unit = text.charCodeAt(at);
        if (!this.#kinds.has(unit)) this.#kinds.set(unit, this.#kinds.size + 1);
      }
    }
    for (let unit = 0; unit < narrow; unit += 1) {
      this.#narrowKinds[unit] = this.#kinds.get(String.fromCharCode(unit).toLowerCase().charCodeAt(0)) ?? 0;
    }
    this.#width = 1 + this.#kinds.size + rowEnd;
    this.#grow(patterns);
    this.#rows = new Int32Array(this.#shorter.length * this.#width);
    for (const [state, { low, high }] of this.#held.entries()) {
      if (this.#isFound(state)) this.#rows.set([low, high, this.#words[state]!.length], (state + 1) * this.#width - rowEnd);
    }
  }

  /**
   * Looks through a text: units between two places, those in lower case that are not narrow.
   * @param held where the conditions are added that hold
   * @param found is told the pattern of each whole word
   */
  search(units: Uint16Array, start: number, end: number, held: Conditions, found: (pattern: number) => void): void {
    const rows = this.#rows;
    const narrowKinds = this.#narrowKinds;
    const foundAt = this.#width - rowEnd;
    let [low, high] = [0, 0];
    let row = this.#width;
    for (let at = start; at < end; at += 1) {
      let unit = 0;
      // Nearly all the time is spent here.
      for (; at < end; at += 1) {
        unit = units[at]!;
        if (unit >= narrow) break;
        const to = rows[row + narrowKinds[unit]!]!;
        if (to <= 0) break;
        row = to;
      }
      if (at >= end) break;
      const kind = unit < narrow ? narrowKinds[unit]! : (this.#kinds.get(unit) ?? 0);
      let to = rows[row + kind]! || this.#comeTo(row, kind);
      if (to < 0) {
        to = -to;
        low |= rows[to + foundAt]!;
        high |= rows[to + foundAt + 1]!;
        if (rows[to + foundAt + 2] !== 0 && !isOfWord(units, at + 1, start, end)) {
          const word = this.#words[to / this.#width]!.find(({ length }) => !isOfWord(units, at - length, start, end));
          if (word) found(word.pattern);
        }
      }
      row = to;
    }
    held.low |= low;
    held.high |= high;
  }

  #comeTo(row: number, kind: number): number {
    const state = this.#after(row / this.#width, kind);
    const place = state * this.#width;
    return (this.#rows[row + kind] = this.#isFound(state) ? -place : place);
  }

  #isFound(state: number): boolean {
    const { low, high } = this.#held[state]!;
    return low !== 0 || high !== 0 || this.#words[state]!.length > 0;
  }

  /** Where a kind of unit leads: to a longer beginning if there is one, else to where it leads from the next shorter one. */
  #after(state: number, kind: number): number {
    for (let from = state; from > 0; from = this.#shorter[from]!) {
      const longer = this.#longer.get(from * this.#width + kind);
      if (longer !== undefined) return longer;
    }
    return 1;
  }

  /** Makes the states of all patterns, shorter beginnings before longer ones, as what is known of a state follows from shorter ones. */
  #grow(patterns: readonly Pattern[]): void {
    const ends = patterns.map(() => 1);
    let growing = [...patterns.keys()];
    for (let length = 0; growing.length > 0; length += 1) {
      growing = growing.filter((pattern) => patterns[pattern]!.text.length > length);
      for (const pattern of growing)
        ends[pattern] = this.#grown(ends[pattern]!, this.#kinds.get(patterns[pattern]!.text.charCodeAt(length))!);
      for (const pattern of growing) {
        const { text, held, isWord } = patterns[pattern]!;
        const end = ends[pattern]!;
        if (text.length !== length + 1) continue;
        this.#held[end]!.addAll(held);
        if (isWord) this.#words[end] = [{ length: text.length, pattern }, ...this.#words[end]!];
      }
    }
  }

  #grown(state: number, kind: number): number {
    const place = state * this.#width + kind;
    const known = this.#longer.get(place);
    if (known !== undefined) return known;
    const shorter = this.#after(this.#shorter[state]!, kind);
    const longer = this.#shorter.push(shorter) - 1;
    this.#longer.set(place, longer);
    this.#held.push(new Conditions());
    this.#held[longer]!.addAll(this.#held[shorter]!);
    this.#words.push(this.#words[shorter]!);
    return longer;
  }
}
