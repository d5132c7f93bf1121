import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../contract/shared/error-codes.js';
import { ErrorSchema } from '../contract/shared/errors.js';
import type { Answer } from './errors.js';
import type { AnyRoute } from '../contract/shared/route.js';

/**
 * What is wrong with an answer by the contract: a status or field that it does not name, a value that it does not allow. Null when all is well.
 * @param codes the refusals that the contract names for the route
 */
export function answerFault(route: AnyRoute, answer: Answer, codes: readonly ErrorCode[]): string | null {
  const body: unknown = answer.body === null ? null : JSON.parse(answer.body);
  const succeeded = answer.status < 400;
  if (succeeded && answer.status !== route.status) return `status ${answer.status} instead of ${route.status}`;
  const code: unknown = succeeded || body === null ? undefined : (body as { code?: unknown }).code;
  if (!succeeded && !codes.some((each) => each === code)) return `the code ${String(code)}, which it does not name`;
  const schema = succeeded ? route.response : ErrorSchema;
  if (schema === null) return body === null ? null : 'a body where there should be none';
  const result = schema.safeParse(body);
  if (!result.success) return result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  return isDeepStrictEqual(result.data, body) ? null : 'fields that the contract does not name';
}

/** Fails a request whose answer breaks the contract, instead of sending it. */
export function responseChecker(route: AnyRoute, answer: Answer, codes: readonly ErrorCode[]): void {
  const fault = answerFault(route, answer, codes);
  if (fault !== null) throw new Error(`The answer of ${route.operationId} breaks the contract: ${fault}. It was ${answer.body}`);
}
