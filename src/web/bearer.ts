import { hash } from 'node:crypto';
import { DomainError } from '../domain/errors.js';

const bearer = 'bearer ';
const asked = 'Send one as "Authorization: Bearer <token>"; POST /api/oauth/client/token gives it for a client id and its secret.';

/** The credentials that were hashed last: most calls bring the same as the one before. */
let last = { text: '', hash: '' };

/** What credentials are known by where they must not be shown: the first 8 hex digits of their SHA-256. */
export function credentialHash(text: string): string {
  if (text !== last.text) last = { text, hash: hash('sha256', text).slice(0, 8) };
  return last.hash;
}

/** The error for a request that carries no access token. Its challenge names no error, as RFC 6750 has it: there is no token that could be invalid. */
export class NoAccessToken extends DomainError {
  constructor(message: string) {
    super('INVALID_ACCESS_TOKEN', `${message} ${asked}`);
  }
}

/** The token that an Authorization header carries. @throws NoAccessToken, DomainError INVALID_ACCESS_TOKEN */
export function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new NoAccessToken('There is no access token.');
  const wrongForm = 'The Authorization header does not have the form "Bearer <token>".';
  if (header.slice(0, bearer.length).toLowerCase() !== bearer) throw new NoAccessToken(wrongForm);
  const text = header.slice(bearer.length).trimStart();
  if (text === '' || text.includes(' ')) throw new DomainError('INVALID_ACCESS_TOKEN', `${wrongForm} ${asked}`);
  return text;
}
