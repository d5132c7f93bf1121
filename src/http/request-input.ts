import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { UuidSchema, uuidOf } from '../contract/shared/common.js';
import type { Check } from '../contract/shared/rule.js';
import type { UploadedFile } from '../contract/public/documents.js';
import { DomainError, invalidData } from '../domain/errors.js';
import { canonicalJson, readJsonBody, type JsonBody } from '../web/json-body.js';
import { judgeFile, readUpload, type Upload } from '../web/multipart-body.js';
import type { AnyRoute } from '../contract/shared/route.js';
import { bodyCheck, checkParts, type Parts } from '../web/validation.js';
import { fingerprintOf } from './idempotency.js';
import type { Version } from './versions.js';

/** The validated parts of a request. */
export interface Input<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** What an upload brings beside its body. */
  readonly file: UploadedFile | null;
}

/** A request that has been read: its validated parts, and what it is told apart by. */
export interface ReadRequest {
  readonly input: Input<unknown, unknown, unknown>;
  /** The body as it came. */
  readonly raw: unknown;
}

/**
 * Reads and checks all parts of a request, and reports what is wrong with any of them together.
 * @param also what is looked at in the body besides its schema
 * @throws DomainError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_DATA, and what an upload may lack
 */
export async function readInput(c: Context, route: AnyRoute, version: Version, also?: Check): Promise<ReadRequest> {
  if (route.upload) return withFile(c, route, version, await readUpload(c), also);
  const json = route.body ? await readJsonBody(c, route.maxBodyBytes) : noBody;
  const { params, query, body } = check(c, route, version, json, also);
  return { input: { params, query, body, file: null }, raw: rawOf(json) };
}

const noBody: JsonBody = { value: undefined };

async function withFile(c: Context, route: AnyRoute, version: Version, upload: Upload, also?: Check): Promise<ReadRequest> {
  const parts = check(c, route, version, upload.json, also);
  const file = await judgeFile(upload.file);
  return { input: { ...parts, file }, raw: { body: rawOf(upload.json), fileName: file.name, sha256: file.sha256 } };
}

function rawOf(json: JsonBody): unknown {
  return 'fault' in json ? undefined : json.value;
}

function check(c: Context, route: AnyRoute, { requestIn }: Version, json: JsonBody, also?: Check): Parts {
  const ids = idsOf(c, route);
  if (ids !== null && !route.query && !route.body) return { params: ids, query: undefined, body: undefined };
  const body = 'fault' in json ? json : bodyCheck(route, requestIn ? requestIn(route.operationId, json.value) : json.value, also);
  return checkParts(
    { schema: route.params, value: route.params && c.req.param() },
    { schema: route.query, value: route.query && queryOf(c) },
    body,
  );
}

/** The names of a path's parameters where all are ids; otherwise null. */
const idNames = new WeakMap<z.ZodObject, readonly string[] | null>();

function idNamesOf(params: z.ZodObject): readonly string[] | null {
  let names = idNames.get(params);
  if (names === undefined) {
    const all = Object.entries(params.shape);
    idNames.set(params, (names = all.every(([, schema]) => schema === UuidSchema) ? all.map(([name]) => name) : null));
  }
  return names;
}

/** The parameters of a path where all are ids, and well-formed, as nearly always; otherwise they are the schema's to judge. */
function idsOf(c: Context, { params }: AnyRoute): Record<string, string> | null {
  const names = params ? idNamesOf(params) : [];
  if (names === null) return null;
  const ids: Record<string, string> = {};
  for (const name of names) {
    const id = uuidOf(c.req.param(name) ?? '');
    if (id === undefined) return null;
    ids[name] = id;
  }
  return ids;
}

/** The query parameters; one that is given twice is a list, which no schema takes. */
function queryOf(c: Context): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(c.req.queries()).map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
}

/** The idempotency key of a request, in lower case. @throws DomainError MISSING_REQUIRED_HEADER, INVALID_DATA */
export function idempotencyKey(c: Context): string {
  const header = c.req.header('x-idempotency-key')?.trim();
  if (header === undefined || header === '') {
    throw new DomainError('MISSING_REQUIRED_HEADER', 'Send a UUID of your own as X-Idempotency-Key with every POST, PUT and PATCH.', {
      header: 'X-Idempotency-Key',
    });
  }
  const key = uuidOf(header);
  if (key !== undefined) return key;
  throw invalidData([
    { code: 'INVALID_UUID', message: 'X-Idempotency-Key has to be a UUID.', field: 'header:X-Idempotency-Key', params: {} },
  ]);
}

/** What tells a request apart from another one with the same key. */
export function fingerprint(c: Context, version: Version, raw: unknown): string {
  const { url } = c.req;
  return fingerprintOf(c.req.method, url.slice(url.indexOf('/', url.indexOf('://') + 3)), version.name, canonicalJson(raw));
}
