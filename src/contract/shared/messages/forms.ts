import { z } from '@hono/zod-openapi';
import { withoutSecrets } from './quoted.js';

/**
 * Schemas of values whose format needs an explanation. The error of a schema describes the format, with an example if the words alone are
 * ambiguous. Every problem with the value gets this error (see `expectationOf`).
 */

/** The first part of an error message; the received value follows. */
export type Expected = `expected ${string}`;

/** Returns the message for a value with a wrong format: the expected format, and a valid example. */
export const expected = (what: string, example: string): Expected => `expected ${what}, such as "${example}"`;

/** Returns the schema of a string with a pattern. @param max maximum length in characters, if the pattern does not limit it */
export function patternSchema(pattern: RegExp, what: string, example: string, max?: number) {
  const error = expected(what, example);
  const any = z.string({ error });
  return (max === undefined ? any : any.max(max, { error })).regex(pattern, { error });
}

/** A string without control characters: C0 with NUL and line breaks, DEL, and C1. */
// oxlint-disable-next-line no-control-regex -- these are the characters that the field rejects
const printable = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/** Returns the first control character of a string and its position from 1; null if it has none. */
function controlCharacter(value: string): { name: string; position: number } | null {
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f))
      return { name: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`, position: index + 1 };
  }
  return null;
}

/** Returns the schema of a non-blank string of at most `max` characters, without control characters. */
export function text(max: number) {
  const error = `expected a non-blank string of 1 to ${max} characters`;
  const unprintable = ({ input }: { input?: unknown }) => {
    const found = typeof input === 'string' ? controlCharacter(input) : null;
    return found === null ? error : `expected text without control characters; ${found.name} is at position ${found.position}`;
  };
  return z.string({ error }).max(max, { error }).regex(/\S/, { error }).regex(printable, { error: unprintable }).meta({ minLength: 1 });
}

/** Returns the schema of a string of 1 to `max` characters, which may be blank. */
export function textSchema(max: number) {
  const error = `expected a string of 1 to ${max} characters`;
  return z.string({ error }).min(1, { error }).max(max, { error });
}

/** Adds a rule to the schema of a name that is stored, logged and exported: it must contain no secret. */
export function nameWithoutSecret<S extends z.ZodType<string>>(schema: S): S {
  return schema.refine((name) => withoutSecrets(name) === name, { error: 'expected a name that contains no secret' });
}

/** Returns the schema of an integer from `min` to `max`. */
export function whole(min: number, max: number) {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}
