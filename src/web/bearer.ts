import { DomainError } from '../domain/errors.js';

const bearer = 'bearer ';

/** The token that an Authorization header carries. @throws DomainError INVALID_ACCESS_TOKEN */
export function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new DomainError('INVALID_ACCESS_TOKEN', 'Send an access token as "Authorization: Bearer <token>".');
  const text = header.slice(bearer.length).trimStart();
  if (header.slice(0, bearer.length).toLowerCase() !== bearer || text === '' || text.includes(' '))
    throw new DomainError('INVALID_ACCESS_TOKEN', 'The Authorization header is not of the form "Bearer <token>".');
  return text;
}
