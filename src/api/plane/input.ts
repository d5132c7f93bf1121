import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Check } from '../../contract/shared/rule.js';
import type { UploadedFile } from '../../contract/public/documents.js';
import type { AnyRoute } from '../../contract/shared/route.js';
import type { QueryPairs } from '../../contract/versions/version.js';
import { maxErrorItems } from '../../contract/shared/errors.js';
import { DomainError, invalidData } from '../../domain/errors.js';
import { readBytes } from './body/body.js';
import { checkJson, parseJson, type JsonBody } from './body/json-body.js';
import { judgeFile, readUpload, type Upload } from './body/multipart-body.js';
import type { OpenRequest } from '../../exchange/exchange.js';
import { yieldToEventLoop } from '../../world/turns.js';
import { jsonBody, unknownNames, uploadBody } from './request-record.js';
import { bodyExample } from './body/body-example.js';
import { bodyCheck, checkParts, type Parts } from './validation.js';

/** Size of a body in bytes from which each step that reads it takes milliseconds. */
const largeBytes = 256 * 1024;

/** The validated parts of a request. */
export interface Input<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The file of an upload; null for other requests. */
  readonly file: UploadedFile | null;
}

/** A request to read, and the record that stores its input. */
interface Incoming {
  readonly c: Context;
  readonly request: OpenRequest;
}

type ReadInput = Input<unknown, unknown, unknown>;

/** Options for reading a request. */
export interface ReadOptions {
  /** Whether a missing body counts as an empty object. */
  readonly emptyBodyAllowed?: boolean;
  /** Whether unknown query parameters are rejected. `world` is always allowed. */
  readonly closedQuery?: boolean;
  /** Converts the body to the newest API version, which the routes use. */
  readonly requestIn?: ((operationId: string, body: unknown) => unknown) | undefined;
  /** An additional check of the body. */
  readonly also?: Check | undefined;
}

/** The body schema of a route without a body: an object without fields. */
const nothing = z.strictObject({});

const noBody: JsonBody = { value: undefined };
const unchecked = { schema: undefined, value: undefined };

/**
 * Reads and validates all parts of a request, and reports all errors together. Skips a body that the handler reads.
 * @throws DomainError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_DATA, and errors of an upload
 */
export async function readInput(context: Incoming, route: AnyRoute, reading: ReadOptions): Promise<ReadInput> {
  const { c } = context;
  if (route.upload) return withFile(context, route, await readUpload(c), reading);
  if (route.streamedBody || route.rawBody) {
    if (route.streamedBody) checkJson(c, undefined, Object.keys(route.alsoAccepts ?? {}));
    checkQueryBytes(context.request.target);
    return { ...checkParts(pathOf(context, route), queryOf(context, route, reading), unchecked), file: null };
  }
  const json = hasJson(c, route, reading)
    ? await readJson(context, route, reading.emptyBodyAllowed)
    : reading.emptyBodyAllowed
      ? { value: {} }
      : noBody;
  const { params, query, body } = check(context, route, json, reading);
  return { params, query, body, file: null };
}

