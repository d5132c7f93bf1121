import { createHash } from 'node:crypto';

/** As much of JSON Schema as the documents use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** Schemas by their name in the document. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** The name that a reference within a document ends with. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/**
 * A value that a schema describes, put together from the examples of its parts, so that every body of a document has one.
 * @param noun what the value is; ids are made of the nouns they name, so that equal ids mean the same thing throughout
 */
export function exampleOf(schema: JsonSchema, schemas: Schemas, noun = 'value'): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return exampleOf(schemas[name] ?? {}, schemas, /^[A-Z]/.test(noun) ? name.replace(/^Created/, '') : noun);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.allOf !== undefined) {
    const own = schema.allOf.find((part) => part.example !== undefined);
    const parts = schema.allOf.map((part) => exampleOf(part, schemas, noun));
    if (own) return own.example;
    return parts.every((part) => typeof part === 'object') ? Object.assign({}, ...parts) : parts[0];
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return exampleOf(choices[0] ?? {}, schemas, noun);
  if (schema.default !== undefined) return schema.default;
  return exampleOfType(schema, schemas, noun);
}

function exampleOfType(schema: JsonSchema, schemas: Schemas, noun: string): unknown {
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {});
      return Object.fromEntries(
        fields.map(([name, field]) => [name, exampleOf(field, schemas, name === 'id' ? noun : name.replace(/Id$/, ''))]),
      );
    }
    case 'array':
      return schema.items ? [exampleOf(schema.items, schemas, 'Item')] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return schema.format === 'uuid' ? exampleId(noun) : `some ${noun}`;
  }
}

/** The id that a noun has in all examples. */
function exampleId(noun: string): string {
  const hex = createHash('sha256').update(noun.toLowerCase()).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
