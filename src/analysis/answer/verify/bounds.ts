import { invalidData } from '../../../domain/errors.js';

/** Maximum number of conditions of a verification, of values in their lists, and of characters in names and texts, in all steps together. */
export const verifyLimits = { conditions: 100, values: 1000, characters: 65_536 } as const;

/**
 * Checks the work of a verification before any entry is read: each entry is compared with each condition, and an error repeats them all.
 * @throws DomainError INVALID_DATA for too many conditions, values in lists, or characters
 */
export function checkConditions(matches: readonly unknown[]): void {
  const counts = { conditions: 0, values: 0, characters: 0 };
  const open: { value: unknown; isInList: boolean }[] = matches.map((value) => ({ value, isInList: false }));
  for (let each = open.pop(); each; each = open.pop()) {
    const { value, isInList } = each;
    const isList = Array.isArray(value);
    if (typeof value === 'string') counts.characters += value.length;
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        counts.characters += name.length;
        open.push({ value: inner, isInList: isInList || isList });
      }
    if (isList || typeof value !== 'object' || value === null) counts[isInList ? 'values' : 'conditions'] += 1;
  }
  if (counts.conditions > verifyLimits.conditions)
    refuse(`at most ${verifyLimits.conditions} conditions in all steps together; got ${counts.conditions}`, verifyLimits.conditions);
  if (counts.values > verifyLimits.values)
    refuse(`at most ${verifyLimits.values} values in the lists of all conditions together; got ${counts.values}`, verifyLimits.values);
  if (counts.characters > verifyLimits.characters)
    refuse(
      `at most ${verifyLimits.characters} characters in the names and texts of all conditions together; got ${counts.characters}`,
      verifyLimits.characters,
    );
}

function refuse(expected: string, maximum: number): never {
  throw invalidData([{ code: 'OUT_OF_RANGE', message: `The body: expected ${expected}.`, field: 'body', params: { maximum } }]);
}
