import type { z } from '@hono/zod-openapi';
import type { ItemCode } from '../../contract/shared/error-codes.js';
import { maxErrorItems, type ErrorItem } from '../../contract/shared/errors.js';
import {
  expectationOf,
  fieldText,
  mistakesOf,
  valueAt,
  invalidValueIn,
  type Issue,
  type Mistake,
} from '../../contract/shared/messages/issues.js';
import { namesAt } from '../../contract/shared/messages/known-fields.js';
import { maxSuggestions, nearestName } from '../../contract/shared/messages/nearest.js';
import type { Check } from '../../contract/shared/rule.js';
import { DomainError, invalidData } from '../../domain/errors.js';
import { inContractOrder } from './field-order.js';
import { hasNull } from './body/json-body.js';
import { withoutNulls } from './nulls.js';
import type { AnyRoute } from '../../contract/shared/route.js';

type Part = 'path' | 'query' | 'body';

/** Code that replaces INVALID_DATA as the code of a response if it is the only error. */
const topLevelAlone = 'INVALID_AMOUNT_PRECISION';
/** Codes that always replace INVALID_DATA as the code of a response. */
const topLevelAlways = ['INLINE_BENEFICIARY_NOT_SUPPORTED', 'INLINE_INSTRUCTION_NOT_SUPPORTED'] as const;

/** Adds the input to Zod issues. `async` is set here because the library would otherwise copy this object for every value. */
const reported: z.core.ParseContextInternal<z.core.$ZodIssue> = { reportInput: true, async: false };

/** Maximum errors to examine in one part of a request; the rest is only counted. Equal errors of one field count once. */
const maxMistakes = 1000;
const counted: ErrorItem = { code: 'INVALID_FORMAT', message: '', field: '', params: {} };

/** Validates one part of a request. Errors are in field order, with each field and code at most once. */
function check(part: Part, schema: z.ZodType, value: unknown, also: Check | undefined): { data?: unknown; items: ErrorItem[] } {
  const result = schema.safeParse(value, reported);
  const further = also ? reportsOf(also, value) : [];
  if (result.success && further.length === 0) return { data: result.data, items: [] };
  const issues = result.error?.issues ?? [];
  const problems = issues.slice(0, maxMistakes).flatMap((each) => mistakesOf(each));
  const found = [...problems.slice(0, maxMistakes), ...further];
  const mistyped = new Set(found.filter(({ issue }) => issue.code === 'invalid_type').map(({ issue }) => fieldText(issue.path)));
  // A value of the wrong type gets no further errors about its length or fields.
  const isSaid = ({ issue: { code, path } }: Mistake) =>
    path.some((_key, depth) => mistyped.has(fieldText(path.slice(0, depth)))) ||
    (code !== 'invalid_type' && code !== 'custom' && mistyped.has(fieldText(path)));
  const mistakes = mistyped.size === 0 ? found : found.filter((each) => !isSaid(each));
  const items = new Map<string, ErrorItem>();
  for (const mistake of inContractOrder(schema, value, mistakes, ({ issue }) => issue.path)) {
    const item = toItem(part, value, mistake, items.size < maxErrorItems ? schema : undefined, items.size < maxSuggestions);
    const key = `${item.code} ${item.field}`;
    if (!items.has(key)) items.set(key, item);
  }
  const surplus = Math.max(0, issues.length - maxMistakes) + Math.max(0, problems.length - maxMistakes);
  return { items: [...items.values(), ...Array.from({ length: surplus }, () => counted)] };
}

/** Returns the errors that a check reports for a value. */
function reportsOf(also: Check, value: unknown): Mistake[] {
  const mistakes: Mistake[] = [];
  also(value, (code, path, message, params = {}) => {
    mistakes.push({ issue: { code: 'custom', path: [...path], message, params: { code, params }, input: value }, isKey: false });
  });
  return mistakes;
}

/** A part of a request and its schema. A part without a schema is not validated. */
export interface PartCheck {
  readonly schema: z.ZodType | undefined;
  readonly value: unknown;
  /** An additional check, which must accept any value. */
  readonly also?: Check | undefined;
}

/** Prepares a request body for validation. In a POST, removes nulls of optional fields, which mean the same as missing fields. */
export function bodyCheck({ method, body }: Pick<AnyRoute, 'method' | 'body'>, value: unknown, also?: Check): PartCheck {
  return { schema: body, value: body && method === 'post' && hasNull(value) ? withoutNulls(body, value) : value, also };
}

/** The parsed parts of a request. */
export interface Parts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Validates all parts of a request together.
 * @param body the parsed body, or the reason that it is invalid
 * @throws DomainError with the errors of all parts
 */
export function checkParts(path: PartCheck, query: PartCheck, body: PartCheck | { readonly problem: ErrorItem }): Parts {
  const items: ErrorItem[] = [];
  const data = (part: Part, { schema, value, also }: PartCheck): unknown => {
    if (!schema) return undefined;
    const result = check(part, schema, value, also);
    items.push(...result.items);
    return result.data;
  };
  const checked = { params: data('path', path), query: data('query', query), body: 'problem' in body ? undefined : data('body', body) };
  if ('problem' in body) items.push(body.problem);
  if (items.length > 0) throw validationError(items);
  return checked;
}

