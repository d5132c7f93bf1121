import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { stringify } from 'yaml';
import type { Shared, Parameter, Operation, ApiDocument } from './api-document.js';
import { allowNulls } from './nullable-fields.js';
import { plain } from './plain-schema.js';
import { exampleName } from './route.js';
import { registerShapes } from './shapes.js';

/** Title, version, description and tags of an API, for its OpenAPI document. */
export interface PlaneTitle {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly tags: { name: string; description: string }[];
}

const webhookPrefix = '/webhooks/';

/** Returns a path under which to register a webhook. The generator would write a real webhook before the schemas that it uses. */
export const webhookPath = (name: string) => `${webhookPrefix}${name}`;

/**
 * Returns the OpenAPI document of an app.
 * @param shapes schemas that are referenced only by name
 */
export function writeDocument(app: OpenAPIHono, { title, version, description, tags }: PlaneTitle, shapes: readonly z.ZodType[]): object {
  registerShapes(app.openAPIRegistry, shapes);
  const {
    paths,
    webhooks: _none,
    ...generated
  } = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      contact: { name: 'Operator of this sandbox', url: 'http://localhost:4010/docs' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    tags,
    servers: [{ url: 'http://localhost:4010', description: 'A sandbox on this machine, at its default port.' }],
  });
  const all = Object.entries(paths ?? {});
  const webhooks = all.flatMap(([path, item]) => (path.startsWith(webhookPrefix) ? [[path.slice(webhookPrefix.length), item]] : []));
  const document = plain({
    ...generated,
    paths: Object.fromEntries(all.filter(([path]) => !path.startsWith(webhookPrefix))),
    ...(webhooks.length === 0 ? {} : { webhooks: Object.fromEntries(webhooks) as object }),
  }) as unknown as ApiDocument;
  allowNulls(document);
  shareCommonParts(document);
  return document;
}

/** Formats a document as YAML that means the same in YAML 1.1 and 1.2: the country `NO` is a string in both. */
export function yamlText(document: unknown): string {
  return stringify(document, { version: '1.1', aliasDuplicateObjects: false });
}

/** Component names of shared error responses, by status. */
const refusalNames: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'TimedOut',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Refused',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
};

/**
 * Moves headers, parameters and the most frequent error response of each status to shared components.
 * Names get no numeric suffix, because generators use them as type names.
 */
function shareCommonParts(document: ApiDocument): void {
  const operations = [...Object.values(document.paths), ...Object.values(document.webhooks ?? {})].flatMap((item) => Object.values(item));
  const components: Record<string, Record<string, unknown>> = document.components;
  const share = (kind: string, name: string, value: object): Shared => {
    const shared = (components[kind] ??= {});
    if (JSON.stringify((shared[name] ??= value)) !== JSON.stringify(value))
      throw new Error(`Two different ${kind} have the name ${name}. Rename one of them.`);
    return { $ref: `#/components/${kind}/${name}` };
  };
  for (const response of operations.flatMap((each) => Object.values(each.responses)))
    if ('description' in response) response.headers = mapValues(response.headers ?? {}, (header, name) => share('headers', name, header));

  for (const { parameters = [] } of operations) {
    parameters.forEach(saidOnce);
    parameters.forEach(giveExample);
  }
  const isCommon = commonIn(operations.flatMap(({ parameters = [] }) => parameters));
  const usual = usualErrors(operations);
  for (const operation of operations) {
    if (operation.parameters)
      operation.parameters = operation.parameters.map((each) =>
        'name' in each && isCommon(each) ? share('parameters', componentName(each.name), each) : each,
      );
    operation.responses = mapValues(operation.responses, (response, status) =>
      'description' in response && usual.get(status) === JSON.stringify(response)
        ? share('responses', refusalNames[status] ?? `Status${status}`, response)
        : response,
    );
  }
}

/** Removes the description of a parameter's schema if it equals the description of the parameter. */
function saidOnce(parameter: Parameter | Shared): void {
  if ('schema' in parameter && parameter.schema?.description === parameter.description) delete parameter.schema?.description;
}

/**
 * Returns the component name of a parameter. The name must differ from all schema names, ignoring case, because generators create types for
 * both.
 */
const componentName = (parameter: string) =>
  `${parameter.replaceAll(/(?:^|-)([a-z])/gi, (_, letter: string) => letter.toUpperCase())}Parameter`;

/**
 * Moves the example of a parameter from its schema to the parameter, because an example must not be next to a `$ref`. Uses the default if
 * there is no example.
 */
function giveExample(parameter: Parameter | Shared): void {
  if (!('schema' in parameter) || parameter.schema === undefined) return;
  const { example, default: usual } = parameter.schema;
  delete parameter.schema.example;
  const value = example ?? usual;
  if (value !== undefined) parameter.examples = { [exampleName]: { value } };
}

/** Returns a function that checks if a value occurs more than once. */
function commonIn(values: readonly object[]): (value: object) => boolean {
  const counts = countsOf(values);
  return (value) => (counts.get(JSON.stringify(value)) ?? 0) > 1;
}

/** Returns the most frequent error response of each status as JSON; none for a status without two equal responses. */
function usualErrors(operations: readonly Operation[]): Map<string, string> {
  const statuses = new Set(operations.flatMap(({ responses }) => Object.keys(responses)).filter((status) => status >= '400'));
  return new Map(
    [...statuses].flatMap((status) => {
      const counts = countsOf(operations.flatMap(({ responses }) => responses[status] ?? []));
      const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
      return most && most[1] > 1 ? [[status, most[0]] as const] : [];
    }),
  );
}

function countsOf(values: readonly object[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of values.map((each) => JSON.stringify(each))) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function mapValues<V, W>(record: Readonly<Record<string, V>>, change: (value: V, name: string) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}
