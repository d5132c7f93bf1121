import { startOf } from '../../contract/shared/messages/cut.js';

/** The keywords of JSON Schema that restrict values in `openapi/replay.schema.json`. `format` only words errors: `pattern` checks the value. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** The schema of fields without a name in `properties`. False has no effect: later versions may add fields. */
  readonly additionalProperties?: JsonSchema | false;
  readonly anyOf?: readonly JsonSchema[];
  /** Schemas of objects, each with another constant `kind`. */
  readonly oneOf?: readonly JsonSchema[];
}

/** Maximum length of a value in an error, in characters. */
const maxShown = 40;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : startOf(JSON.stringify(value), maxShown);
}

/** A wrong value in a document. */
export interface Problem {
  /** The names and indexes on the way to the value. */
  readonly path: (string | number)[];
  readonly expected: string;
  readonly value: unknown;
}

/** Describes a problem. @param place position of the value */
export const problemText = ({ expected, value }: Problem, place: string): string => `${place}: expected ${expected}, got ${shown(value)}`;

/** Returns whether a value has a JSON type. */
function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** Returns the types that a schema allows; an empty list if it allows any. */
function typesOf({ type }: JsonSchema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

/** Describes the values that a schema allows. */
function expectedBy(schema: JsonSchema): string {
  const { format, minimum, pattern } = schema;
  if (schema.anyOf !== undefined) return schema.anyOf.map(expectedBy).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  if (format === 'date-time') return 'a timestamp like 2026-11-21T14:03:07.512Z';
  const words = typesOf(schema).map((type) => typeWords[type] ?? type);
  const from = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`;
  return `${words.join(' or ')}${from}${pattern === undefined ? '' : ` that matches ${pattern}`}`;
}

const patterns = new Map<string, RegExp>();

function matches(pattern: string, text: string): boolean {
  let known = patterns.get(pattern);
  if (known === undefined) patterns.set(pattern, (known = new RegExp(pattern)));
  return known.test(text);
}

/** Returns the problem of a field or a list item as one of the whole. */
function problemAt(key: string | number, schema: JsonSchema, value: unknown): Problem | null {
  const problem = problemOf(schema, value);
  problem?.path.unshift(key);
  return problem;
}

/** Returns the first problem of a value under a schema; null without one. */
export function problemOf(schema: JsonSchema, value: unknown): Problem | null {
  const { anyOf, oneOf, pattern, minimum = -Infinity, maximum = Infinity } = schema;
  const types = typesOf(schema);
  const wrong = (expected: string): Problem => ({ path: [], expected, value });
  if (
    (types.length > 0 && !types.some((type) => isOfType(type, value))) ||
    (schema.const !== undefined && schema.const !== value) ||
    schema.enum?.includes(value) === false ||
    (pattern !== undefined && typeof value === 'string' && !matches(pattern, value)) ||
    (typeof value === 'number' && value < minimum)
  )
    return wrong(expectedBy(schema));
  if (typeof value === 'number' && value > maximum) return wrong(`at most ${maximum}`);
  if (anyOf !== undefined) {
    const fitting = anyOf.find((each) => typesOf(each).some((type) => isOfType(type, value)));
    return fitting === undefined ? wrong(expectedBy(schema)) : problemOf(fitting, value);
  }
  if (oneOf !== undefined) {
    if (!isOfType('object', value)) return wrong('an object');
    const { kind } = value as { kind?: unknown };
    const kinds = oneOf.map(({ properties }) => properties?.['kind']?.const);
    const fitting = oneOf[kinds.indexOf(kind)];
    if (fitting === undefined) return { path: ['kind'], expected: `one of ${kinds.join(', ')}`, value: kind };
    return problemOf(fitting, value);
  }
  if (Array.isArray(value)) return problemInList(schema, value);
  return typeof value === 'object' && value !== null ? problemInObject(schema, value as Readonly<Record<string, unknown>>) : null;
}

function problemInList({ items, maxItems = Infinity }: JsonSchema, list: readonly unknown[]): Problem | null {
  if (list.length > maxItems) return { path: [], expected: `at most ${maxItems} items`, value: list.length };
  if (items === undefined) return null;
  for (const [index, each] of list.entries()) {
    const problem = problemAt(index, items, each);
    if (problem !== null) return problem;
  }
  return null;
}

function problemInObject(schema: JsonSchema, fields: Readonly<Record<string, unknown>>): Problem | null {
  const { properties = {}, required = [], additionalProperties: others = false } = schema;
  for (const name in properties) {
    if (fields[name] === undefined && !required.includes(name)) continue;
    const problem = problemAt(name, properties[name]!, fields[name]);
    if (problem !== null) return problem;
  }
  if (others === false) return null;
  for (const [name, each] of Object.entries(fields)) {
    const problem = Object.hasOwn(properties, name) ? null : problemAt(name, others, each);
    if (problem !== null) return problem;
  }
  return null;
}
