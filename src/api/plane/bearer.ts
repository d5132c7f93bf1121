import { DomainError } from '../../domain/errors.js';

const bearer = 'bearer ';
const asked = 'Get one from POST /api/oauth/client/token and send it as "Authorization: Bearer <token>".';

/** The error for a request without an access token. As RFC 6750 requires, its WWW-Authenticate challenge has no error code. */
export class NoAccessToken extends DomainError {
  constructor(message: string) {
    super('INVALID_ACCESS_TOKEN', `${message} ${asked}`);
  }
}

/** Returns the token in an Authorization header. @throws NoAccessToken, DomainError INVALID_ACCESS_TOKEN */
export function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new NoAccessToken('Missing access token.');
  const wrongForm = 'The Authorization header does not have the form "Bearer <token>".';
  if (header.slice(0, bearer.length).toLowerCase() !== bearer) throw new NoAccessToken(wrongForm);
  const text = header.slice(bearer.length).trimStart();
  if (text === '' || text.includes(' ')) throw new DomainError('INVALID_ACCESS_TOKEN', `${wrongForm} ${asked}`);
  return text;
}
