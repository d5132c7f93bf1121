import { Conditions } from './filter-formula.js';
import type { FieldCondition } from './filter-operators.js';
import { TextAutomaton, wordsOf } from './text-automaton.js';

/** Adds those conditions that hold for a text. */
export type TextTest = (text: string, held: Conditions) => void;

/** A condition with the parts or words, in lower case, all of which it wants. */
interface Wanting {
  readonly number: number;
  readonly wanted: readonly string[];
}

/** A test for all conditions of an operator, which reads a text once for however many of them; null when there are none. */
export function textTest(operator: 'like' | 'text', conditions: readonly FieldCondition[]): TextTest | null {
  const wanting = conditions.flatMap((each): Wanting[] => {
    if (each.operator !== operator) return [];
    const text = (each.operands[0] ?? '').toLowerCase();
    return [{ number: each.number, wanted: operator === 'text' ? [...new Set(wordsOf(text))] : text === '' ? [] : [text] }];
  });
  const [only, ...others] = wanting;
  if (only === undefined) return null;
  return others.length === 0 ? testOfOne(only, operator === 'text') : testOfMany(wanting, operator === 'text');
}

/** One condition alone needs no preparations, and may be of any length. */
function testOfOne({ number, wanted }: Wanting, wantsWords: boolean): TextTest {
  const held = new Conditions().add(number);
  return (text, into) => {
    const lower = text.toLowerCase();
    if (!wanted.every((each) => lower.includes(each))) return;
    if (wantsWords) {
      const words = new Set(wordsOf(lower));
      if (!wanted.every((each) => words.has(each))) return;
    }
    into.addAll(held);
  };
}

function testOfMany(wanting: readonly Wanting[], wantsWords: boolean): TextTest {
  const patterns = [...new Set(wanting.flatMap(({ wanted }) => wanted))];
  const places = new Map(patterns.map((pattern, place) => [pattern, place]));
  const automaton = new TextAutomaton(patterns, wantsWords);
  const ofNothing = new Conditions();
  /** For each pattern, the conditions that begin with it, and all that they want. */
  const begunBy = patterns.map((): { readonly number: number; readonly wanted: readonly number[] }[] => []);
  for (const { number, wanted } of wanting) {
    const [first, ...others] = wanted.map((pattern) => places.get(pattern)!);
    if (first === undefined) ofNothing.add(number);
    else begunBy[first]!.push({ number, wanted: others });
  }
  /** The last text in which each pattern was found, counted from 1. */
  const foundIn = patterns.map(() => 0);
  let found: number[] = [];
  let current = 0;
  const find = (pattern: number) => {
    if (foundIn[pattern] === current) return;
    foundIn[pattern] = current;
    found.push(pattern);
  };
  const isFound = (pattern: number) => foundIn[pattern] === current;
  return (text, held) => {
    current += 1;
    automaton.search(text, find);
    held.addAll(ofNothing);
    if (found.length === 0) return;
    for (const pattern of found) for (const { number, wanted } of begunBy[pattern]!) if (wanted.every(isFound)) held.add(number);
    found = [];
  };
}
