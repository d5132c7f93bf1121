import { z } from '@hono/zod-openapi';

/**
 * Values of a form that has to be explained. Each says what is wanted, with an example where words alone leave room for doubt;
 * whatever is wrong with a value, the refusal says just that (see `expectationOf`).
 */

/** What a refusal says before what came. */
export type Expected = `expected ${string}`;

/** What a refusal says of a value that is none of a form: how it is wanted, and one that would be taken. */
export const expected = (what: string, example: string): Expected => `expected ${what}, such as "${example}"`;

/** A text of a pattern. @param max the most characters that it may have, where the pattern does not say */
export function form(pattern: RegExp, what: string, example: string, max?: number) {
  const error = expected(what, example);
  const any = z.string({ error });
  return (max === undefined ? any : any.max(max, { error })).regex(pattern, { error });
}

/** A text of at most `max` characters that is not blank. */
export function text(max: number) {
  const error = `expected a text of 1 to ${max} characters that is not blank`;
  return z.string({ error }).max(max, { error }).regex(/\S/, { error }).meta({ minLength: 1 });
}

/** A text that may be blank, but has a character at least. */
export function someText(max: number) {
  const error = `expected a text of 1 to ${max} characters`;
  return z.string({ error }).min(1, { error }).max(max, { error });
}

/** A whole number between two others. */
export function whole(min: number, max: number) {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}
