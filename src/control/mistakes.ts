import { invalidData } from '../domain/errors.js';
import type { ScenarioFault } from '../scenario/faults.js';
import { fieldName } from '../web/validation.js';

/**
 * Refuses rules with mistakes that their schema cannot see.
 * @param at where in the body they stand
 * @throws DomainError INVALID_DATA
 */
export function refuseMistakes(at: readonly string[], mistakes: readonly ScenarioFault[]): void {
  if (mistakes.length === 0) return;
  throw invalidData(
    mistakes.map(({ path, expected }) => {
      const field = fieldName('body', [...at, ...path]);
      return { code: 'INVALID_FORMAT', message: `${field.slice('body:'.length)}: expected ${expected}.`, field, params: {} };
    }),
  );
}
