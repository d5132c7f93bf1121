import type { RecordedCall, RecordEntry } from '../../contract/control/analysis/record.js';
import type { Operation } from '../../contract/public/operations.js';
import { parsed } from '../parts/json.js';
import { uuids } from '../parts/uuids.js';

/** Requests the control API. @param path without `/_sandbox` */
type Get = <T>(path: string) => Promise<T>;

/** Expressions in the test, by the recorded id that they replace. */
type References = ReadonlyMap<string, string>;

/** Maximum number of requests in a test. */
const maxRequests = 50;

/** The requests of a test in their order, and the resources of a new world that these requests name. */
interface Steps {
  readonly requests: readonly RecordedCall[];
  readonly initial: References;
  /** Name of the scenario of the world; null for the default scenario, and for an inline scenario. */
  readonly scenario: string | null;
}

/** Returns a vitest test that repeats the requests of an operation, with the recorded responses and statuses as expectations. */
export async function laneAsTest(operation: Operation, calls: readonly RecordEntry[], get: Get): Promise<string> {
  const steps = await stepsOf(calls, get);
  const writer = new TestWriter(operation, steps);
  for (const request of steps.requests) writer.add(request);
  return writer.text();
}

const isWrite = (entry: RecordEntry): entry is RecordedCall =>
  (entry.kind === 'REQUEST' || entry.kind === 'CONTROL') && entry.method !== 'GET' && entry.response !== null;

/**
 * Returns the requests about an operation, their retries, and the requests that created the resources which these requests name.
 * @throws Error if a request cannot be repeated
 */
async function stepsOf(calls: readonly RecordEntry[], get: Get): Promise<Steps> {
  const requests = new Map(calls.filter(isWrite).map((request) => [request.id, request]));
  const initial = new Map<string, string>();
  const listed = await initialIds(get);
  const known = new Set<string>();
  const recorded = async (filters: string) => {
    const { data } = await get<{ data: RecordEntry[] }>(`/requests?limit=100&sortOrder=ASCENDING&filters=${encodeURIComponent(filters)}`);
    return data.filter(isWrite);
  };
  // The map grows during the loop.
  for (const request of requests.values()) {
    if (requests.size > maxRequests) throw new Error(`The operation has more than ${maxRequests} requests.`);
    checkRepeatable(request);
    const key = request.idempotencyKey;
    if (key !== null) for (const retry of await recorded(`idempotencyKey[eq]=${key}`)) requests.set(retry.id, retry);
    for (const id of namedIds(request)) {
      if (known.has(id)) continue;
      known.add(id);
      const creator = (await recorded(`caused.id[eq]=${id}`)).find((each) => !namedIds(each).has(id));
      if (creator) requests.set(creator.id, creator);
      else if (listed.has(id)) initial.set(id, listed.get(id)!);
    }
  }
  const [{ name }, { data: scenarios }] = await Promise.all([
    get<{ name: string }>('/scenario'),
    get<{ data: { name: string }[] }>('/scenarios'),
  ]);
  const isNamed = name !== 'default' && scenarios.some((each) => each.name === name);
  const inOrder = [...requests.values()].toSorted((a, b) => a.seq - b.seq);
  return { requests: inOrder, initial, scenario: isNamed ? name : null };
}

/** Returns the ids that a request names. */
const namedIds = ({ path, body }: RecordedCall): ReadonlySet<string> => new Set(`${path} ${body?.text ?? ''}`.match(uuids));

function checkRepeatable({ method, path, body }: RecordedCall): void {
  const problem = body?.file ? 'it uploads a file' : body?.truncated ? 'its recorded body is incomplete' : null;
  if (problem !== null) throw new Error(`${method} ${path} cannot be repeated by a test: ${problem}.`);
}

interface Holder {
  readonly id: string;
  readonly paymentInstructions?: readonly { readonly id: string }[];
}

/** Returns expressions for the accounts and beneficiaries of a world by their position, which is the same in each new world. */
async function initialIds(get: Get): Promise<References> {
  const ids = new Map<string, string>();
  for (const list of ['accounts', 'beneficiaries'] as const) {
    const { data } = await get<{ data: Holder[] }>(`/${list}?limit=100&sortOrder=ASCENDING`);
    for (const [index, { id, paymentInstructions = [] }] of data.entries()) {
      ids.set(id, `${list}[${index}]!.id`);
      for (const [at, each] of paymentInstructions.entries()) ids.set(each.id, `${list}[${index}]!.paymentInstructions[${at}]!.id`);
    }
  }
  return ids;
}

