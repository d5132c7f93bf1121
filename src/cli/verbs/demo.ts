import { randomUUID } from 'node:crypto';
import { send } from '../../client/caller.js';
import type { Connection } from '../../client/connection.js';
import { clientErrorCodes, SandboxError } from '../../client/error.js';
import type { OwnedWorld } from '../../client/owned-world.js';
import type { Operation, Quote } from '../../client/types.js';
import { withUsedCommand } from '../command-name.js';
import type { Invocation, Verb } from '../verb.js';

/** Number of worlds that the demo looks for a free name among: `demo`, `demo-2`, …. */
const maxNames = 100;

/** Default time to live of the world, without requests. */
const usualTtl = 'PT1H';

/** The world after the first free name: two demos at once get a world each. @throws SandboxError if all names are in use */
async function newWorld({ sandbox, given, signal }: Invocation): Promise<OwnedWorld> {
  const request = {
    fixtures: 'default' as const,
    scenario: 'default',
    clock: { mode: 'FROZEN' as const },
    ...(given.has('keep') ? {} : { ttl: usualTtl }),
  };
  const wanted = given.text('world');
  if (wanted !== undefined) return sandbox.createWorld({ ...request, name: wanted, signal });
  for (let number = 1; ; number += 1) {
    try {
      return await sandbox.createWorld({ ...request, name: number === 1 ? 'demo' : `demo-${number}`, signal });
    } catch (error) {
      if (!(error instanceof SandboxError && error.code === 'RESOURCE_ALREADY_EXISTS') || number === maxNames) throw error;
    }
  }
}

/** Width of the requests in front of their responses. */
const requestWidth = 36;

/** Plays the payment and shows each request with its response. */
class Demo {
  readonly #invocation: Invocation;
  readonly #api: Connection;
  #token = '';

  constructor(invocation: Invocation) {
    this.#invocation = invocation;
    this.#api = invocation.connection;
  }

  /** Shows a request with the status of its response, null without one. */
  step(request: string, status: number | null, meaning: string): void {
    const { out } = this.#invocation;
    const [method, path] = request.split(' ');
    const shown = status === null ? out.style('red', 'LOST') : `${out.status(String(status))} `;
    if (!out.isQuiet) out.item({ method, path, status, meaning }, `${request.padEnd(requestWidth)} ${shown} ${meaning}`, '');
  }

