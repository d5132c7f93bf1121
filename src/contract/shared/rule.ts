import { z } from '@hono/zod-openapi';
import type { ItemCode } from './error-codes.js';
import type { Expected } from './messages/forms.js';

/**
 * Reports one broken rule of a request: an item code, where it stands, what was expected there (`expected an amount above zero`), and
 * the facts a client needs to mend it.
 */
export type Report = (code: ItemCode, path: readonly (string | number)[], expected: Expected, params?: Record<string, unknown>) => void;

/** Judges a value of any shape: reads it tolerantly and stays silent about what others report. */
export type Check = (value: unknown, report: Report) => void;

/**
 * Adds a rule that the request alone decides to a schema.
 *
 * The rule also runs when other fields have already failed, since a client gets all failures of a request at once.
 * It therefore sees values that may be of any shape: `check` reads them tolerantly and stays silent about what
 * another rule already reports.
 */
export function rule<S extends z.ZodType>(schema: S, check: Check): S {
  const run = z.check((payload: z.core.ParsePayload) => {
    check(payload.value, (code, path, message, params = {}) => {
      payload.issues.push({ code: 'custom', path: [...path], message, params: { code, params }, input: payload.value, continue: true });
    });
  });
  run._zod.def.when = () => true;
  return schema.check(run);
}

/** The elements of a value that is an array of at most so many; none of anything else, which is refused for what it is. */
export function elementsOf(value: unknown, maximum: number): readonly unknown[] {
  return Array.isArray(value) && value.length <= maximum ? value : [];
}

/** The value as an object to read fields from; an empty one when it is anything else. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The fields that are there as the schema of each says. Other fields may be there as well, which some judges would take for forbidden. */
const given = (fields: Readonly<Record<string, object>>) => ({
  required: Object.keys(fields),
  properties: fields,
  unevaluatedProperties: true,
});
const notNull = { not: { type: 'null' } };

/** What JSON Schema says of optional fields of which a request has exactly one, null being none; generators pass over it. */
export function exactlyOne(...names: readonly [string, string, ...string[]]): object {
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => given({ [one]: notNull, [other]: notNull })));
  const [least, ...others] = names.toReversed().map((name) => given({ [name]: notNull }));
  return {
    not: pairs.length === 1 ? pairs[0] : { anyOf: pairs },
    ...others.reduce<object>((rest, each) => ({ if: each, else: rest }), least!),
  };
}

/** What JSON Schema says of a list that a request has to have unless a flag is true. */
export function requiredUnless(flag: string, list: string): object {
  return { if: given({ [flag]: { const: true } }), else: given({ [list]: notNull }) };
}
