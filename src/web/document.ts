import type { OpenAPIHono } from '@hono/zod-openapi';
import { allowNulls } from './nullable-fields.js';

/** As much of a schema as is looked at. */
interface JsonSchema {
  readonly $ref?: string;
  readonly type?: unknown;
}
interface MediaType {
  schema?: JsonSchema;
  example?: unknown;
  examples?: Record<string, unknown>;
}
interface Shared {
  $ref: string;
}
interface ResponseObject {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, MediaType>;
}
interface Operation {
  parameters?: ({ name: string; in: string } | Shared)[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, ResponseObject | Shared>;
}

/** As much of an OpenAPI document as is worked on here. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { schemas: object } & Record<string, Record<string, unknown>>;
}

/** What a plane says of itself. */
export interface PlaneTitle {
  readonly title: string;
  readonly description: string;
  readonly tags: { name: string; description: string }[];
}

/** The OpenAPI document of a plane's app. */
export function writeDocument(app: OpenAPIHono, { title, description, tags }: PlaneTitle): object {
  const generated = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    tags,
    servers: [{ url: 'http://localhost:4010', description: 'A sandbox on this machine' }],
  });
  return finishDocument(generated);
}

/**
 * Says what several operations of a generated document have in common once.
 * Parameters, headers and responses that are equal become components; so do all examples of refusals.
 */
function finishDocument<T extends object>(generated: T): T {
  const document = structuredClone(generated) as T & ApiDocument;
  const operations = [...Object.values(document.paths), ...Object.values(document.webhooks ?? {})].flatMap((item) => Object.values(item));
  separateNull(document.components.schemas);
  allowNulls(document);

  const components: Record<string, Record<string, unknown>> = document.components;
  const share = <V extends object>(kind: string, name: string, value: V): V | Shared => {
    const shared = (components[kind] ??= {});
    const text = JSON.stringify(value);
    let free = name;
    for (let other = 2; shared[free] !== undefined && JSON.stringify(shared[free]) !== text; other += 1) free = `${name}${other}`;
    shared[free] = value;
    return { $ref: `#/components/${kind}/${free}` };
  };
  for (const response of operations.flatMap((each) => Object.values(each.responses))) {
    if ('$ref' in response) continue;
    response.headers = mapValues(response.headers ?? {}, (header, name) => share('headers', name, header));
    for (const body of Object.values(response.content ?? {})) {
      if (body.examples) body.examples = mapValues(body.examples, (example, name) => share('examples', name, example as object));
    }
  }
  const isCommon = commonIn(operations);
  for (const operation of operations) {
    if (operation.parameters) {
      operation.parameters = operation.parameters.map((each) =>
        isCommon(each) && 'name' in each ? share('parameters', each.name, each) : each,
      );
    }
    operation.responses = mapValues(operation.responses, (response) =>
      isCommon(response) && 'description' in response ? share('responses', componentName(response), response) : response,
    );
  }
  return document;
}

/** The generator writes "a named shape or null" as both at once, which nothing can be. */
function separateNull(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    const { allOf: [named, { type, ...rest } = {}] = [] } = (each ?? {}) as { allOf?: JsonSchema[] };
    if (named?.$ref !== undefined && Array.isArray(type) && type.includes('null'))
      Object.assign(value, { [name]: { anyOf: [named, { type: 'null' }], ...rest } });
    else separateNull(each);
  }
}

/** Tells of a parameter or response whether more than one operation has it. */
function commonIn(operations: readonly Operation[]): (value: object) => boolean {
  const counts = new Map<string, number>();
  for (const { parameters, responses } of operations) {
    for (const each of [...(parameters ?? []), ...Object.values(responses)]) {
      const text = JSON.stringify(each);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return (value) => (counts.get(JSON.stringify(value)) ?? 0) > 1;
}

/** The name of a shared response: its shape, or the codes it tells of, `InvalidDataOrInvalidFilterFormat`, and whether it can be a replay. */
function componentName({ description, headers, content }: ResponseObject): string {
  const shape = content?.['application/json']?.schema?.$ref;
  const name =
    shape?.endsWith('/InvalidData') === false
      ? shape.slice(shape.lastIndexOf('/') + 1)
      : description.split(', ').map(capitalized).join('Or');
  return `${name}${headers && 'X-Idempotent-Replay' in headers ? 'OrReplay' : ''}`;
}

/** The words of a code or of a sentence's beginning as one name: `InvalidData`. */
function capitalized(text: string): string {
  const words = text.split(/[;.]/)[0]!.split(/[_ ]/);
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()).join('');
}

function mapValues<V, W>(record: Readonly<Record<string, V>>, change: (value: V, name: string) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}