  /** Sends a request to the payments API. @throws SandboxError */
  async #call(method: string, path: string, body?: object, key?: string): Promise<{ status: number; body: unknown }> {
    const { url, timeoutMs, fetch } = this.#api;
    const headers = {
      ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'x-idempotency-key': key }),
    };
    const init = { method, headers, signal: this.#invocation.signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await send({ fetch, timeoutMs }, new Request(url + path, init));
    return { status: response.status, body: await response.json() };
  }

  async play(world: OwnedWorld): Promise<Operation> {
    const { signal } = this.#invocation;
    const token = await this.#call('POST', '/api/oauth/client/token', await world.credentials({ signal }));
    this.#token = (token.body as { accessToken: string }).accessToken;
    this.step('POST /api/oauth/client/token', token.status, 'an access token of this world');

    const accounts = await this.#call('GET', '/api/accounts?limit=1&sortOrder=ASCENDING');
    const [account] = (accounts.body as { data: [{ id: string; owner: { legalName: string }; currentState: { status: string } }] }).data;
    this.step('GET /api/accounts', accounts.status, `${account.owner.legalName}, ${account.currentState.status}`);

    const url = await world.inbox('demo').url({ signal });
    const subscription = await this.#call('POST', '/api/subscriptions', { url, includeAll: true }, randomUUID());
    this.step('POST /api/subscriptions', subscription.status, 'webhooks go to inbox demo, inside the sandbox');

    const amounts = { sourceAsset: 'USDT', targetAsset: 'BRL', targetAmount: '150.00' };
    const quote = await this.#call('POST', '/api/quotes', { accountId: account.id, ...amounts }, randomUUID());
    const { id: quoteId, sourceAmount } = quote.body as Quote;
    this.step('POST /api/quotes', quote.status, `150.00 BRL cost ${sourceAmount.value} USDT`);
    const operation = await this.#withdraw(world, account.id, quoteId);

    const { fired } = await world.clock.advance('PT1M', { signal });
    const reached = fired.flatMap((each) => (each.resource === 'OPERATION' ? [each.to] : []));
    this.step('POST /_sandbox/clock/advance', 200, `one minute later: ${reached.join(', then ')}`);
    const messages = await world.inbox('demo').waitFor({ count: 2, signal }); // There is no event about PROCESSING.
    const events = messages.map(({ headers }) => headers['x-event-type']);
    const validity = messages.every(({ signatureValid }) => signatureValid) ? 'signed' : 'with an invalid signature';
    this.step('GET /_sandbox/inbox/demo/messages', 200, `${events.length} webhooks, ${validity}: ${events.join(', ')}`);
    const { status, body } = await this.#call('GET', `/api/operations/${operation.id}`);
    const settled = body as Operation;
    this.step('GET /api/operations/{operationId}', status, `${settled.currentState.status}: paid once, although it was sent twice`);
    return settled;
  }

  /** Creates a withdrawal, loses the response, and recovers it with the same idempotency key. */
  async #withdraw(world: OwnedWorld, accountId: string, quoteId: string): Promise<Operation> {
    const { signal } = this.#invocation;
    const [approved] = await world.beneficiaries({ filters: 'status[eq]=APPROVED', signal }).all(1);
    const paymentInstruction = { type: 'REFERENCE', id: approved!.paymentInstructions[0]!.id };
    const body = { accountId, quoteId, beneficiary: { type: 'REFERENCE', id: approved!.id, paymentInstruction } };
    const lost = { on: 'REQUEST', when: { operationId: 'createWithdrawal' }, times: 1, phase: 'after_commit' } as const;
    await world.fault({ ...lost, effect: { connectionReset: true } }, { signal });
    this.step('POST /_sandbox/faults', 201, 'the sandbox will lose its next response to a withdrawal');
    const key = randomUUID();
    const pay = () => this.#call('POST', '/api/operations/withdrawal', body, key);
    const request = 'POST /api/operations/withdrawal';
    const first = await pay().catch((error: unknown) => {
      if (!(error instanceof SandboxError && error.code === clientErrorCodes.unreachable)) throw error;
    });
    if (first) throw new Error('The sandbox did not lose the response to the withdrawal.');
    this.step(request, null, 'the connection broke: is it paid or not?');
    const again = await pay();
    const operation = again.body as Operation;
    this.step(request, again.status, `same idempotency key, so the same payment: ${operation.currentState.status}`);
    return operation;
  }
}

export const demo: Verb = {
  name: 'demo',
  group: 'run',
  summary: 'Play one payment in a separate world: webhooks, a lost response and its recovery. Shows each request.',
  options: [{ name: 'keep', meaning: 'Keep the world. Default: it is deleted after an hour without a request.' }],
  examples: ['crossborder-sandbox demo', 'crossborder-sandbox demo --keep', 'crossborder-sandbox demo --json'],
  calls: [
    'POST /_sandbox/worlds',
    'GET /_sandbox/worlds/{worldName}',
    'POST /api/oauth/client/token',
    'GET /api/accounts',
    'GET /_sandbox',
    'POST /api/subscriptions',
    'POST /api/quotes',
    'GET /_sandbox/beneficiaries',
    'POST /_sandbox/faults',
    'POST /api/operations/withdrawal',
    'POST /_sandbox/clock/advance',
    'GET /_sandbox/inbox/{inboxName}/await',
    'GET /api/operations/{operationId}',
  ],
  run: async (invocation) => {
    const { sandbox, given, out, command } = invocation;
    const world = await newWorld(invocation);
    const play = new Demo(invocation);
    play.step('POST /_sandbox/worlds', 201, `world ${world.name}: its own data, and a frozen clock`);
    const { id } = await play.play(world);
    const url = `${sandbox.controlUrl}/_sandbox/console/${world.name}`;
    const next = ['why @last', 'logs', 'env'].map((verb) => `crossborder-sandbox ${verb} --world ${world.name}`);
    if (out.isJson) return out.item({ world: world.name, operationId: id, console: url, next }, '', '');
    if (out.isQuiet) return out.line(id);
    const meanings = ['why it is in its status', 'all that happened', 'URL and credentials for your application'];
    const width = Math.max(...next.map(({ length }) => length));
    for (const line of ['', `See it:  ${url}`, '', 'Next:']) out.line(line);
    for (const [index, line] of next.entries()) out.line(`  ${withUsedCommand(line.padEnd(width), command)}  ${meanings[index]}`);
    if (!given.has('keep')) out.line(`\nThe world is deleted after an hour without a request; --keep keeps it.`);
  },
};