/** Validates only a body. @throws DomainError with all errors of the body */
export function checkBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { data, items } = check('body', schema, value, undefined);
  if (items.length > 0) throw validationError(items);
  return data as z.output<S>;
}

/** Returns one error for all validation errors of a request. */
function validationError(items: readonly ErrorItem[]): DomainError {
  const always = items.find((item) => topLevelAlways.some((code) => code === item.code));
  const single = always ?? (items.length === 1 && items[0]!.code === topLevelAlone ? items[0] : undefined);
  if (!single) return invalidData(items);
  return new DomainError(single.code as (typeof topLevelAlways)[number], single.message, { field: single.field, ...single.params });
}

/** Returns the path of a value in a request, for example `body:assets[1].code`. */
export function fieldName(part: Part, path: readonly PropertyKey[]): string {
  const place = fieldText(path);
  return place === '' ? part : `${part}:${place}`;
}

/**
 * Returns the error for a mistake.
 * @param schema undefined for an error that is only counted
 * @param isSuggested true to suggest the probable name of an unknown field
 */
function toItem(part: Part, root: unknown, mistake: Mistake, schema: z.ZodType | undefined, isSuggested: boolean): ErrorItem {
  const { issue } = mistake;
  const received = invalidValueIn(root, mistake);
  const names = schema && isSuggested ? namesFor(issue, root, schema) : [];
  const [code, params] = codeOf(issue, received, names);
  const field = fieldName(part, issue.path);
  if (!schema) return { code, message: '', field, params }; // Only counted.
  const meant = received === undefined && isSuggested ? misnamed(root, issue.path, schema) : '';
  const place = field === part ? `The ${part}` : field.slice(part.length + 1);
  const wanted = expectationOf(part === 'query' ? ofParameter(issue) : issue, received, () => names);
  return { code, message: `${place}: ${withFullStop(`${wanted}${meant}`)}`, field, params };
}

/** Rewords the Zod issue about an unknown query parameter. */
function ofParameter(issue: Issue): Issue {
  return issue.code === 'unrecognized_keys' ? { ...issue, message: 'unknown parameter' } : issue;
}

/** Returns the known field names for an unknown field or a value that is not an object. */
function namesFor(issue: Issue, root: unknown, schema: z.ZodType): readonly string[] {
  if (issue.code === 'unrecognized_keys') return namesAt(schema, root, issue.path.slice(0, -1));
  return issue.code === 'invalid_type' && issue.expected === 'object' ? namesAt(schema, root, issue.path) : [];
}

/** Returns the end of an error about a missing field that mentions an unknown field with a similar name; empty without one. */
function misnamed(root: unknown, path: readonly PropertyKey[], schema: z.ZodType): string {
  const siblings = valueAt(root, path.slice(0, -1));
  if (typeof siblings !== 'object' || siblings === null || Array.isArray(siblings)) return '';
  const known = namesAt(schema, root, path.slice(0, -1));
  const strange = Object.keys(siblings).filter((name) => !known.includes(name));
  const nearest = strange.length > maxErrorItems ? undefined : nearestName(String(path.at(-1)), strange);
  return nearest === undefined ? '' : `, and "${nearest}" is not a known field`;
}

/** Returns the error code for a Zod issue, and the parameters of this code. */
function codeOf(issue: Issue, received: unknown, names: readonly string[]): [ItemCode, Record<string, unknown>] {
  if (issue.code === 'custom') {
    const { code, params } = (issue.params ?? {}) as { code?: ItemCode; params?: Record<string, unknown> };
    return [code ?? 'INVALID_FORMAT', params ?? {}];
  }
  if (issue.code === 'unrecognized_keys') {
    const nearest = nearestName(String(issue.path.at(-1)), names);
    return ['UNKNOWN_FIELD', nearest === undefined ? {} : { nearest }];
  }
  if (received === undefined) return ['REQUIRED', {}];
  switch (issue.code) {
    case 'invalid_type':
      return ['INVALID_TYPE', { expected: issue.expected }];
    case 'invalid_value':
      return enumProblem(issue.values, received);
    case 'invalid_union':
      return enumProblem((issue as unknown as { options?: unknown[] }).options ?? [], received);
    case 'too_small':
      return ['OUT_OF_RANGE', { minimum: Number(issue.minimum) }];
    case 'too_big':
      return ['OUT_OF_RANGE', { maximum: Number(issue.maximum) }];
    case 'invalid_format':
      return formatProblem(issue.format);
    default:
      return ['INVALID_FORMAT', {}];
  }
}

function enumProblem(values: readonly unknown[], received: unknown): [ItemCode, Record<string, unknown>] {
  const type = values.length === 0 ? 'string' : typeof values[0];
  return typeof received === type ? ['INVALID_ENUM', { allowed: values.map(String) }] : ['INVALID_TYPE', { expected: type }];
}

function formatProblem(format: string): [ItemCode, Record<string, unknown>] {
  if (format === 'guid') return ['INVALID_UUID', {}];
  if (format === 'date') return ['INVALID_DATE', { format: 'yyyy-MM-dd' }];
  if (format === 'datetime') return ['INVALID_DATE', { format: 'yyyy-MM-ddTHH:mm:ss.SSSZ' }];
  return ['INVALID_FORMAT', {}];
}

/** Adds a full stop to a sentence without one. */
export const withFullStop = (sentence: string) => (/[.?]$/.test(sentence) ? sentence : `${sentence}.`);
