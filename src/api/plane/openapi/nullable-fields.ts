import type { ApiDocument } from './api-document.js';
import { orNull } from './plain-schema.js';

/** The parts of a schema that this code uses. */
interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  default?: unknown;
  required?: string[];
  properties?: Record<string, JsonSchema>;
}

/** Makes the optional fields of POST bodies nullable, because null in a POST means the same as a missing field. */
export function allowNulls({ paths, components }: ApiDocument): void {
  const named = components.schemas as Record<string, JsonSchema>;
  const operations = Object.values(paths).flatMap((methods) => Object.entries(methods));
  const created = schemasIn(
    named,
    operations.filter(([method]) => method === 'post').map(([, { requestBody }]) => requestBody),
  );
  const others = schemasIn(
    named,
    operations.map(([method, { requestBody, responses }]) => [responses, method === 'post' ? [] : requestBody]),
  );
  for (const schema of created) if (!others.has(schema)) allowNullsIn(schema);
}

/** Returns all schemas that a part of a document contains or references. */
function schemasIn(named: Readonly<Record<string, JsonSchema>>, part: unknown, found = new Set<JsonSchema>()): Set<JsonSchema> {
  if (typeof part !== 'object' || part === null || found.has(part)) return found;
  const { $ref } = part as JsonSchema;
  const meant = $ref === undefined ? undefined : named[$ref.slice($ref.lastIndexOf('/') + 1)];
  found.add(part);
  if (meant) schemasIn(named, meant, found);
  for (const each of Object.values(part)) schemasIn(named, each, found);
  return found;
}

function allowNullsIn({ properties = {}, required = [] }: JsonSchema): void {
  for (const [name, field] of Object.entries(properties)) if (!required.includes(name)) properties[name] = nullable(field);
}

function nullable(schema: JsonSchema): JsonSchema {
  const { type, anyOf, oneOf } = schema;
  const isNullable = (each: JsonSchema) => each.type === 'null' || (Array.isArray(each.type) && each.type.includes('null'));
  if ([schema, ...(anyOf ?? []), ...(oneOf ?? [])].some(isNullable)) return schema;
  if (typeof type === 'string' && schema.const === undefined && type !== 'array' && type !== 'object')
    return { ...schema, type: [type, 'null'], ...(schema.enum ? { enum: [...schema.enum, null] } : {}) };
  if (anyOf) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  // The description of a referenced schema belongs next to `anyOf`.
  const { $ref, ...said } = schema;
  if ($ref !== undefined) return { anyOf: [{ $ref }, { type: 'null' }], ...said };
  // Null means the default. An object as default would make generators drop the field's model.
  const { default: _, ...shape } = schema;
  return orNull(shape);
}
