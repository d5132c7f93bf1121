import recorded from '../../../openapi/public-examples.json' with { type: 'json' };
import type { ErrorCode } from '../../contract/shared/error-codes.js';
import { errorExamples } from '../../contract/shared/error-examples.js';
import type { ErrorBody } from '../../contract/shared/errors.js';
import type { OperationId } from '../../contract/public/routes.js';

/** A recorded error: its message, and the details that its code has. */
interface ErrorExample {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

type ErrorExamples = Readonly<Partial<Record<ErrorCode, ErrorExample>>>;

const { operations, errors: ofAll }: { operations: Readonly<Record<string, { errors: ErrorExamples }>>; errors: ErrorExamples } = recorded;

/** The first recorded error with each code, of any operation. Used for codes that the requested operation never returns. */
const ofAny: ErrorExamples = Object.assign(
  {},
  ...Object.values(operations)
    .map(({ errors }) => errors)
    .toReversed(),
) as ErrorExamples;

/** The request that gets an injected error. */
interface Injected {
  readonly operationId: OperationId;
  /** Path of the operation with parameters in braces, for example `/api/operations/{operationId}`. `path` is the requested path. */
  readonly template: string;
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly ruleId: string;
}

/**
 * Returns the body of an injected error: the example of the operation for this code, with all details. The id and the idempotency key of
 * the example are replaced by those of the request. `details.rule` names the rule or fault.
 */
export function injectedBody(code: ErrorCode, { operationId, template, path, idempotencyKey, ruleId }: Injected): ErrorBody {
  const example: ErrorExample = operations[operationId]?.errors[code] ??
    ofAll[code] ??
    errorExamples[code] ??
    ofAny[code] ?? { message: 'A rule or fault of the sandbox produced this response.', details: {} };
  const { parameters, idempotencyKey: exampleKey } = example.details as { parameters?: { id?: string }; idempotencyKey?: string };
  const body = withText(example, parameters?.id, lastParameter(template, path));
  const { message, details } = withText(body, exampleKey, idempotencyKey);
  return { code, message, details: { ...details, rule: ruleId } };
}

/** Returns the error with a string replaced in its message and details; unchanged if `before` or `after` is undefined. */
function withText(refusal: ErrorExample, before: string | undefined, after: string | undefined): ErrorExample {
  if (before === undefined || after === undefined) return refusal;
  const replaced = JSON.stringify(refusal, (_key, value: unknown) => (typeof value === 'string' ? value.replaceAll(before, after) : value));
  return JSON.parse(replaced) as ErrorExample;
}

/** Returns the value of the last parameter in a path; undefined if the path has no parameters. */
function lastParameter(template: string, path: string): string | undefined {
  const values = path.split('/');
  const index = template.split('/').findLastIndex((part) => part.startsWith('{'));
  return index < 0 ? undefined : values[index];
}
