import { startOf } from '../../contract/shared/messages/cut.js';

/** The keywords of JSON Schema that `openapi/replay.schema.json` uses. */
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
export const maxShown = 40;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : startOf(JSON.stringify(value), maxShown);
}

/** Returns the error for a wrong value. */
export const wrongValue = (path: string, expected: string, value: unknown): Error =>
  new Error(`${path === '' ? 'the whole file' : path}: expected ${expected}, got ${shown(value)}`);

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
const typesOf = ({ type }: JsonSchema): readonly string[] => (type === undefined ? [] : [type].flat());

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

/**
 * Checks a value against a schema.
 * @param path position of the value, for errors; empty for the whole file
 * @param nameOf returns the position of a field or list item below a position
 * @throws Error that names the position, the expected and the given value
 */
export function checkJson(schema: JsonSchema, value: unknown, path: string, nameOf: (path: string, key: string | number) => string): void {
  const { anyOf, oneOf, pattern, minimum = -Infinity, maximum = Infinity, maxItems = Infinity } = schema;
  const types = typesOf(schema);
  const isWrong =
    (types.length > 0 && !types.some((type) => isOfType(type, value))) ||
    (schema.const !== undefined && schema.const !== value) ||
    schema.enum?.includes(value) === false ||
    (pattern !== undefined && typeof value === 'string' && !matches(pattern, value)) ||
    (typeof value === 'number' && value < minimum);
  if (isWrong) throw wrongValue(path, expectedBy(schema), value);
  if (typeof value === 'number' && value > maximum) throw wrongValue(path, `at most ${maximum}`, value);
  if (anyOf !== undefined) {
    const fitting = anyOf.find((each) => typesOf(each).some((type) => isOfType(type, value)));
    if (fitting === undefined) throw wrongValue(path, expectedBy(schema), value);
    checkJson(fitting, value, path, nameOf);
  }
  if (oneOf !== undefined) {
    if (!isOfType('object', value)) throw wrongValue(path, 'an object', value);
    const { kind } = value as { kind?: unknown };
    const kinds = oneOf.map(({ properties }) => properties?.['kind']?.const);
    const fitting = oneOf[kinds.indexOf(kind)];
    if (fitting === undefined) throw wrongValue(nameOf(path, 'kind'), `one of ${kinds.join(', ')}`, kind);
    checkJson(fitting, value, path, nameOf);
  }
  if (Array.isArray(value)) {
    if (value.length > maxItems) throw new Error(`${path}: expected at most ${maxItems} items, got ${value.length}`);
    if (schema.items !== undefined) for (const [index, each] of value.entries()) checkJson(schema.items, each, nameOf(path, index), nameOf);
  } else if (typeof value === 'object' && value !== null) {
    const fields = value as Readonly<Record<string, unknown>>;
    const { properties = {}, required = [], additionalProperties: others = false } = schema;
    for (const [name, of] of Object.entries(properties))
      if (fields[name] !== undefined || required.includes(name)) checkJson(of, fields[name], nameOf(path, name), nameOf);
    if (others !== false)
      for (const [name, each] of Object.entries(fields))
        if (!Object.hasOwn(properties, name)) checkJson(others, each, nameOf(path, name), nameOf);
  }
}
