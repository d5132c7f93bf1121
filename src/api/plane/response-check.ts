import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../../contract/shared/error-codes.js';
import { ErrorSchema } from '../../contract/shared/errors.js';
import type { ApiResponse } from './errors.js';
import type { AnyRoute } from '../../contract/shared/route.js';

/**
 * Returns the contract violation of a response: an undefined status or field, or an invalid value. Null if the response is valid.
 * @param codes the error codes that the contract defines for the route
 */
export function contractViolation(route: AnyRoute, answer: ApiResponse, codes: readonly ErrorCode[]): string | null {
  const body: unknown = answer.body === null ? null : JSON.parse(answer.body);
  const succeeded = answer.status < 400;
  if (succeeded && answer.status !== route.status) return `status ${answer.status} instead of ${route.status}`;
  const code: unknown = succeeded || body === null ? undefined : (body as { code?: unknown }).code;
  if (!succeeded && !codes.some((each) => each === code)) return `the code ${String(code)}, which it does not define`;
  const schema = succeeded ? route.response : ErrorSchema;
  if (schema === null) return body === null ? null : 'a body where there should be none';
  const result = schema.safeParse(body);
  if (!result.success) return result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  return isDeepStrictEqual(result.data, body) ? null : 'fields that the contract does not define';
}

/** Throws if a response violates the contract, so that it is not sent. */
export function responseChecker(route: AnyRoute, answer: ApiResponse, codes: readonly ErrorCode[]): void {
  const violation = contractViolation(route, answer, codes);
  if (violation !== null) throw new Error(`The response of ${route.operationId} violates the contract: ${violation}. Body: ${answer.body}`);
}
