import type { AnyRoute } from '../contract/shared/route.js';
import type { ErrorCode } from '../contract/shared/error-codes.js';
import { DomainError } from '../domain/errors.js';
import { bodyCheck, checkParts } from '../api/plane/validation.js';

/** The parts of a request; a missing part is not validated. */
export interface RequestParts {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** The error of a request, as in the body of its response. */
export interface ExpectedError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: unknown;
}

/**
 * Returns the error for a request that violates the schemas of its route; null if it violates none. Costs a fraction of a request to the API,
 * which uses the same validation after it has read the token, the headers and the text of the body.
 */
export function expectedErrorOf(route: AnyRoute, { path, query, body }: RequestParts): ExpectedError | null {
  const part = (schema: AnyRoute['query'], value: unknown) => ({ schema: value === undefined ? undefined : schema, value });
  const isWithBody = body !== undefined && route.body !== undefined && !route.rawBody && !route.streamedBody;
  try {
    checkParts(part(route.params, path), part(route.query, query), isWithBody ? bodyCheck(route, body) : part(undefined, undefined));
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message, details } = error;
    return JSON.parse(JSON.stringify({ code, message, details })) as ExpectedError;
  }
}
