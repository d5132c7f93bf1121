import { z } from '@hono/zod-openapi';
import type { ItemCode } from './error-codes.js';
import type { Expected } from './messages/forms.js';

/**
 * Reports one violation in a request: an item code, the path of the value, the expectation (`expected an amount above zero`), and the data
 * that a client needs to fix the value.
 */
export type Report = (code: ItemCode, path: readonly (string | number)[], expected: Expected, params?: Record<string, unknown>) => void;

/** Checks a value of any type. Ignores problems that other checks report. */
export type Check = (value: unknown, report: Report) => void;

/**
 * Adds a rule to a schema. The rule can read only the request.
 *
 * The rule also runs if other fields are invalid, so that a client gets all problems of a request at once.
 * `check` therefore must accept values of any type, and ignore problems that another rule reports.
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

/** Returns the elements of an array of at most `maximum` elements; otherwise an empty list, because another rule rejects the value. */
export function elementsOf(value: unknown, maximum: number): readonly unknown[] {
  return Array.isArray(value) && value.length <= maximum ? value : [];
}

/** Returns the value as an object; an empty one if it is not an object. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Requires the given fields with their schemas. Allows other fields explicitly, because some validators would otherwise reject them. */
const given = (fields: Readonly<Record<string, object>>) => ({
  required: Object.keys(fields),
  properties: fields,
  unevaluatedProperties: true,
});
const notNull = { not: { type: 'null' } };

/** Returns the JSON Schema for optional fields of which exactly one must be present; null counts as absent. Code generators ignore it. */
export function exactlyOne(...names: readonly [string, string, ...string[]]): object {
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => given({ [one]: notNull, [other]: notNull })));
  return { not: pairs.length === 1 ? pairs[0] : { anyOf: pairs }, ...atLeastOne(...names) };
}

/** Returns the JSON Schema for optional fields of which at least one must be present; null counts as absent. Code generators ignore it. */
export function atLeastOne(...names: readonly [string, string, ...string[]]): object {
  const [least, ...others] = names.toReversed().map((name) => given({ [name]: notNull }));
  return others.reduce<object>((rest, each) => ({ if: each, else: rest }), least!);
}

/** Returns the JSON Schema that requires the field `list` unless the field `flag` is true. */
export function requiredUnless(flag: string, list: string): object {
  return { if: given({ [flag]: { const: true } }), else: given({ [list]: notNull }) };
}
