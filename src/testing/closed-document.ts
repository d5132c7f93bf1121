/** The fields of a JSON schema that {@link closedDocument} reads or changes. */
interface Schema {
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, unknown>;
  required?: string[];
  additionalProperties?: unknown;
}

/**
 * Returns an OpenAPI document whose objects allow only the listed fields. The published documents leave objects open, because clients must
 * accept new fields; tests of the sandbox must detect undocumented fields.
 */
export function closedDocument(document: unknown): unknown {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema;
    const steps = schema.$ref.split('/').slice(1);
    return resolve(steps.reduce<unknown>((each, name) => (each as Record<string, unknown>)[name], document) as Schema);
  };
  /** Returns the parts of a composed object, inherited parts first. */
  const partsOf = (schema: Schema): Schema[] => [
    ...(schema.allOf ?? []).flatMap((each) => partsOf(resolve(each))),
    ...(schema.$ref !== undefined && schema.properties ? partsOf(resolve({ $ref: schema.$ref })) : []),
    schema,
  ];
  const close = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(close);
    const entries = Object.entries(value).map(([name, each]) => [name, /^(examples?|if|then|else|not)$/.test(name) ? each : close(each)]);
    const closed = Object.fromEntries(entries) as Schema;
    const parts = partsOf(value as Schema).filter((each) => typeof each.properties === 'object');
    if (parts.length === 0 || parts.some((each) => each.additionalProperties !== undefined)) return closed;
    // Merge a composed object: each closed part alone would reject the fields of the other parts.
    const { allOf: _composed, $ref: _named, ...own } = closed;
    return {
      ...own,
      type: 'object',
      properties: close(Object.assign({}, ...parts.map((each) => each.properties))),
      required: [...new Set(parts.flatMap((each) => each.required ?? []))],
      additionalProperties: false,
    };
  };
  return close(document);
}
