import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { stringify } from 'yaml';
import type { Shared, Parameter, Operation, ApiDocument } from './api-document.js';
import { allowNulls } from './nullable-fields.js';
import { plain } from './plain-schema.js';
import { exampleName } from './route.js';
import { registerShapes } from './shapes.js';

/** What a plane says of itself. */
export interface PlaneTitle {
  readonly title: string;
  /** The version of the contract. */
  readonly version: string;
  readonly description: string;
  readonly tags: { name: string; description: string }[];
}

const webhookPrefix = '/webhooks/';

/** Where to register a webhook, as a path: the generator would write webhooks before the shapes that they are made of. */
export const webhookPath = (name: string) => `${webhookPrefix}${name}`;

/**
 * The OpenAPI document of a plane's app.
 * @param shapes those that are only referred to by their names
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
      contact: { name: 'Whoever runs this sandbox', url: 'http://localhost:4010/docs' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    tags,
    servers: [{ url: 'http://localhost:4010', description: 'A sandbox on this machine, at its usual port.' }],
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

/** A document as YAML that readers of YAML 1.1 and of 1.2 take alike: the country `NO` is a text to both. */
export function yamlText(document: unknown): string {
  return stringify(document, { version: '1.1', aliasDuplicateObjects: false });
}

/** How the refusals of a status are called where several operations share them. */
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
 * Says what several operations of a document have in common once: headers, parameters, and of each status the refusal that
 * most operations share. Names stay what they are, without numbers behind them, since generators make types of them.
 */
function shareCommonParts(document: ApiDocument): void {
  const operations = [...Object.values(document.paths), ...Object.values(document.webhooks ?? {})].flatMap((item) => Object.values(item));
  const components: Record<string, Record<string, unknown>> = document.components;
  const share = (kind: string, name: string, value: object): Shared => {
    const shared = (components[kind] ??= {});
    if (JSON.stringify((shared[name] ??= value)) !== JSON.stringify(value))
      throw new Error(`Two different ${kind} are called ${name}. Give one of them another name.`);
    return { $ref: `#/components/${kind}/${name}` };
  };
  for (const response of operations.flatMap((each) => Object.values(each.responses)))
    if ('description' in response) response.headers = mapValues(response.headers ?? {}, (header, name) => share('headers', name, header));

  for (const { parameters = [] } of operations) {
    parameters.forEach(saidOnce);
    parameters.forEach(giveExample);
  }
  const isCommon = commonIn(operations.flatMap(({ parameters = [] }) => parameters));
  const usual = usualRefusals(operations);
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

/** What a parameter says of itself, its schema need not say again. */
function saidOnce(parameter: Parameter | Shared): void {
  if ('schema' in parameter && parameter.schema?.description === parameter.description) delete parameter.schema?.description;
}

/** The name of a shared parameter: that of no schema, whatever its case, since generators write both as types. */
const componentName = (parameter: string) =>
  `${parameter.replaceAll(/(?:^|-)([a-z])/gi, (_, letter: string) => letter.toUpperCase())}Parameter`;

/** Moves the example of a parameter from its schema, where it would stand beside a `$ref`, to the parameter; its default is one as well. */
function giveExample(parameter: Parameter | Shared): void {
  if (!('schema' in parameter) || parameter.schema === undefined) return;
  const { example, default: usual } = parameter.schema;
  delete parameter.schema.example;
  const value = example ?? usual;
  if (value !== undefined) parameter.examples = { [exampleName]: { value } };
}

/** Tells of a value whether it is there more than once. */
function commonIn(values: readonly object[]): (value: object) => boolean {
  const counts = countsOf(values);
  return (value) => (counts.get(JSON.stringify(value)) ?? 0) > 1;
}

/** Of each status that refuses, the response that most operations give, as JSON; none where no two are equal. */
function usualRefusals(operations: readonly Operation[]): Map<string, string> {
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
