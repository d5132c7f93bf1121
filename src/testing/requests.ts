import * as fc from 'fast-check';

/** The parts of JSON Schema that request schemas use. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

type Resolve = (schema: Schema) => Schema;

/** Returns values that match a schema of the document. Rules between fields may still reject them. */
export function validValues(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const own = resolve(schema);
  if (own.const !== undefined) return fc.constant(own.const);
  if (own.enum !== undefined) return fc.constantFrom(...own.enum);
  const choices = own.oneOf ?? own.anyOf;
  if (choices) return fc.oneof(...choices.map((choice) => validValues(choice, resolve)));
  if (own.allOf) return validValues(own.allOf[0]!, resolve);
  if (own.type === 'object') {
    const fields = Object.entries(own.properties ?? {}).map(([name, field]) => [name, validValues(field, resolve)] as const);
    return fc.record(Object.fromEntries(fields), { requiredKeys: [...(own.required ?? [])] });
  }
  if (own.type === 'array') return fc.array(validValues(own.items ?? {}, resolve), { minLength: own.minItems ?? 0, maxLength: 3 });
  const sample = own.example === undefined ? [] : [fc.constant(own.example)];
  if (own.type === 'boolean') return fc.boolean();
  if (own.type === 'integer' || own.type === 'number')
    return fc.oneof(...sample, fc.integer({ min: own.minimum ?? 0, max: own.maximum ?? 1000 }));
  if (own.format === 'uuid') return fc.uuid();
  const text = fc.string({ minLength: Math.max(1, own.minLength ?? 1), maxLength: Math.min(own.maxLength ?? 40, 60) });
  return sample.length > 0 ? fc.oneof({ weight: 4, arbitrary: sample[0]! }, { weight: 1, arbitrary: text }) : text;
}

/** Returns values that violate a schema: other types, or valid objects with a required field removed or replaced by an invalid value. */
export function invalidValues(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const own = resolve(schema);
  const required = own.required ?? [];
  const wrong = fc.constantFrom<unknown>(null, 12.5, true, '', [], [null], { '': 0 }, '\u0000', '💥', -1);
  const changes = Object.keys(own.properties ?? {}).filter((name) => required.includes(name));
  if (changes.length === 0) return fc.constantFrom<unknown>(null, 1, 'text', [], true);
  return fc.oneof(
    fc.constantFrom<unknown>(null, 1, 'text', [], true, {}),
    fc.tuple(validValues(own, resolve), fc.constantFrom(...changes)).map(([value, name]) => {
      const { [name]: _dropped, ...others } = value as Record<string, unknown>;
      return others;
    }),
    fc
      .tuple(validValues(own, resolve), fc.constantFrom(...changes), wrong)
      .filter(([, name, value]) => !isLike(resolve(own.properties![name]!), value))
      .map(([fit, name, value]) => ({ ...(fit as object), [name]: value })),
  );
}

/** True if a value has the type of the schema and could therefore be valid. */
function isLike({ type, enum: values }: Schema, value: unknown): boolean {
  if (values) return values.includes(value);
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return false;
  return typeof value === type;
}
