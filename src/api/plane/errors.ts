import { quoted } from '../../contract/shared/messages/quoted.js';
import { errorCatalogue, errorCodes, type ErrorCode } from '../../contract/shared/error-codes.js';
import type { ErrorBody } from '../../contract/shared/errors.js';
import { DomainError } from '../../domain/errors.js';
import { NoAccessToken } from './bearer.js';

/** Returns the default error code of a status. */
export function usualCode(status: number): ErrorCode {
  const byStatus: Partial<Record<number, ErrorCode>> = { 401: 'INVALID_ACCESS_TOKEN', 409: 'IDEMPOTENCY_CONFLICT', 422: 'QUOTE_EXPIRED' };
  const first = errorCodes.find((code) => errorCatalogue[code].status === status);
  return byStatus[status] ?? first ?? (status > 500 ? 'SERVICE_UNAVAILABLE' : status === 500 ? 'INTERNAL_ERROR' : 'INVALID_DATA');
}

/** A response: status, body as text or null, and headers. */
export interface ApiResponse {
  readonly status: number;
  readonly body: string | null;
  /** The bytes of a document, sent instead of `body`. */
  readonly bytes?: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The data in the body, in the format of the newest API version; undefined without a body. */
  readonly value?: unknown;
  /**
   * STORED: the response was stored for the idempotency key of this request. REPLAY: it was stored for an earlier request with this key.
   */
  readonly origin?: 'STORED' | 'REPLAY';
}

const headersOf: Partial<Record<ErrorCode, Record<string, string>>> = {
  INVALID_ACCESS_TOKEN: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  EXPIRED_ACCESS_TOKEN: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  CONTROL_TOKEN_REQUIRED: { 'WWW-Authenticate': 'Bearer' },
  RATE_LIMIT_EXCEEDED: { 'Retry-After': '1' },
  SERVICE_UNAVAILABLE: { 'Retry-After': '1' },
};

/** Maximum characters of a string in an error, which may quote input of any length. Message bodies may be longer. */
const maxTextLength = { body: 10_000, other: 1000 } as const;

function begun(key: string, value: unknown): unknown {
  const most = key === 'body' ? maxTextLength.body : maxTextLength.other;
  return typeof value === 'string' && value.length > most ? quoted(value, most) : value;
}

/**
 * Returns the response for an error. A DomainError is sent unchanged; any other error is a bug, which the response does not describe.
 * @param onInternalError called with a bug
 * @param helpFor returns the path of the guide about a code, for `details.help`; null without such a field
 */
export function errorResponse(
  error: unknown,
  onInternalError: (error: unknown) => void,
  helpFor: ((code: ErrorCode) => string) | null = null,
): ApiResponse {
  if (!(error instanceof DomainError)) onInternalError(error);
  const shown =
    error instanceof DomainError ? error : new DomainError('INTERNAL_ERROR', 'Internal error of the sandbox. See its log for details.');
  const { code, message } = shown;
  const details = helpFor === null ? shown.details : { ...shown.details, help: helpFor(code) };
  const allowed = code === 'METHOD_NOT_ALLOWED' ? { Allow: (details['allowed'] as string[]).join(', ') } : {};
  const value = { code, message, details } satisfies ErrorBody;
  // Waiting does not help against a permanent limit, so its error has no Retry-After header.
  const isPermanent = details['permanent'] === true;
  const challenge = error instanceof NoAccessToken ? { 'WWW-Authenticate': 'Bearer' } : isPermanent ? {} : headersOf[code];
  return { status: errorCatalogue[code].status, body: JSON.stringify(value, begun), headers: { ...challenge, ...allowed }, value };
}