/** Reads a body only to record it, if the response does not depend on the body. Ignores an unreadable body. */
export async function recordBody(context: Incoming, route: AnyRoute, { requestIn }: ReadOptions = {}): Promise<void> {
  if (!route.body || route.upload) return;
  try {
    const json = await readJson(context, route);
    if (!('problem' in json)) recordValue(context, route, requestIn ? requestIn(route.operationId, json.value) : json.value);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

/** Records the JSON of a body in the format of the newest API version, and the unknown fields of the request. */
function recordValue({ request }: Incoming, route: AnyRoute, value: unknown): void {
  if (request.body) request.body = { ...request.body, value };
  if (route.body) request.unknown = unknownNames(route, value, request.query);
}

/** @param emptyBodyAllowed true if a body of zero bytes counts as an empty object */
async function readJson({ c, request }: Incoming, { maxBodyBytes, body }: AnyRoute, emptyBodyAllowed = false): Promise<JsonBody> {
  try {
    checkJson(c, () => bodyExample(body));
  } catch (error) {
    if (emptyBodyAllowed && (await isEmpty(c))) return { value: {} };
    throw error;
  }
  const bytes = await readBytes(c, maxBodyBytes);
  if (emptyBodyAllowed && bytes.length === 0) return { value: {} };
  request.body = jsonBody(bytes);
  const json = parseJson(bytes);
  await yieldIfLarge(bytes.length);
  return json;
}

/** Lets other clients go on between two steps that each read the whole body, if it is large. @param size size of the body in bytes */
export async function yieldIfLarge(size: number): Promise<void> {
  if (size >= largeBytes) await yieldToEventLoop();
}

/** Validates the parts of a request without a body. @throws DomainError INVALID_DATA */
export function readParts(context: Incoming, route: AnyRoute): ReadInput {
  const { params, query, body } = check(context, route, noBody, {});
  return { params, query, body, file: null };
}

/** Whether to read a JSON body: if the route has one. With `emptyBodyAllowed`: if the request may have one. */
function hasJson(c: Context, route: AnyRoute, { emptyBodyAllowed }: ReadOptions): boolean {
  if (!emptyBodyAllowed) return route.body !== undefined;
  const { headers } = c.req.raw;
  return route.method !== 'get' && (headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0);
}

/** True if no byte follows the headers. A chunked body can be empty; its type is then ignored. */
async function isEmpty(c: Context): Promise<boolean> {
  try {
    return (await readBytes(c, 0)).length === 0;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'PAYLOAD_TOO_LARGE') return false;
    throw error;
  }
}

async function withFile(
  context: Incoming,
  route: AnyRoute,
  { json, file: { fileName: name, size, sha256, sample } }: Upload,
  reading: ReadOptions,
): Promise<ReadInput> {
  const body = uploadBody(context.c, { name, size, sha256, type: null }, 'problem' in json ? undefined : json.value);
  context.request.body = body;
  const parts = check(context, route, json, reading);
  const file = await judgeFile({ fileName: name, size, sha256, sample });
  context.request.body = { ...body, file: { name, size, sha256, type: file.mediaType } };
  return { ...parts, file };
}

/** Rejects query parameters whose percent-encoded bytes are not UTF-8. @throws DomainError INVALID_DATA */
function checkQueryBytes(target: string): void {
  const at = target.indexOf('?');
  if (at < 0 || isUtf8(target.slice(at))) return;
  const broken = target
    .slice(at + 1)
    .split('&')
    .filter((each) => !isUtf8(each));
  throw invalidData(
    broken.slice(0, maxErrorItems).map((each) => {
      const [name = ''] = new URLSearchParams(each).keys();
      const message = `${name}: expected UTF-8, for example Jos%C3%A9; got bytes that are not UTF-8.`;
      return { code: 'INVALID_FORMAT', message, field: `query:${name}`, params: {} };
    }),
  );
}

/** True if the percent-encoded bytes of a text are UTF-8. Other text between them ends a character. */
function isUtf8(text: string): boolean {
  try {
    for (const [bytes] of text.matchAll(/(%[0-9a-f]{2})+/gi)) decodeURIComponent(bytes);
    return true;
  } catch {
    return false;
  }
}

function check(context: Incoming, route: AnyRoute, json: JsonBody, reading: ReadOptions): Parts {
  checkQueryBytes(context.request.target);
  const { emptyBodyAllowed, requestIn, also } = reading;
  const schema = route.body ?? (emptyBodyAllowed ? nothing : undefined);
  const value = 'problem' in json ? undefined : requestIn ? requestIn(route.operationId, json.value) : json.value;
  if (!('problem' in json)) recordValue(context, route, value);
  const body = 'problem' in json ? json : bodyCheck(schema ? { ...route, body: schema } : route, value, also);
  return checkParts(pathOf(context, route), queryOf(context, route, reading), body);
}

const pathOf = ({ request }: Incoming, { params }: AnyRoute) => ({ schema: params, value: params && request.params });

/** Returns the query parameters. A repeated parameter becomes a list, which every schema rejects. */
function queryOf({ request }: Incoming, { query, access }: AnyRoute, { closedQuery }: ReadOptions) {
  const isClosed = closedQuery === true && access === undefined;
  const schema = isClosed ? closed(query ?? nothing) : query;
  if (!schema) return { schema, value: undefined };
  if (request.query.length === 0) return { schema, value: {} };
  const value = Object.fromEntries(
    Object.entries(valuesByName(request.query)).map(([name, values]) => [name, values.length === 1 ? values[0]! : values]),
  );
  if (isClosed && !('world' in schema.shape)) delete value['world'];
  return { schema, value };
}

function valuesByName(query: QueryPairs): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of query) {
    const others = values.get(name);
    if (others) others.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries(values);
}

/** Query schemas that reject unknown parameters. */
const closedQueries = new WeakMap<z.ZodObject, z.ZodObject>();

function closed(query: z.ZodObject): z.ZodObject {
  let strict = closedQueries.get(query);
  if (!strict) closedQueries.set(query, (strict = query.strict()));
  return strict;
}
