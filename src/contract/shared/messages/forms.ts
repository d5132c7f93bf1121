import { z } from '@hono/zod-openapi';

/**
 * Values with a format that needs an explanation. Each schema says what is expected, with an example if the words alone are ambiguous.
 * The error is the same for every problem with the value (see `expectationOf`).
 */

/** The first part of an error message; the received value follows. */
export type Expected = `expected ${string}`;

/** Returns the message for a value with a wrong format: the expected format, and a valid example. */
export const expected = (what: string, example: string): Expected => `expected ${what}, such as "${example}"`;

/** Returns the schema of a string with a pattern. @param max maximum length in characters, if the pattern does not limit it */
export function form(pattern: RegExp, what: string, example: string, max?: number) {
  const error = expected(what, example);
  const any = z.string({ error });
  return (max === undefined ? any : any.max(max, { error })).regex(pattern, { error });
}

/** Returns the schema of a non-blank string of at most `max` characters. */
export function text(max: number) {
  const error = `expected a non-blank string of 1 to ${max} characters`;
  return z.string({ error }).max(max, { error }).regex(/\S/, { error }).meta({ minLength: 1 });
}

/** Returns the schema of a string of 1 to `max` characters, which may be blank. */
export function someText(max: number) {
  const error = `expected a string of 1 to ${max} characters`;
  return z.string({ error }).min(1, { error }).max(max, { error });
}

/** Returns the schema of an integer from `min` to `max`. */
export function whole(min: number, max: number) {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}
