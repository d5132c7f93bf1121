import { invalidData } from '../../../domain/errors.js';

/** Maximum number of conditions of a verification, and of values in their lists, in all steps together. */
export const verifyLimits = { conditions: 100, values: 1000 } as const;

/**
 * Checks the work of a verification before any entry is read: each entry is compared with each condition.
 * @throws DomainError INVALID_DATA for too many conditions, or values in lists
 */
export function checkConditions(matches: readonly unknown[]): void {
  const counts = { conditions: 0, values: 0 };
  const open: { value: unknown; isInList: boolean }[] = matches.map((value) => ({ value, isInList: false }));
  for (let each = open.pop(); each; each = open.pop()) {
    const { value, isInList } = each;
    const isList = Array.isArray(value);
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) open.push({ value: inner, isInList: isInList || isList });
    if (isList || typeof value !== 'object' || value === null) counts[isInList ? 'values' : 'conditions'] += 1;
  }
  if (counts.conditions > verifyLimits.conditions)
    refuse(`at most ${verifyLimits.conditions} conditions in all steps together; got ${counts.conditions}`, verifyLimits.conditions);
  if (counts.values > verifyLimits.values)
    refuse(`at most ${verifyLimits.values} values in the lists of all conditions together; got ${counts.values}`, verifyLimits.values);
}

function refuse(expected: string, maximum: number): never {
  throw invalidData([{ code: 'OUT_OF_RANGE', message: `The body: expected ${expected}.`, field: 'body', params: { maximum } }]);
}
