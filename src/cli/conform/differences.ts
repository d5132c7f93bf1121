import { type EventType, eventTypes } from '../../contract/shared/event-types.js';
import { errorCatalogue } from '../../contract/shared/error-codes.js';
import { mask } from '../../analysis/views/personal.js';
import type { z } from '@hono/zod-openapi';
import { eventSchemas } from '../../contract/public/events.js';
import { publicRoutes } from '../../contract/public/routes.js';
import { ErrorSchema } from '../../contract/shared/errors.js';
import { unknownFields } from '../../contract/shared/messages/known-fields.js';
import { nearestName } from '../../contract/shared/messages/nearest.js';
import type { AnyRoute } from '../../contract/shared/route.js';
import { documentedCodes } from '../../api/plane/documented-errors.js';
import type { HarEntry } from './har-entries.js';
import { cut, startOf } from '../../contract/shared/messages/cut.js';

/** Kinds of differences that a service may introduce at any time. */
export const allowedKinds = ['NEW_ENDPOINT', 'NEW_PARAMETER', 'NEW_FIELD', 'NEW_EVENT_TYPE'] as const;
/** Kinds of differences that break clients. */
export const breakingKinds = ['REMOVED', 'RENAMED', 'TYPE', 'NEW_ENUM_VALUE', 'FORMAT', 'STATUS', 'CODE', 'BODY'] as const;
export type DifferenceKind = (typeof allowedKinds)[number] | (typeof breakingKinds)[number];

/** A difference between a recorded message and the contract. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** Operation id, `webhook TYPE`, or method and path of an unknown endpoint. */
  readonly operation: string;
  /** Path of the field, with `[]` for the items of lists; empty for the whole message. */
  readonly path: string;
  /** The expectation of the contract and the found value, in words. */
  readonly what: string;
  /** The value without personal data; null without one. */
  readonly example: string | null;
}

/** Base of relative URLs. */
const base = 'http://service.invalid';

/** Maximum number of unknown fields of one message. */
const maxUnknown = 100;

/** Returns the differences of one entry; null if it is not a message of the service. @param prefix start of all paths, which is removed */
export function differencesOf(entry: HarEntry, prefix: string): { operation: string; differences: Difference[] } | null {
  const { request, response } = entry;
  if (typeof request?.method !== 'string' || typeof request.url !== 'string') return null;
  if (headerOf(entry, 'x-message-id') !== undefined) return webhookDifferences(entry);
  const url = URL.canParse(request.url, base) ? new URL(request.url, base) : null;
  if (!url?.pathname.startsWith(prefix)) return null;
  const path = url.pathname.slice(prefix.endsWith('/') ? prefix.length - 1 : prefix.length) || '/';
  const { status } = response ?? {};
  if (typeof status !== 'number' || status < 200) return null; // No response was recorded.
  const route = routeOf(request.method, path);
  if (!route) {
    const operation = `${request.method} ${templateOf(path)}`;
    return {
      operation,
      differences: [{ kind: 'NEW_ENDPOINT', operation, path: '', what: 'The contract has no such endpoint.', example: null }],
    };
  }
  return {
    operation: route.operationId,
    differences: [...parameterDifferences(route, url), ...responseDifferences(route, status, textOf(entry))],
  };
}

function webhookDifferences(entry: HarEntry): { operation: string; differences: Difference[] } {
  const type = headerOf(entry, 'x-event-type') ?? '';
  const operation = `webhook ${masked(type)}`;
  if (!eventTypes.includes(type as EventType)) {
    const near = nearestName(type, eventTypes);
    const what = `The contract has no such event type${near === undefined ? '' : `; the nearest is ${near}`}.`;
    return { operation, differences: [{ kind: 'NEW_EVENT_TYPE', operation, path: '', what, example: masked(type) }] };
  }
  const { text } = entry.request?.postData ?? {};
  return { operation, differences: bodyDifferences(operation, eventSchemas[type as EventType], typeof text === 'string' ? text : null) };
}

