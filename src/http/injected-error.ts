import recorded from '../../openapi/public-examples.json' with { type: 'json' };
import type { ErrorCode } from '../contract/shared/error-codes.js';
import { errorExamples } from '../contract/shared/error-examples.js';
import type { ErrorBody } from '../contract/shared/errors.js';
import type { OperationId } from '../contract/public/routes.js';

/** A recorded error of an operation, with the details that this code has. */
interface Refusal {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

type Refusals = Readonly<Partial<Record<ErrorCode, Refusal>>>;

const { operations, refusals: ofAll }: { operations: Readonly<Record<string, { refusals: Refusals }>>; refusals: Refusals } = recorded;

/** The first recorded error of each code in any operation, for a code that the operation itself never returns. */
const ofAny: Refusals = Object.assign(
  {},
  ...Object.values(operations)
    .map(({ refusals }) => refusals)
    .toReversed(),
) as Refusals;

/** The request that gets an injected error. */
interface Injected {
  readonly operationId: OperationId;
  /** Path of the operation with its parameters in braces, and the requested path. */
  readonly template: string;
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly ruleId: string;
}

/**
 * Returns the body of an injected error, as the operation returns it for this code: with all details, and the ids of the request where the
 * code has them. `details.rule` names the rule or fault.
 */
export function injectedBody(code: ErrorCode, { operationId, template, path, idempotencyKey, ruleId }: Injected): ErrorBody {
  const example: Refusal = operations[operationId]?.refusals[code] ??
    ofAll[code] ??
    errorExamples[code] ??
    ofAny[code] ?? { message: 'A rule or fault of the sandbox produced this response.', details: {} };
  const { parameters, idempotencyKey: exampleKey } = example.details as { parameters?: { id?: string }; idempotencyKey?: string };
  const body = withText(example, parameters?.id, lastParameter(template, path));
  const { message, details } = withText(body, exampleKey, idempotencyKey);
  return { code, message, details: { ...details, rule: ruleId } };
}

/** Replaces a text in a message and its details; unchanged if either is unknown. */
function withText(refusal: Refusal, before: string | undefined, after: string | undefined): Refusal {
  if (before === undefined || after === undefined) return refusal;
  const replaced = JSON.stringify(refusal, (_key, value: unknown) => (typeof value === 'string' ? value.replaceAll(before, after) : value));
  return JSON.parse(replaced) as Refusal;
}

/** Returns the last parameter of a path; undefined without one. */
function lastParameter(template: string, path: string): string | undefined {
  const values = path.split('/');
  const index = template.split('/').findLastIndex((part) => part.startsWith('{'));
  return index < 0 ? undefined : values[index];
}
