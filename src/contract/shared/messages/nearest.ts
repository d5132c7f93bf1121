/** How many letters may be wrong for a name to be taken for another one. */
const maxMistakes = 3;
/** Names that are longer are compared with nothing. */
const maxLength = 64;

/** How many letters a part of a name has at least to stand for it. */
const minPart = 4;

/** How many of the problems of one request or file get a suggestion: the first ones. To look for one takes far longer than to report. */
export const maxSuggestions = 5;

/** How many letters have to be put in, taken out or changed to make one text of another (Levenshtein); infinitely many when one is very long. */
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

/** A name without what people mix up first: capitals, hyphens and underscores. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '');

/**
 * The known name that a wrong one was probably meant as: at most a third of its letters differ, capitals and separators aside;
 * else the first that begins with it, or the first path of fields that ends with it, as `intent.type` does with `type`.
 * Undefined when none is near.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const wanted = plain(name);
  let nearest: string | undefined;
  let fewest = Math.min(maxMistakes, Math.ceil(wanted.length / 3)) + 1;
  for (const each of names) {
    const mistakes = distance(wanted, plain(each));
    if (mistakes < fewest && mistakes < each.length) [nearest, fewest] = [each, mistakes];
  }
  if (nearest !== undefined || wanted.length < minPart || wanted.length > maxLength) return nearest;
  return names.find((each) => plain(each).startsWith(wanted)) ?? names.find((each) => plain(each).endsWith(`.${wanted}`));
}

/** The end of a sentence about a wrong name: `; did you mean "name"?`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}
