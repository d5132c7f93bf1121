/** What stands between the words of a text and at its two ends, whatever it really is. */
const gap = ' ';
const gapUnit = gap.charCodeAt(0);
const asciiUnits = 128;

/** The words of a text: its runs of letters and digits. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether the unit at a place of a text belongs to a word, alone or as half of a pair. */
function isOfWord(text: string, at: number): boolean {
  const isSecondHalf = at > 0 && text.codePointAt(at - 1)! > 0xffff;
  return /^[\p{L}\p{N}]/u.test(String.fromCodePoint(text.codePointAt(isSecondHalf ? at - 1 : at)!));
}

function isHalfOfPair(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}

/**
 * Finds any number of patterns in a text, in either case, while it looks at each unit of the text once: the automaton of Aho and
 * Corasick. Each of its states stands for the longest beginning of a pattern that the text ends with so far.
 */
export class TextAutomaton {
  readonly #readsWords: boolean;
  /** Numbers for the units that patterns are made of, from 1; all others are 0. Those that texts have besides are noted as they come. */
  readonly #kinds = new Map<number, number>();
  readonly #asciiKinds: Uint16Array;
  /** Where each kind of unit leads from each state, plus one; zero where nobody has come yet. */
  readonly #next: Uint32Array;
  /** For each state, that of the longest shorter beginning which it ends with. */
  readonly #shorter = [0];
  /** For each state, the patterns that end there. */
  readonly #ending: (readonly number[] | undefined)[] = [undefined];
  readonly #width: number;
  readonly #start: number;

  /**
   * @param patterns in lower case
   * @param readsWords whether patterns are words, and found only where a text has them as whole words
   */
  constructor(patterns: readonly string[], readsWords: boolean) {
    this.#readsWords = readsWords;
    const spelled = readsWords ? patterns.map((each) => gap + each + gap) : patterns;
    const units = spelled.map((text) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)));
    for (const unit of units.flat()) if (!this.#kinds.has(unit)) this.#kinds.set(unit, this.#kinds.size + 1);
    this.#width = this.#kinds.size + 1;
    this.#asciiKinds = Uint16Array.from({ length: asciiUnits }, (_, unit) => this.#kindOf(String.fromCharCode(unit).toLowerCase(), 0));
    const states = units.reduce((sum, { length }) => sum + length, 1);
    this.#next = new Uint32Array(states * this.#width);
    this.#grow(units.map((each) => each.map((unit) => this.#kinds.get(unit)!)));
    this.#start = readsWords ? this.#after(0, this.#asciiKinds[gapUnit]!) : 0;
  }

  /** Tells of each pattern wherever it ends in a text. */
  search(text: string, found: (pattern: number) => void): void {
    this.#read(text, false, found);
  }

  #read(text: string, isLower: boolean, found: (pattern: number) => void): void {
    const next = this.#next;
    const ending = this.#ending;
    const asciiKinds = this.#asciiKinds;
    const width = this.#width;
    let state = this.#start;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      // What is ASCII can be put into lower case by the letter, other texts only as a whole.
      if (unit >= asciiUnits && !isLower) return this.#read(text.toLowerCase(), true, found);
      const kind = unit < asciiUnits ? asciiKinds[unit]! : this.#kindOf(text, at);
      const known = next[state * width + kind]!;
      state = known > 0 ? known - 1 : this.#after(state, kind);
      const patterns = ending[state];
      if (patterns !== undefined) for (const pattern of patterns) found(pattern);
    }
    if (this.#readsWords) for (const pattern of ending[this.#after(state, asciiKinds[gapUnit]!)] ?? []) found(pattern);
  }

  #kindOf(text: string, at: number): number {
    const unit = text.charCodeAt(at);
    const known = isHalfOfPair(unit) ? undefined : this.#kinds.get(unit);
    if (known !== undefined) return known;
    const kind = this.#kinds.get(this.#readsWords && !isOfWord(text, at) ? gapUnit : unit) ?? 0;
    if (!isHalfOfPair(unit)) this.#kinds.set(unit, kind);
    return kind;
  }

  /** Makes the states of all patterns, shorter beginnings before longer ones, as what is known of a state follows from shorter ones. */
  #grow(patterns: readonly (readonly number[])[]): void {
    const ends = patterns.map(() => 0);
    let growing = [...patterns.keys()];
    for (let length = 0; growing.length > 0; length += 1) {
      growing = growing.filter((pattern) => patterns[pattern]!.length > length);
      for (const pattern of growing) ends[pattern] = this.#grown(ends[pattern]!, patterns[pattern]![length]!);
      for (const pattern of growing) {
        if (patterns[pattern]!.length === length + 1) this.#ending[ends[pattern]!] = [pattern, ...(this.#ending[ends[pattern]!] ?? [])];
      }
    }
  }

  #grown(state: number, kind: number): number {
    const place = state * this.#width + kind;
    if (this.#next[place] === 0) {
      const shorter = state === 0 ? 0 : this.#after(this.#shorter[state]!, kind);
      this.#next[place] = this.#shorter.push(shorter);
      this.#ending.push(this.#ending[shorter]);
    }
    return this.#next[place]! - 1;
  }

  /** Where a kind of unit leads from a state: to a longer beginning if there is one, else to where it leads from the next shorter one. */
  #after(state: number, kind: number): number {
    const place = state * this.#width + kind;
    if (this.#next[place] === 0) this.#next[place] = (state === 0 ? 0 : this.#after(this.#shorter[state]!, kind)) + 1;
    return this.#next[place]! - 1;
  }
}
