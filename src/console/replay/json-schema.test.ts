import { expect, it } from 'vitest';
import replaySchema from '../../../openapi/replay.schema.json' with { type: 'json' };
import type { JsonSchema } from './json-schema.js';

const supported: Readonly<Record<keyof JsonSchema, true>> = {
  type: true,
  const: true,
  enum: true,
  format: true,
  pattern: true,
  minimum: true,
  maximum: true,
  maxItems: true,
  items: true,
  required: true,
  properties: true,
  additionalProperties: true,
  anyOf: true,
  oneOf: true,
};
/** Keywords that restrict no value. */
const ignored = ['$schema', 'title', 'description', 'example'];

/** Yields a schema and all schemas in it. */
function* schemasIn(schema: JsonSchema): Generator<JsonSchema> {
  yield schema;
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  for (const each of [...Object.values(properties), items, additionalProperties, ...anyOf, ...oneOf]) if (each) yield* schemasIn(each);
}

it('supports all keywords of the schema of replay files that restrict values', () => {
  const whole = replaySchema as unknown as JsonSchema;
  const known = new Set([...Object.keys(supported), ...ignored]);
  const unknown = new Set<string>();
  for (const schema of schemasIn(whole)) {
    for (const [keyword, value] of Object.entries(schema)) {
      // The names in JSON are strings.
      const restrictsNothing = keyword === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}';
      if (!known.has(keyword) && !restrictsNothing) unknown.add(`${keyword} ${JSON.stringify(value)}`);
    }
    // Only `pattern` is checked; `format` words the error.
    if (schema.format !== undefined) expect(schema).toMatchObject({ format: 'date-time', pattern: expect.any(String) as string });
  }
  expect([...unknown]).toEqual([]);
});
