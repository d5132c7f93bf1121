import { synonymOf } from './synonyms.js';

/** Maximum number of wrong characters for a name to be suggested. */
const maxMistakes = 3;
/** Maximum length of a name that gets a suggestion, in characters. */
const maxLength = 64;

/** Minimum length of a part of a name that is matched against known names, in characters. */
const minPart = 4;

/** Maximum number of problems in one request or file that get a suggestion: the first ones. The search for a suggestion is slow. */
export const maxSuggestions = 5;

/** Returns the edit distance of two strings in characters (Levenshtein); Infinity if one exceeds {@link maxLength}. */
export function distance(a: string, b: string): number {
  if (Math.max(a.length, b.length) > maxLength) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_each, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j += 1)
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
  }
  return row[b.length]!;
}

/** Removes the most common differences between names: upper case, hyphens and underscores. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '');

/**
 * Returns the known name that was probably intended: at most a third of its characters differ, ignoring case and separators.
 * Otherwise returns a name with the same meaning, the first name that starts with `name`, or the first field path that ends with `name`,
 * for example `intent.type` for `type`. Returns undefined if no name is similar.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > maxLength) return undefined;
  const names = [...known];
  const wanted = plain(name);
  let nearest: string | undefined;
  let fewest = Math.min(maxMistakes, Math.ceil(wanted.length / 3)) + 1;
  for (const each of names) {
    const mistakes = each.length > maxLength ? Infinity : distance(wanted, plain(each));
    if (mistakes < fewest && mistakes < each.length) [nearest, fewest] = [each, mistakes];
  }
  nearest ??= synonymOf(name, names);
  if (nearest !== undefined || wanted.length < minPart) return nearest;
  return names.find((each) => plain(each).startsWith(wanted)) ?? names.find((each) => plain(each).endsWith(`.${wanted}`));
}

/** Returns the end of a message about a wrong name: `; did you mean "name"?`, or an empty string. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}