function parameterDifferences(route: AnyRoute, { searchParams }: URL): Difference[] {
  const known = Object.keys(route.query?.shape ?? {});
  const unknown = [...new Set(searchParams.keys())].filter((name) => !known.includes(name)).slice(0, maxUnknown);
  return unknown.map((name) => ({
    kind: 'NEW_PARAMETER',
    operation: route.operationId,
    path: `query.${startOf(name, 100)}`,
    what: 'The contract has no such query parameter.',
    example: null,
  }));
}

function responseDifferences(route: AnyRoute, status: number, text: string | null): Difference[] {
  const operation = route.operationId;
  if (status < 400) {
    const isKnown = status === route.status || (route.mayCreate === true && status === 201);
    if (!isKnown) return [statusDifference(operation, status, `The contract has ${route.status}.`)];
    return route.response === null ? [] : bodyDifferences(operation, route.response, text);
  }
  const codes = documentedCodes(route);
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))].toSorted((a, b) => a - b);
  if (!statuses.includes(status)) return [statusDifference(operation, status, `The contract has the errors ${statuses.join(', ')}.`)];
  const body = parsed(text);
  const code = (body as { code?: unknown } | null | undefined)?.code;
  const differences = bodyDifferences(operation, ErrorSchema, text).filter(({ path }) => path !== 'code' && !path.startsWith('details'));
  if (typeof code !== 'string' || codes.some((each) => each === code)) return differences;
  const near = nearestName(code, codes);
  const what = `The contract does not have this error code for the operation${near === undefined ? '' : `; the nearest is ${near}`}.`;
  return [...differences, { kind: 'CODE', operation, path: 'code', what, example: masked(code) }];
}

const statusDifference = (operation: string, status: number, what: string): Difference => ({
  kind: 'STATUS',
  operation,
  path: '',
  what: `Status ${status}. ${what}`,
  example: String(status),
});

function bodyDifferences(operation: string, schema: z.ZodType, text: string | null): Difference[] {
  if (text === null) return []; // Recordings often leave bodies out.
  const body = parsed(text);
  if (body === undefined) return [{ kind: 'BODY', operation, path: '', what: 'The body is not JSON.', example: null }];
  const extra = new Map<string, readonly (string | number)[]>();
  for (const path of unknownFields(schema, body, maxUnknown)) extra.set(pathText(path), path);
  const result = schema.safeParse(body, { reportInput: true });
  const differences: Difference[] = [];
  for (const issue of result.success ? [] : result.error.issues.flatMap((each) => leaves(each))) {
    if (valueAt(body, issue.path) === mask) continue; // An HTTP archive of a sandbox hides personal data.
    const difference = issueDifference(operation, body, issue, extra);
    if (!differences.some(({ kind, path }) => kind === difference.kind && path === difference.path)) differences.push(difference);
  }
  for (const [path, steps] of extra) {
    differences.push({
      kind: 'NEW_FIELD',
      operation,
      path,
      what: 'The contract has no such field.',
      example: masked(valueAt(body, steps)),
    });
  }
  return differences;
}

interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly input?: unknown;
  readonly expected?: string;
  readonly values?: readonly unknown[];
}

/** Returns the problems of the union variant that has the fewest. */
function leaves(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const nested = issue.errors.map((each) => each.flatMap((one) => leaves(one)));
  const fewest = nested.reduce((best, each) => (each.length < best.length ? each : best));
  return fewest.map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
}

