/** The parts of an OpenAPI schema that the page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Ref {
  readonly $ref?: string;
}

interface Parameter extends Ref {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Answer extends Ref {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Name of the API that a document describes. */
export type PlaneName = 'public' | 'control';

/** An operation or a webhook event. References to parameters and responses are resolved. */
export interface Operation extends Described {
  readonly anchor: string;
  readonly plane: PlaneName;
  /** HTTP method in capitals; EVENT for a webhook. */
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

interface ErrorCode {
  readonly anchor: string;
  readonly code: string;
  readonly meaning: string;
  readonly cause: string;
  readonly remedy: string;
}

/** The parts of an OpenAPI document, as the page shows them. */
export interface Contract {
  readonly plane: PlaneName;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly groups: readonly {
    readonly anchor: string;
    readonly name: string;
    readonly description: string;
    readonly operations: readonly Operation[];
  }[];
  readonly shapes: readonly { readonly anchor: string; readonly name: string; readonly schema: Schema }[];
  readonly codes: readonly ErrorCode[];
}

/** Returns the anchor of a name in the page. Anchors of the control API start with `control-`. */
export const anchorOf = (plane: PlaneName, kind: '' | 'schema' | 'error', name: string): string =>
  [plane === 'control' ? 'control' : '', kind, name].filter(Boolean).join('-');

/** Returns the error codes from a table in a text: `| code | meaning | cause | remedy |`. */
function codesIn(plane: PlaneName, text: string): ErrorCode[] {
  return [...text.matchAll(/^\| `([A-Z_]+)` \| (.*?) \| (.*?) \| (.*?) \|$/gm)].map(
    ([, code = '', meaning = '', cause = '', remedy = '']) => ({
      anchor: anchorOf(plane, 'error', code),
      code,
      meaning,
      cause,
      remedy,
    }),
  );
}

/** Returns the parts of an OpenAPI document in the order of the page. References of operations are resolved. */
export function contractOf(plane: PlaneName, document: OpenApi): Contract {
  const resolve = <T extends Ref>(value: T): T => {
    if (value.$ref === undefined) return value;
    const steps = value.$ref.split('/').slice(1);
    return steps.reduce<unknown>((each, name) => (each as Record<string, unknown>)[name], document) as T;
  };
  const operation = (method: string, path: string, described: Described): Operation => ({
    ...described,
    anchor: anchorOf(plane, '', described.operationId),
    plane,
    method: method.toUpperCase(),
    path,
    parameters: (described.parameters ?? []).map(resolve),
    responses: Object.fromEntries(Object.entries(described.responses).map(([status, answer]) => [status, resolve(answer)])),
  });
  const operations = [
    ...Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => operation(method, path, each)),
    ),
    ...Object.entries(document.webhooks ?? {}).flatMap(([name, methods]) =>
      Object.values(methods).map((each) => operation('event', name, each)),
    ),
  ];
  const { schemas } = document.components;
  const names = Object.keys(schemas).toSorted();
  return {
    plane,
    ...document.info,
    groups: document.tags.map(({ name, description }) => ({
      anchor: anchorOf(plane, '', name),
      name,
      description,
      operations: operations.filter(({ tags }) => tags.includes(name)),
    })),
    shapes: names.map((name) => ({ anchor: anchorOf(plane, 'schema', name), name, schema: schemas[name]! })),
    codes: ['ErrorCode', 'ErrorItemCode'].flatMap((name) => codesIn(plane, schemas[name]?.description ?? '')),
  };
}
