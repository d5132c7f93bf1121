import type { AnyRoute } from '../contract/shared/route.js';

/** The parts of a JSON schema from which types are written. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The parts of the OpenAPI document of the control API that the types are taken from. */
export interface ClientDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface DocumentedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** Names of schemas in the client, if they differ. */
const renamed: Readonly<Record<string, string>> = {
  ClientReport: 'Report',
  Document: 'SandboxDocument',
  ForcedReason: 'ReasonRequest',
  RecordEntry: 'RecordedEntry',
  RuleId: 'FindingRule',
  RulePattern: 'FindingRulePattern',
  SandboxQuote: 'Quote',
  World: 'WorldDescription',
};

/** Schemas that code by hand uses, in addition to those of the plain methods. */
const alsoTyped = [
  'AccountStatus',
  'Advance',
  'ClientReport',
  'Coverage',
  'Credentials',
  'Difference',
  'EventRequest',
  'EventType',
  'ListedWorld',
  'FaultRequest',
  'Findings',
  'InboxResponse',
  'InlineScenario',
  'ListenedAttempt',
  'ListenerAnswer',
  'NamedWorldRequest',
  'OperationStatus',
  'PageMeta',
  'PayerRequest',
  'Profile',
  'Reconciliation',
  'ReconcileRequest',
  'RecordedRequests',
  'Replay',
  'ReplayStep',
  'ReviewStatus',
  'RuleId',
  'ScenarioFile',
  'StreamItem',
  'StreamKind',
  'TimelineItem',
  'WorldRequest',
];

/** The handles, in the order of the file, with the path parameters that they know: the field of the handle, by parameter. */
const handles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sandbox: {},
  world: { worldName: 'name' },
  clock: {},
  operation: { operationId: 'id' },
  account: { accountId: 'id' },
  asset: { accountId: 'accountId', asset: 'code' },
  beneficiary: { beneficiaryId: 'id' },
  paymentInstruction: { paymentInstructionId: 'id' },
  document: { documentId: 'id' },
  ubo: { uboId: 'id' },
  quote: { quoteId: 'id' },
  delivery: { deliveryId: 'id' },
  subscription: { subscriptionId: 'id' },
  inbox: { inboxName: 'name' },
  fault: { faultId: 'id' },
  snapshot: { snapshotName: 'name' },
  requests: {},
  scenario: {},
  settings: {},
  state: {},
};

/** Types of the fields of handles that are not strings. */
const fieldTypes: Readonly<Record<string, string>> = { code: 'AssetCode' };

const nameOf = (schema: string) => renamed[schema] ?? schema;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a sentence in the third person: `Delete a fault` becomes `Deletes a fault`. */
function inThirdPerson(sentence: string): string {
  const [verb = '', ...rest] = sentence.split(' ');
  if (verb === 'Get') return ['Returns', ...rest].join(' ');
  const third = verb.endsWith('y') ? `${verb.slice(0, -1)}ies` : /(s|sh|ch|x)$/.test(verb) ? `${verb}es` : `${verb}s`;
  return [third, ...rest].join(' ');
}