/** Returns the difference of a problem. A missing field with a similar unknown sibling counts as renamed; the sibling is removed from `extra`. */
function issueDifference(operation: string, body: unknown, issue: Issue, extra: Map<string, readonly (string | number)[]>): Difference {
  const steps = issue.path as readonly (string | number)[];
  const path = pathText(steps);
  const value = valueAt(body, steps);
  const example = value === undefined ? null : masked(value);
  if (issue.code === 'invalid_union') {
    const what = 'The contract has no variant with this value.';
    return { kind: 'NEW_ENUM_VALUE', operation, path, what, example };
  }
  if (value === undefined) {
    const parent = steps.slice(0, -1);
    const siblings = [...extra.values()].filter((each) => each.length === steps.length && pathText(each.slice(0, -1)) === pathText(parent));
    const near =
      nearestName(
        String(steps.at(-1)),
        siblings.map((each) => String(each.at(-1))),
      ) ?? suffixMatch(String(steps.at(-1)), siblings);
    if (near === undefined) return { kind: 'REMOVED', operation, path, what: 'The contract requires this field.', example };
    const renamed = pathText([...parent, near]);
    extra.delete(renamed);
    return { kind: 'RENAMED', operation, path, what: `The contract has ${path}; found ${renamed}.`, example: null };
  }
  if (issue.code === 'invalid_value') {
    const known = (issue.values ?? []).map(String);
    const near = typeof value === 'string' ? nearestName(value, known) : undefined;
    const what = `The contract has ${known.slice(0, 20).join(', ')}${near === undefined ? '' : `; the nearest is ${near}`}.`;
    return { kind: 'NEW_ENUM_VALUE', operation, path, what, example };
  }
  if (issue.code === 'invalid_type') {
    return {
      kind: 'TYPE',
      operation,
      path,
      what: `The contract has ${issue.expected ?? 'another type'}; found ${typeName(value)}.`,
      example,
    };
  }
  return { kind: 'FORMAT', operation, path, what: `${issue.message}.`, example };
}

/** Returns a field name that ends with the missing name, or the reverse: for example `amountValue` and `value`. */
function suffixMatch(name: string, siblings: readonly (readonly (string | number)[])[]): string | undefined {
  const lower = name.toLowerCase();
  return siblings
    .map((each) => String(each.at(-1)))
    .find((each) => each.toLowerCase().endsWith(lower) || lower.endsWith(each.toLowerCase()));
}

const typeName = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

function pathText(steps: readonly PropertyKey[]): string {
  return steps
    .map((step) => (typeof step === 'number' ? '[]' : startOf(String(step), 100)))
    .join('.')
    .replaceAll('.[]', '[]');
}

function valueAt(body: unknown, steps: readonly PropertyKey[]): unknown {
  return steps.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | null | undefined)?.[step], body);
}

/** Parses a body; undefined without one or if it is not JSON. */
function parsed(text: string | null): unknown {
  if (text === null || text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function textOf({ response }: HarEntry): string | null {
  const { text, encoding } = response?.content ?? {};
  if (typeof text !== 'string') return null;
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text;
}

function headerOf({ request }: HarEntry, wanted: string): string | undefined {
  const headers = Array.isArray(request?.headers) ? request.headers : [];
  const header = headers.find(({ name }) => typeof name === 'string' && name.toLowerCase() === wanted);
  return typeof header?.value === 'string' ? header.value : undefined;
}

const places = publicRoutes.map((route) => ({ route, method: route.method.toUpperCase(), parts: route.path.split('/') }));

function routeOf(method: string, path: string): AnyRoute | undefined {
  const parts = path.split('/');
  const fits = (each: (typeof places)[number]) =>
    each.method === method &&
    each.parts.length === parts.length &&
    each.parts.every((part, at) => part.startsWith('{') || part === parts[at]);
  return places.find(fits)?.route;
}

/** Returns a path in which `{…}` replaces the parts that may be ids. */
function templateOf(path: string): string {
  const parts = path.split('/').slice(0, 12);
  return parts.map((part) => (/^[a-zA-Z_-]{0,40}$/.test(part) ? part : '{…}')).join('/');
}

/** Returns the shape of a value without its content: codes in capitals stay, other letters become x and digits 9. */
export function masked(value: unknown): string {
  if (typeof value === 'string') {
    if (/^[A-Z][A-Z_]{0,60}$/.test(value)) return value;
    return `"${cut(value, 40).replaceAll(/\p{L}/gu, 'x').replaceAll(/\p{N}/gu, '9')}"`;
  }
  if (typeof value === 'number') return String(value).replaceAll(/[0-9]/g, '9');
  if (Array.isArray(value)) return `[${value.length} items]`;
  if (typeof value === 'object' && value !== null) return startOf(`{${Object.keys(value).slice(0, 20).join(', ')}}`, 200);
  return String(value);
}
