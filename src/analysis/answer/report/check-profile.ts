import type { Profile } from '../../../contract/control/analysis/profile.js';
import type { ErrorItem } from '../../../contract/shared/errors.js';
import { maxSuggestions, nearestName } from '../../../contract/shared/messages/nearest.js';
import { invalidData } from '../../../domain/errors.js';
import { knownItems } from '../../project/coverage/tally.js';
import { requiredItem } from './judge-profile.js';

/**
 * Rejects requirements that can never be covered, and duplicate ids. A report with such a requirement could never pass.
 * @throws DomainError INVALID_DATA
 */
export function checkProfile(profile: Profile): void {
  const items = profile.require.flatMap((requirement, index): ErrorItem[] => {
    const { id } = requirement;
    const isTwice = profile.require.findIndex((each) => each.id === id) < index;
    const twice: ErrorItem = {
      code: 'DUPLICATE_ENTRY',
      message: `require[${index}].id: expected a unique id; ${id} is already the id of another requirement.`,
      field: `body:require[${index}].id`,
      params: {},
    };
    const before = isTwice ? [twice] : [];
    if ('proves' in requirement) return before;
    const [dimension, cell] = requiredItem(requirement);
    const known = knownItems[dimension];
    if (known.has(cell)) return before;
    const part = 'observed' in requirement ? 'observed.transition' : 'handles' in requirement ? 'handles.challenge' : 'covered.code';
    const path = `require[${index}].${part}`;
    const nearest = index < maxSuggestions ? nearestName(cell, known) : undefined;
    const hint = nearest === undefined ? '.' : `; did you mean ${nearest}?`;
    const message = `${path}: expected one of the ${dimension} that GET /_sandbox/coverage lists; got ${cell}${hint}`;
    return [...before, { code: 'INVALID_ENUM', message, field: `body:${path}`, params: nearest === undefined ? {} : { nearest } }];
  });
  if (items.length > 0) throw invalidData(items);
}