/** Writes the source of a test. */
class TestWriter {
  readonly #operation: Operation;
  readonly #references: Map<string, string>;
  readonly #steps: Steps;
  readonly #sharedKeys: ReadonlyMap<string, string>;
  readonly #lines: string[] = [];
  readonly #names = new Map<string, number>();
  /** Number of statuses that the operation has reached in the test. */
  #reached = 0;

  constructor(operation: Operation, steps: Steps) {
    this.#operation = operation;
    this.#steps = steps;
    this.#references = new Map(steps.initial);
    const keys = steps.requests.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
    const shared = new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
    this.#sharedKeys = new Map(Array.from(shared, (key, index) => [key, `key${index + 1}`]));
  }

  /** Adds a request and the expectations about its response. */
  add(request: RecordedCall): void {
    if (request.kind === 'CONTROL') this.#addControl(request);
    else this.#addPublic(request);
    this.#lines.push('');
  }

  #addControl(request: RecordedCall): void {
    const { method, path, params, operationId, response, status, body } = request;
    this.#runBefore(request);
    const name = this.#nameFor(operationId ?? 'control');
    let template = path;
    for (const [parameter, value] of Object.entries(params)) template = template.replace(value, `{${parameter}}`);
    const options = { params: { path: params }, ...(body === null ? {} : { body: parsed(body.text) }) };
    this.#lines.push(`const ${name} = await world.control.${method}(${quoted(template)}, ${this.#literal(options, '')});`);
    this.#lines.push(`expect(${name}.response.status).toBe(${status});`);
    this.#read(response, `${name}.data!`);
  }

  #addPublic(request: RecordedCall): void {
    const { method, path, operationId, response, status, code } = request;
    const { ruleId, effect, outcome, originalStatus } = response!;
    const name = this.#nameFor(operationId ?? 'response');
    const isAfter = outcome === 'LOST' && originalStatus < 400;
    if (ruleId?.startsWith('fault:') && effect !== null) {
      const fault = { on: 'REQUEST', when: { operationId }, times: 1, ...(isAfter ? { phase: 'after_commit' } : {}), effect };
      this.#lines.push(`await world.fault(${this.#literal(fault, '')});`);
    }
    const sent = `send(${quoted(method)}, ${this.#text(path)}${this.#options(request)})`;
    // The outcome is also LOST if an error replaced the response, but the client can read the error.
    const isReadable = !['connectionReset', 'truncate', 'malformedJson'].some((each) => effect?.[each] === true);
    if (outcome === 'LOST' && !isReadable) {
      this.#lines.push(`await expect(${sent}).rejects.toThrow();`);
      return;
    }
    this.#lines.push(`const ${name} = await ${sent};`, `expect(${name}.status).toBe(${status});`);
    if (code !== null) this.#lines.push(`expect(${name}.body.code).toBe(${quoted(code)});`);
    this.#read(response, `${name}.body`);
  }

  text(): string {
    const { id, intent, states, currentState } = this.#operation;
    const { initial, scenario } = this.#steps;
    const title = `${intent.type.toLowerCase()} ends as ${currentState.status}`;
    const lists = ['accounts', 'beneficiaries'].filter((list) => [...initial.values()].some((each) => each.startsWith(`${list}[`)));
    const ownId = this.#references.get(id);
    const ending =
      ownId === undefined
        ? []
        : [
            `const operation = await world.operation(${ownId}).runTo(${quoted(currentState.status)});`,
            `expect(operation.states.map(({ status }) => status)).toEqual([${states.map(({ status }) => quoted(status)).join(', ')}]);`,
          ];
    const body = [
      'const token = await world.accessToken();',
      sender,
      ...lists.map((list) => `const ${list} = (await world.control.GET('/_sandbox/${list}', oldestFirst)).data!.data;`),
      ...[...this.#sharedKeys.values()].map((key) => `const ${key} = crypto.randomUUID();`),
      ...(scenario === null ? [] : [`await world.scenario.use(${quoted(scenario)});`]),
      '',
      ...this.#lines,
      ...ending,
    ];
    return [
      "import { expect } from 'vitest';",
      "import { test } from 'crossborder-sandbox/vitest';",
      '',
      ...(lists.length > 0 ? ["const oldestFirst = { params: { query: { limit: 100, sortOrder: 'ASCENDING' } } } as const;", ''] : []),
      `test(${quoted(title)}, async ({ world }) => {`,
      ...body.flatMap((each) => each.split('\n')).map((line) => (line === '' ? '' : `  ${line}`)),
      '});',
      '',
    ].join('\n');
  }

  /** Advances the clock to the status in which a control request found the operation. */
  #runBefore({ at }: RecordedCall): void {
    const { id, states } = this.#operation;
    const before = states.findLastIndex(({ createdAt }) => at !== null && createdAt < at);
    const ownId = this.#references.get(id);
    if (ownId !== undefined && before >= this.#reached)
      this.#lines.push(`await world.operation(${ownId}).runTo(${quoted(states[before]!.status)});`);
  }

  /** Reads a response: later requests can refer to its ids. */
  #read(response: RecordedCall['response'], path: string): void {
    const body = parsed(response?.body?.text);
    this.#learn(body, path);
    const { id, states = [] } = (body ?? {}) as Partial<Operation>;
    if (id === this.#operation.id) this.#reached = states.length;
  }

  #nameFor(operationId: string): string {
    const short = operationId.startsWith('create') ? operationId.slice('create'.length) : operationId;
    const name = `${short[0]!.toLowerCase()}${short.slice(1)}`;
    const times = (this.#names.get(name) ?? 0) + 1;
    this.#names.set(name, times);
    return times === 1 ? name : `${name}${times}`;
  }

  #options({ body, idempotencyKey }: RecordedCall): string {
    const key = idempotencyKey === null ? 'null' : this.#sharedKeys.get(idempotencyKey);
    const fields = [
      ...(body === null ? [] : [`body: ${this.#literal(parsed(body.text), '')}`]),
      ...(key === undefined ? [] : [`key: ${key}`]),
    ];
    return fields.length === 0 ? '' : `, { ${fields.join(', ')} }`;
  }

  /** Remembers the ids in a response, so that later requests can refer to them. */
  #learn(value: unknown, path: string): void {
    if (typeof value === 'string' && value.length === 36 && value.match(uuids) && !this.#references.has(value))
      this.#references.set(value, path);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, each] of Object.entries(value)) this.#learn(each, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`);
  }

  /** Returns a string as source, with references in place of ids. */
  #text(text: string): string {
    const whole = this.#references.get(text);
    if (whole !== undefined) return whole;
    let hasReference = false;
    const parts = text.replaceAll(/[\\`$]/g, String.raw`\$&`).replaceAll(uuids, (id) => {
      const reference = this.#references.get(id);
      hasReference ||= reference !== undefined;
      return reference === undefined ? id : `\${${reference}}`;
    });
    return hasReference ? `\`${parts}\`` : quoted(text);
  }

  /** Returns a value as source, with references in place of ids. */
  #literal(value: unknown, indent: string): string {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const deeper = `${indent}  `;
    const isList = Array.isArray(value);
    const parts = Object.entries(value).map(([name, each]) => {
      const source = this.#literal(each, deeper);
      return isList ? source : `${/^[a-z_]\w*$/i.test(name) ? name : quoted(name)}: ${source}`;
    });
    const [open, close] = isList ? '[]' : '{}';
    return parts.length === 0 ? `${open}${close}` : `${open}\n${deeper}${parts.join(`,\n${deeper}`)},\n${indent}${close}`;
  }
}

const quoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;

/** The function of the test that sends a request. */
const sender = `const send = async (method: string, path: string, { body, key = crypto.randomUUID() }: { body?: unknown; key?: string | null } = {}) => {
  const response = await fetch(world.url + path, {
    method,
    headers: {
      Authorization: \`Bearer \${token}\`,
      'Content-Type': 'application/json',
      ...(key === null ? {} : { 'X-Idempotency-Key': key }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};`;
