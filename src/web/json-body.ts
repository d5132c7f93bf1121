import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import type { ErrorItem } from '../contract/errors.js';
import { DomainError } from '../domain/errors.js';

/** How large a body may be. */
export interface BodyLimits {
  readonly bytes: number;
  readonly keys: number;
}

const usual: BodyLimits = { bytes: 1024 * 1024, keys: 10_000 };
/** For a whole world. */
export const largeBody: BodyLimits = { bytes: 256 * 1024 * 1024, keys: 10_000_000 };
const maxLevels = 64;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A body as JSON, or why it is none. */
export type JsonBody = { readonly value: unknown } | { readonly fault: ErrorItem };

/**
 * Reads a request's JSON body, by bytes rather than by what its headers claim.
 * @throws DomainError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
 */
export async function readJsonBody({ req: { raw: request }, env }: Context, limits: BodyLimits = usual): Promise<JsonBody> {
  if (mediaTypeOf(request) !== 'application/json') throw unsupportedMediaType(request, 'application/json');
  const { incoming } = (env ?? {}) as { incoming?: IncomingMessage };
  return parseJson(await readBytes(request, limits.bytes, incoming), limits);
}

/** The media type that a request declares, without its parameters; empty when it declares none. */
export function mediaTypeOf(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}

export function unsupportedMediaType(request: Request, supported: string): DomainError {
  const received = mediaTypeOf(request);
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${supported}, with that Content-Type.`, {
    received: received === '' ? null : received,
    supported: [supported],
  });
}

/**
 * A request body's bytes, counted as they come; at most 1 MiB unless told otherwise.
 * @param incoming what Node has of the request, where it came over a socket: read from there, its bytes are not copied on the way
 * @throws DomainError PAYLOAD_TOO_LARGE
 */
export async function readBytes(request: Request, maximumBytes = usual.bytes, incoming?: IncomingMessage): Promise<Uint8Array> {
  const tooLarge = () => new DomainError('PAYLOAD_TOO_LARGE', `A body has at most ${maximumBytes} bytes.`, { maximumBytes });
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > maximumBytes) throw tooLarge();
  if (declared !== null) return incoming ? bytesOf(incoming) : new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > maximumBytes) throw tooLarge();
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    incoming.on('error', reject);
  });
}

function malformed(why: string): JsonBody {
  return { fault: { code: 'MALFORMED_JSON', message: `The body is not acceptable JSON: ${why}.`, field: 'body', params: {} } };
}

/** Reads bytes as JSON within the limits of the contract. */
export function parseJson(bytes: Uint8Array, limits: BodyLimits = usual): JsonBody {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return malformed('its bytes are not UTF-8');
  }
  if (text.trim() === '') return malformed('it is empty');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return malformed((error as Error).message);
  }
  const why = structureFault(value, limits.keys);
  return why === null ? { value } : malformed(why);
}

/** What makes well-formed JSON unacceptable all the same: depth, number of keys, or keys that reach for an object's prototype. */
function structureFault(root: unknown, maxKeys: number): string | null {
  let keys = 0;
  const faultOf = (value: unknown, depth: number): string | null => {
    if (typeof value !== 'object' || value === null) return null;
    if (depth > maxLevels) return `it is nested deeper than ${maxLevels} levels`;
    if (Array.isArray(value)) {
      for (const each of value) {
        const fault = faultOf(each, depth + 1);
        if (fault !== null) return fault;
      }
      return null;
    }
    for (const key in value) {
      if (key === '__proto__' || key === 'constructor') return `it has a key named ${key}`;
      keys += 1;
      if (keys > maxKeys) return `it has more than ${maxKeys} keys`;
      const fault = faultOf((value as Record<string, unknown>)[key], depth + 1);
      if (fault !== null) return fault;
    }
    return null;
  };
  return faultOf(root, 1);
}

/** JSON with its keys in order, so that equal values make equal texts. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === undefined ? 'null' : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  for (const key of Object.keys(value).toSorted()) {
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`;
  }
  return `{${text}}`;
}
