import { quoted } from '../../contract/shared/messages/quoted.js';
import { invalidData } from '../errors.js';

/** Returns the cursor after an item of a list that is read forward only. @param list name of the list, which no other list has */
export const textCursor = (list: string, last: string) => Buffer.from(`${list}~${last}`).toString('base64url');

/** Returns the item after which a page begins. @throws DomainError INVALID_DATA if no page of this list had this cursor */
export function textInCursor(list: string, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const last = text.slice(list.length + 1);
  if (text.startsWith(`${list}~`) && textCursor(list, last) === cursor) return last;
  const message = `cursor: expected \`nextCursor\` of an earlier page of this list; got "${quoted(cursor, 60)}".`;
  throw invalidData([{ code: 'INVALID_FORMAT', message, field: 'query:cursor', params: {} }]);
}