/** Returns a comment of lines of at most `width` characters. */
function comment(text: string, indent: string, width = 136): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.replaceAll('*/', '*\\/').split(/[ \n]+/)) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */`
    : [`${indent}/**`, ...lines.map((each) => `${indent} * ${each}`), `${indent} */`].join('\n');
}

/** Writes the plain methods of the client, which send one request each, and the types that they use. */
class ClientSource {
  readonly #document: ClientDocument;
  readonly #used = new Set<string>();

  constructor(document: ClientDocument) {
    this.#document = document;
  }

  /** Returns the type of a schema in the client. @throws Error if the schema needs a name */
  #typeOf(schema: Schema): string {
    // A request may also contain null for a field that is left out.
    const { $ref, items } = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
    const type = typeof schema.type === 'string' ? schema.type : schema.type?.find((each) => each !== 'null');
    if ($ref !== undefined) {
      const name = $ref.split('/').at(-1)!;
      this.#used.add(name);
      return nameOf(name);
    }
    if (type === 'array' && items) return `${this.#typeOf(items)}[]`;
    if (type === 'integer' || type === 'number') return 'number';
    if (type === 'string' || type === 'boolean') return type;
    throw new Error(`A schema of a client method has no name: ${JSON.stringify(schema)}`);
  }

  /** Returns the schema itself for a reference to one. */
  #resolved(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.#document.components.schemas[schema.$ref.split('/').at(-1)!]!;
  }

  /** Returns the schema of a field; undefined if the schema has no such field. @param path names separated by dots */
  #fieldOf(schema: Schema | undefined, path: string): Schema | undefined {
    return path.split('.').reduce<Schema | undefined>((each, name) => each && this.#resolved(each).properties?.[name], schema);
  }

  /** Returns the source of a plain method. */
  method(
    route: AnyRoute,
    name: string,
    given: string | undefined,
    result: string | undefined,
    bound: Readonly<Record<string, string>>,
  ): string {
    const { method, path, status, operationId, summary, description, errors } = route;
    const documented = this.#document.paths[path]![method]!;
    const parameters = (documented.parameters ?? []).map((each) =>
      each.$ref === undefined ? each : this.#document.components.parameters[each.$ref.split('/').at(-1)!]!,
    );
    const body = documented.requestBody?.content?.['application/json']?.schema;
    const response = documented.responses[String(status)]?.content?.['application/json']?.schema;
    const inPath = Object.fromEntries(Object.entries(bound).filter(([parameter]) => path.includes(`{${parameter}}`)));
    const params: string[] = Object.entries(inPath).map(([parameter, field]) => `${parameter}: this.${field}`);
    const throwing = errors.filter((code) => code !== 'INVALID_FILTER_FORMAT');
    const text = `${inThirdPerson(summary)}. ${description}${throwing.length === 0 ? '' : ` @throws SandboxError ${throwing.join(', ')}`}`;
    const doc = comment(text, '  ');
    if (given === undefined) {
      const item = this.#typeOf(this.#fieldOf(response, 'data')!.items!);
      const where = params.length === 0 ? '' : `path: { ${params.join(', ')} }, `;
      return `${doc}
  ${name}(query: ListQuery = {}): Paged<${item}> {
    return new Paged(query, (page, signal) => answered(this.client.${method.toUpperCase()}('${path}', { params: { ${where}query: page }, signal })));
  }`;
    }
    const args: string[] = [];
    const query: string[] = [];
    const fields: string[] = [];
    let whole: string | undefined;
    const unbound = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, each]) => each!).filter((each) => !(each in inPath));
    for (const each of given === '' ? [] : given.split(', ')) {
      const isOptional = each.endsWith('?');
      const field = each.replace('?', '');
      const argument = field.split('.').at(-1)!;
      const asked = parameters.find((one) => one.in === 'query' && one.name === field);
      const schema = this.#fieldOf(body, field);
      let type: string;
      if (unbound.length > 0) {
        const parameter = unbound.shift()!;
        params.push(parameter === argument ? argument : `${parameter}: ${argument}`);
        type = this.#typeOf(parameters.find((one) => one.in === 'path' && one.name === parameter)!.schema);
      } else if (asked) {
        query.push(argument);
        type = this.#typeOf(asked.schema);
      } else if (schema) {
        fields.push(field);
        type = this.#typeOf(schema);
      } else if (body) {
        whole = argument;
        type = this.#typeOf(body);
      } else throw new Error(`${operationId}: the request has no ${field}.`);
      args.push(`${argument}${isOptional ? '?' : ''}: ${type}`);
    }
    const parts = [
      ...(params.length + query.length === 0 ? [] : [`params: ${objectOf({ path: listed(params), query: literalOf(query, given) })}`]),
      ...(whole === undefined ? [] : [`body: ${whole}`]),
      ...(fields.length === 0 ? [] : [`body: ${bodyOf(fields, given)}`]),
      'signal',
    ];
    const call = `answered(this.client.${method.toUpperCase()}('${path}', { ${parts.join(', ')} }))`;
    const signature = [...args, '{ signal = null }: CallOptions = {}'].join(', ');
    if (response === undefined) return `${doc}\n  async ${name}(${signature}): Promise<void> {\n    await ${call};\n  }`;
    if (result === undefined) return `${doc}\n  ${name}(${signature}): Promise<${this.#typeOf(response)}> {\n    return ${call};\n  }`;
    const type = this.#typeOf(this.#fieldOf(response, result)!);
    return `${doc}\n  async ${name}(${signature}): Promise<${type}> {\n    return (await ${call}).${result};\n  }`;
  }

  /** Returns the source of the class of a handle. */
  #handle(handle: string, routes: readonly AnyRoute[]): string {
    const bound = handles[handle]!;
    const methods = routes.map((route) => {
      const [, name, given, result] = /^\w+\.(\w+)(?:\(([^()]*)\)(?:\.(\w+))?)?$/.exec(route.client!) ?? [];
      if (name === undefined) throw new Error(`${route.operationId}: "${route.client}" is not a method of the client.`);
      return this.method(route, name, given, result, bound);
    });
    const fields = Object.values(bound).map((field) => [field, fieldTypes[field] ?? 'string'] as const);
    for (const [, type] of fields) if (type !== 'string') this.#used.add(type);
    return `${comment(`The requests of the handle \`${handle}\` with one method each.`, '')}
