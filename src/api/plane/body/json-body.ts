import type { Context } from 'hono';
import { quoted } from '../../../contract/shared/messages/quoted.js';
import type { ErrorItem } from '../../../contract/shared/errors.js';
import { fieldText } from '../../../contract/shared/messages/issues.js';
import { isWellFormed } from '../../../contract/shared/messages/cut.js';
import { DomainError } from '../../../domain/errors.js';
import { jsonMistake } from '../../../domain/json-mistake.js';
import { headerIn } from './body.js';

/** Keys that could access an object's prototype. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Structural limits of a JSON body, in addition to its size: nesting with the root as level 1; scalars, arrays and objects together. */
const structureLimits = { levels: 64, values: 10_000 };
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A parsed JSON body, or the reason that it is invalid. */
export type JsonBody = { readonly value: unknown } | { readonly problem: ErrorItem };

/**
 * Checks that a request declares a JSON body.
 * @param exampleOf returns an example body for the error if the request sends a form; null without an example
 * @param also accepted media types in addition to JSON
 * @throws DomainError UNSUPPORTED_MEDIA_TYPE if the request declares an unsupported type, or a compressed body
 */
export function checkJson(c: Context, exampleOf: () => string | null = () => null, also: readonly string[] = []): void {
  checkNotCompressed(c);
  const received = mediaTypeOf(c);
  const supported = ['application/json', ...also];
  if (supported.includes(received)) return;
  const isForm = received === 'application/x-www-form-urlencoded';
  const example = isForm ? exampleOf() : null;
  const shown = example === null ? '' : `, for example ${example}`;
  throw unsupportedMediaType(c, supported, isForm ? ` and a JSON body${shown}. curl -d sends a form without this header.` : '.');
}

/** Returns the media type of a request without parameters; empty without Content-Type. */
export function mediaTypeOf(c: Context): string {
  return (headerIn(c, 'content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}

/** @throws DomainError UNSUPPORTED_MEDIA_TYPE if a request declares a compressed body, which the sandbox does not decompress */
export function checkNotCompressed(c: Context): void {
  const coding = (headerIn(c, 'content-encoding') ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return;
  throw new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Compressed bodies are not supported. Remove the header "Content-Encoding: ${quoted(coding, 60)}" and send the body uncompressed.`,
    { received: coding, supported: ['identity'] },
  );
}

/** @param more the end of the message */
export function unsupportedMediaType(c: Context, supported: readonly string[], more = '.'): DomainError {
  const received = mediaTypeOf(c);
  const came = received === '' ? 'Missing Content-Type' : `Unsupported Content-Type "${quoted(received, 60)}"`;
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', `${came}. Send "Content-Type: ${supported.join('" or "')}"${more}`, {
    received: received === '' ? null : received,
    supported,
  });
}

function malformed(why: string): JsonBody {
  return { problem: { code: 'MALFORMED_JSON', message: `Invalid JSON in the request body: ${why}.`, field: 'body', params: {} } };
}

/** Parses JSON within the structural limits. */
export function parseJson(bytes: Uint8Array): JsonBody {
  if (isTooBroad(bytes)) return malformed(`it has more than ${structureLimits.values} values`);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return malformed('its bytes are not UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.trim() === '') return malformed('it is empty');
    const { line, column, expected } = jsonMistake(text);
    return malformed(`line ${line}, column ${column}: expected ${expected}`);
  }
  const why = structureProblem(value);
  if (why !== null) return malformed(why);
  const path = escapedSurrogate.test(text) ? loneSurrogateIn(value) : null;
  return path === null ? { value } : { problem: halfCharacter(path) };
}

/** Only an escape can put a lone surrogate into JSON, because the bytes are UTF-8. */
const escapedSurrogate = /\\ud[89a-f]/i;

/** Returns the path of the first string or key with a lone surrogate; null without one. */
function loneSurrogateIn(value: unknown): PropertyKey[] | null {
  if (typeof value === 'string') return isWellFormed(value) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, each] of Object.entries(value)) {
    if (!isWellFormed(name)) return [];
    const path = loneSurrogateIn(each);
    if (path !== null) return [Array.isArray(value) ? Number(name) : name, ...path];
  }
  return null;
}

function halfCharacter(path: readonly PropertyKey[]): ErrorItem {
  const place = fieldText(path);
  const message = `${place === '' ? 'The body' : place}: expected text of whole characters; it has half of a surrogate pair, such as \\ud83d.`;
  return { code: 'INVALID_FORMAT', message, field: place === '' ? 'body' : `body:${place}`, params: {} };
}

const code = (letter: string) => letter.charCodeAt(0);
const [quote, backslash, comma, openBrace, openBracket] = ['"', '\\', ',', '{', '['].map(code);

/** Whether JSON certainly has too many values. Counts commas and brackets in the bytes, which is much cheaper than parsing. */
function isTooBroad(bytes: Uint8Array): boolean {
  const maximum = 2 * structureLimits.values;
  let marks = 0;
  let inString = false;
  for (let at = 0; at < bytes.length && marks <= maximum; at += 1) {
    const byte = bytes[at];
    if (byte === quote) inString = !inString;
    else if (inString) at += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === openBrace || byte === openBracket) marks += 1;
  }
  return marks > maximum;
}

/** Whether a JSON value is or contains null. */
export function hasNull(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  for (const each of Object.values(value)) if (typeof each === 'object' && hasNull(each)) return true;
  return false;
}

/** Returns the structural limit that a parsed JSON value exceeds, as the end of a sentence; null if it exceeds none. */
function structureProblem(root: unknown): string | null {
  const { levels, values } = structureLimits;
  let seen = 0;
  const problemOf = (value: unknown, level: number): string | null => {
    seen += 1;
    if (seen > values) return `it has more than ${values} values`;
    if (typeof value !== 'object' || value === null) return null;
    if (level > levels) return `it is nested deeper than ${levels} levels`;
    for (const key of Object.keys(value)) {
      if (forbiddenKeys.has(key)) return `it has a key named ${key}`;
      const problem = problemOf((value as Record<string, unknown>)[key], level + 1);
      if (problem !== null) return problem;
    }
    return null;
  };
  return problemOf(root, 1);
}

/** Returns JSON with sorted keys, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === undefined ? 'null' : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  for (const key of Object.keys(value).toSorted()) {
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`;
  }
  return `{${text}}`;
}
