import { invalidData } from '../../domain/errors.js';
import { maxErrorItems } from '../../contract/shared/errors.js';
import { maxSuggestions } from '../../contract/shared/messages/nearest.js';
import { expectedOf, type ScenarioProblem } from '../../scenario/problems.js';
import { withFullStop, fieldName } from '../plane/validation.js';

/** Converts warnings about a request body to sentences. */
export function warningTexts(warnings: readonly ScenarioProblem[]): string[] {
  return warnings.map((each) => `${fieldName('body', each.path).slice('body:'.length)}: ${withFullStop(expectedOf(each))}`);
}

/**
 * Rejects rules with problems that their schema cannot detect. Does nothing without problems.
 * @param at path of the rules in the request body
 * @throws DomainError INVALID_DATA
 */
export function rejectProblems(at: readonly string[], mistakes: readonly ScenarioProblem[]): void {
  if (mistakes.length === 0) return;
  throw invalidData(
    mistakes.map((mistake, index) => {
      const field = fieldName('body', [...at, ...mistake.path]);
      // Errors beyond the limit are not shown.
      const expected = index < maxErrorItems ? expectedOf(mistake, index < maxSuggestions) : '';
      return { code: 'INVALID_FORMAT', message: `${field.slice('body:'.length)}: ${withFullStop(expected)}`, field, params: {} };
    }),
  );
}
