import { invalidData } from '../domain/errors.js';
import { maxErrorItems } from '../contract/shared/errors.js';
import { expectedOf, type ScenarioFault } from '../scenario/faults.js';
import { ended, fieldName } from '../web/validation.js';

/**
 * Refuses rules with mistakes that their schema cannot see.
 * @param at where in the body they stand
 * @throws DomainError INVALID_DATA
 */
export function refuseMistakes(at: readonly string[], mistakes: readonly ScenarioFault[]): void {
  if (mistakes.length === 0) return;
  throw invalidData(
    mistakes.map((mistake, index) => {
      const field = fieldName('body', [...at, ...mistake.path]);
      // What is not told needs no look for the name that was meant.
      const expected = index < maxErrorItems ? expectedOf(mistake) : '';
      return { code: 'INVALID_FORMAT', message: `${field.slice('body:'.length)}: ${ended(expected)}`, field, params: {} };
    }),
  );
}
