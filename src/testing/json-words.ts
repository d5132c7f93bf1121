import { code } from './markdown.js';

/** Longest list of values that a table shows. */
const spelledOut = 24;

/** The parts of a JSON Schema that tables show. */
export interface Json {
  readonly [key: string]: unknown;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
  readonly allOf?: readonly Json[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Json;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly additionalProperties?: unknown;
  readonly title?: string;
}

/** Returns the allowed values of a field in a few words. */
export function valueText(json: Json): string {
  const { type, title, minimum, maximum } = json;
  if (title !== undefined) return title;
  if (json.const !== undefined) return code(json.const);
  if (json.enum)
    return json.enum.length > spelledOut
      ? `one of ${json.enum.length} codes, for example ${code(json.enum[0])}`
      : json.enum.map(code).join(', ');
  const variants = json.anyOf ?? json.oneOf;
  if (variants) return [...new Set(variants.map(valueText))].join(' or ');
  if (type === 'integer' || type === 'number') {
    const bounds = [
      minimum === undefined || minimum < -1e9 ? '' : `from ${minimum}`,
      maximum === undefined || maximum > 1e9 ? '' : `to ${maximum}`,
    ].filter(Boolean);
    return ['a number', ...bounds].join(' ');
  }
  if (type === 'array') return `a list of ${json.items ? valueText(json.items) : 'values'}`;
  if (type === 'object') return objectText(json);
  if (type === 'boolean') return code('true').concat(', ', code('false'));
  if (json.pattern !== undefined && new RegExp(json.pattern).test('0.5') && !new RegExp(json.pattern).test('x'))
    return 'a decimal in quotes';
  return { uuid: 'an id', 'date-time': 'an instant', date: 'a day' }[json.format ?? ''] ?? 'text';
}

function objectText({ properties, additionalProperties }: Json): string {
  if (properties) return code(`{ ${Object.keys(properties).join(', ')} }`);
  return typeof additionalProperties === 'object' ? `names with ${valueText(additionalProperties as Json)}` : 'an object';
}