export abstract class ${capital(handle)}Calls {
${fields.map(([field, type]) => `  readonly ${field}: ${type};`).join('\n')}
  protected readonly client: Control;

  constructor(${['client: Control', ...fields.map(([field, type]) => `${field}: ${type}`)].join(', ')}) {
    this.client = client;
${fields.map(([field]) => `    this.${field} = ${field};`).join('\n')}
  }

${methods.join('\n\n')}
}`;
  }

  /** Returns the source of all handles. */
  calls(routes: readonly AnyRoute[]): string {
    const of = new Map<string, AnyRoute[]>();
    for (const route of routes) {
      const handle = route.client?.split('.')[0];
      if (handle !== undefined) of.set(handle, [...(of.get(handle) ?? []), route]);
    }
    const unknown = [...of.keys()].filter((handle) => !(handle in handles));
    if (unknown.length > 0) throw new Error(`There is no handle ${unknown.join(', ')} in the client.`);
    const classes = Object.keys(handles).flatMap((handle) => (of.has(handle) ? [this.#handle(handle, of.get(handle)!)] : []));
    return `${written}
import { answered, defined, type CallOptions, type Control } from './caller.js';
import { Paged, type ListQuery } from './paged.js';
import type { ${[...this.#used].map(nameOf).toSorted().join(', ')} } from './types.js';

${classes.join('\n\n')}
`;
  }

  /** Returns the source of the types. */
  types(): string {
    const names = [...new Set([...this.#used, ...alsoTyped])].toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
    const aliases = names.map((name) => {
      const { description } = this.#document.components.schemas[name]!;
      return `${comment((description ?? name).split('\n')[0]!, '')}\nexport type ${nameOf(name)} = Schemas['${name}'];`;
    });
    return `${written}
import type { components } from 'crossborder-sandbox/types/control';

type Schemas = components['schemas'];

${aliases.join('\n')}
`;
  }
}

/** The first line of a written file. */
const written = '// Written by npm run openapi from the routes in src/contract/control. Do not edit.';

/** Returns the source of an object with these properties; null without any. */
const listed = (properties: readonly string[]) => (properties.length === 0 ? null : `{ ${properties.join(', ')} }`);

/** Returns the source of an object with these properties, without those that are null. */
function objectOf(properties: Readonly<Record<string, string | null>>): string {
  return listed(Object.entries(properties).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])))!;
}

/** Returns the source of an object of arguments, without optional ones that are undefined; null without any. */
function literalOf(names: readonly string[], given: string): string | null {
  const isOptional = (name: string) => given.split(', ').includes(`${name}?`);
  const optional = listed(names.filter(isOptional));
  const required = names.filter((name) => !isOptional(name));
  if (optional === null) return listed(required);
  return required.length === 0 ? `defined(${optional})` : listed([...required, `...defined(${optional})`]);
}

/** Returns the source of a body of arguments. Fields of a nested object all have the same parent. */
function bodyOf(fields: readonly string[], given: string): string {
  const [parent = '', child] = fields[0]!.split('.');
  return child === undefined ? literalOf(fields, given)! : `{ ${parent}: ${listed(fields.map((each) => each.split('.')[1]!))} }`;
}

/** Returns the sources that the routes determine: plain methods of the client, their types, and plain commands. By file name. */
export function clientSources(routes: readonly AnyRoute[], document: ClientDocument): Readonly<Record<string, string>> {
  const source = new ClientSource(document);
  const calls = source.calls(routes);
  const commands = routes.flatMap(({ method, path, summary, cli }) =>
    cli === undefined ? [] : [{ method: method.toUpperCase(), path, ...cli, summary: cli.summary ?? `${summary}.` }],
  );
  const lists = Object.fromEntries(
    routes.flatMap(({ path, columns }) => (columns === undefined ? [] : [[path.split('/').at(-1)!, columns]])),
  );
  return {
    'src/client/calls.ts': calls,
    'src/client/types.ts': source.types(),
    'src/cli/plain-commands.ts': `${written}
import type { PlainCommand } from './plain-verb.js';

/** The commands that send one request. */
export const plainCommands: readonly PlainCommand[] = ${JSON.stringify(commands)};

/** The lists that \`get\` shows, with the field in each column. */
export const listColumns = ${JSON.stringify(lists)} as const;
`,
  };
}
