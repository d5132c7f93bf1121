/** The names and values that scenario files can contain. */
export interface ScenarioWords {
  readonly names: readonly string[];
  /** The possible values of fields, by field name. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** Words that can replace the word before the cursor. */
export interface Suggestions {
  /** Position at which the word starts, from 0. */
  readonly start: number;
  readonly options: readonly string[];
}

/** Maximum number of suggestions. */
const maxOptions = 8;

const isWord = (character: string | undefined): boolean => character !== undefined && /[\w.$]/.test(character);
const isIn = (character: string | undefined, characters: string): boolean => character !== undefined && characters.includes(character);

/** Returns the start of the word that ends at a position. */
function wordStart(text: string, end: number): number {
  let start = end;
  while (isWord(text[start - 1])) start -= 1;
  return start;
}

/** Returns the position before `at` that is followed only by these characters. */
function before(text: string, at: number, characters: string): number {
  let place = at - 1;
  while (isIn(text[place], characters)) place -= 1;
  return place;
}

/** Returns the words that can be written at the cursor of a scenario file. */
export function suggestionsAt(text: string, cursor: number, { names, values }: ScenarioWords): Suggestions {
  const start = wordStart(text, cursor);
  const written = text.slice(start, cursor).toLowerCase();
  const mark = before(text, start, ' "\'[');
  const nameEnd = before(text, mark, ' "\'') + 1;
  const isName = mark < 0 || isIn(text[mark], '\n{,-');
  const name = text.slice(wordStart(text, nameEnd), nameEnd);
  const valuesOf = Object.hasOwn(values, name) ? values[name]! : [];
  const possible = text[mark] === ':' ? valuesOf : isName && written !== '' ? names : [];
  const fits = (each: string) => each.toLowerCase().startsWith(written) && each.toLowerCase() !== written;
  return { start, options: possible.filter(fits).slice(0, maxOptions) };
}
