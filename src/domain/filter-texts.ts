import { Conditions } from './filter-formula.js';
import type { FieldCondition } from './filter-operators.js';
import { TextAutomaton, wordsOf, type Pattern } from './text-automaton.js';

/** A condition that wants words, by their patterns. */
interface Wanting {
  readonly number: number;
  readonly words: readonly number[];
}

/** Those conditions on a field that want a part of a text, or words of it. A text is read once for all of them. */
export class TextTest {
  readonly #always = new Conditions();
  readonly #automaton: TextAutomaton;
  /** For each pattern, the conditions of which it is the first word. */
  readonly #begunBy: Wanting[][] = [];
  /** The last text in which each pattern was found as a word, counted from 1. */
  readonly #foundIn: number[];
  #found: number[] = [];
  #current = 0;

  private constructor(conditions: readonly FieldCondition[]) {
    const patterns: (Pattern & { isWord: boolean })[] = [];
    const places = new Map<string, number>();
    const placeOf = (text: string): number => {
      const place = places.get(text) ?? patterns.push({ text, held: new Conditions(), isWord: false }) - 1;
      this.#begunBy[place] ??= [];
      places.set(text, place);
      return place;
    };
    for (const { number, operator, operands } of conditions) {
      const wanted = (operands[0] ?? '').toLowerCase();
      const words = operator === 'text' ? [...new Set(wordsOf(wanted))].map(placeOf) : [];
      for (const word of words) patterns[word]!.isWord = true;
      const [first] = words;
      if (first !== undefined) this.#begunBy[first]!.push({ number, words });
      else if (operator === 'like' && wanted !== '') patterns[placeOf(wanted)]!.held.add(number);
      else this.#always.add(number);
    }
    this.#foundIn = patterns.map(() => 0);
    this.#automaton = new TextAutomaton(patterns);
  }

  /** @returns null when there are no such conditions */
  static of(conditions: readonly FieldCondition[]): TextTest | null {
    const own = conditions.filter(({ operator }) => operator === 'like' || operator === 'text');
    return own.length === 0 ? null : new TextTest(own);
  }

  /** Adds those conditions that hold for a text; see {@link TextAutomaton.search}. */
  test(units: Uint16Array, start: number, end: number, held: Conditions): void {
    this.#current += 1;
    held.addAll(this.#always);
    this.#automaton.search(units, start, end, held, this.#find);
    if (this.#found.length === 0) return;
    for (const pattern of this.#found) {
      for (const { number, words } of this.#begunBy[pattern]!) if (words.every(this.#isFound)) held.add(number);
    }
    this.#found = [];
  }

  readonly #find = (pattern: number): void => {
    if (this.#foundIn[pattern] === this.#current) return;
    this.#foundIn[pattern] = this.#current;
    this.#found.push(pattern);
  };

  readonly #isFound = (pattern: number): boolean => this.#foundIn[pattern] === this.#current;
}
