import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../server/server.js';
import { readSettings } from '../server/options.js';
import { closedDocument } from './closed-document.js';
import { root } from './root.js';
import { fixtureIds, withdrawalBody } from './withdrawals.js';
import { uploadForm } from './onboarding.js';
import { temporaryDirectory } from './process.js';

interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>>;
  };
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Judged {
  readonly status: number;
  readonly code: unknown;
  /** The proxy's messages about the request. */
  readonly ofRequest: string[];
  /** The proxy's messages about the response. */
  readonly ofAnswer: string[];
}

const document = JSON.parse(readFileSync(join(root, 'openapi/public.json'), 'utf8')) as {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
};
const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
);
const refusals = operations.flatMap((operation) =>
  Object.keys(operation.responses)
    .map(Number)
    .filter((status) => status >= 400 && status !== 405) // The proxy itself sends this response.
    .map((status) => [operation.operationId, status, operation] as const),
);

/** True for a false message: the proxy does not decode the JSON part of a multipart body and treats it as a string. */
const isMisjudged = (message: string) => message === 'body.body: Request body property body must be object';

describe('a validating proxy', () => {
  let server: RunningServer;
  let proxy: ChildProcess;
  let url: string;
  let token: string;
  const lines: string[] = [];

  beforeAll(async () => {
    server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
    const file = join(temporaryDirectory(), 'public.json');
    writeFileSync(file, JSON.stringify(closedDocument(document)));
    const port = await freePort();
    // Not a development dependency, because it is half as large as all other dependencies; `npm run test:proxy` downloads it.
    proxy = spawn('prism', ['proxy', file, server.url, '--port', String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: proxy.stdout! }).on('line', (line) => {
        lines.push(line);
        if (line.includes('Prism is listening')) resolve();
      });
      proxy.once('exit', () => reject(new Error(lines.join('\n'))));
    });
    url = `http://127.0.0.1:${port}`;
    const credentials = { clientId: 'sandbox', clientSecret: 'sandbox-secret' };
    const answer = await fetch(`${url}/api/oauth/client/token`, json(credentials));
    token = ((await answer.json()) as { accessToken: string }).accessToken;
  }, 60_000);
  afterAll(async () => {
    proxy.kill();
    await server.close();
  });

  /** Sends a request through the proxy and parses its verdict. Default headers: token and idempotency key. */
  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Judged> {
    const own = new Headers({ authorization: `Bearer ${token}`, ...(method === 'GET' ? {} : { 'x-idempotency-key': randomUUID() }) });
    const init = body === undefined ? {} : body instanceof FormData ? { body } : json(body);
    for (const [name, value] of Object.entries({ ...('headers' in init ? init.headers : {}), ...headers }))
      if (value === '') own.delete(name);
      else own.set(name, value);
    const answer = await fetch(url + path, { ...init, method, headers: own });
    const text = await answer.text();
    const verdict = JSON.parse(answer.headers.get('sl-violations') ?? '[]') as { location: string[]; message: string }[];
    const of = (part: string) =>
      verdict
        .filter(({ location }) => location[0] === part)
        .map(({ location, message }) => `${location.slice(1).join('.')}: ${message}`)
        .filter((message) => !isMisjudged(message));
    const code = answer.status < 400 ? undefined : (JSON.parse(text) as { code?: unknown }).code;
    return { status: answer.status, code, ofRequest: of('request'), ofAnswer: of('response') };
  }

  const control = async (path: string, body: unknown) => {
    const answer = await fetch(`${server.url}/_sandbox${path}`, json(body));
    expect(answer.ok).toBe(true);
    return answer;
  };
  const created = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'x-idempotency-key': randomUUID(), 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(201);
    return (await answer.json()) as { id: string };
  };

  /** Returns a valid request of an operation, with ids that do not exist. */
  function fitting({ path, requestBody }: Operation): [path: string, body: unknown] {
    const place = path.replaceAll(/\{[^}]+\}/g, () => randomUUID());
    const period = 'periodStart=2026-01-01T00:00:00Z&periodEnd=2026-02-01T00:00:00Z';
    const [mediaType, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    const holder = { type: 'ACCOUNT', referenceId: randomUUID() };
    const body =
      mediaType === 'multipart/form-data'
        ? uploadForm({ documentType: 'AML_POLICY', holder })
        : withOtherIds(media?.examples?.['success']?.value);
    return [path === '/api/reports' ? `${place}?${period}` : place, body];
  }

  /** One request for each operation with a rule that depends on state, which breaks that rule. */
  const againstRules: Readonly<Record<string, () => Promise<Judged>>> = {
    createUbo: () => send('POST', `/api/accounts/${ids().individual}/ubos`, bodyOf('createUbo')),
    updateUbo: () => send('PATCH', `/api/accounts/${ids().accountId}/ubos/${ids().ubo}`, { name: 'Another Name' }),
    uploadDocument: () => {
      const holder = { type: 'ACCOUNT', referenceId: ids().accountId };
      return send('POST', '/api/documents', uploadForm({ documentType: 'AML_POLICY', holder }));
    },
    createQuote: () =>
      send('POST', '/api/quotes', { accountId: ids().accountId, sourceAsset: 'PHP', targetAsset: 'GBP', sourceAmount: '0.01' }),
    createWithdrawal: async () =>
      send('POST', '/api/operations/withdrawal', withdrawalBody(ids().accountId, await quote(), ids().rejected)),
    createTransfer: () =>
      send('POST', '/api/operations/transfer', {
        sourceAccountId: ids().accountId,
        targetAccountId: ids().onboarding,
        amount: { value: '1.00', asset: 'BRL' },
      }),
    createSwap: async () => send('POST', '/api/operations/swap', { accountId: ids().accountId, quoteId: await quote() }),
    createDeposit: async () => {
      const body = { accountId: ids().accountId, quoteId: await quote(), fundingInstruction: { rail: 'SEPA' } };
      return send('POST', '/api/operations/deposit', body);
    },
    resendExecutionLog: async () => {
      const inbox = `${server.url}/_sandbox/inbox/judge`;
      const { id } = await created('/api/subscriptions', { url: inbox, includeAll: true });
      await control('/events', { eventType: 'OPERATION_COMPLETED', subscriptionId: id });
      await control('/deliveries/flush', {});
      const log = [...server.sandbox.world('default').state.executionLogs.values()].find((each) => each.subscriptionId === id);
      return send('POST', `/api/subscriptions/${id}/executionLogs/${log!.id}/resend`);
    },
  };
  const bodyOf = (operationId: string) => fitting(operations.find((each) => each.operationId === operationId)!)[1];
  const quote = async () =>
    (await created('/api/quotes', { accountId: ids().accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10.00' })).id;
  function ids() {
    const { accountId, accountIds, rejected } = fixtureIds(server);
    const { ubos } = server.sandbox.world('default').state;
    return { accountId, individual: accountIds[2]!, onboarding: accountIds[3]!, rejected, ubo: [...ubos.values()][0]!.id };
  }

  /** Causes an error with this status. `isRight` is true if the document allows the request. */
  async function provoke(operation: Operation, status: number): Promise<Judged & { isRight: boolean }> {
    const { operationId, method } = operation;
    const [path, body] = fitting(operation);
    switch (status) {
      case 400:
        if (body instanceof FormData) return { ...(await send(method, path, uploadForm(null))), isRight: false };
        if (body !== undefined) return { ...(await send(method, path, [])), isRight: false };
        if (method !== 'GET') return { ...(await send(method, path, undefined, { 'x-idempotency-key': '' })), isRight: false };
        return { ...(await send(method, `${path.split('?')[0]!.replaceAll(/[0-9a-f-]{36}/g, 'none')}?limit=0`)), isRight: false };
      case 401:
        if (operationId === 'createToken')
          return { ...(await send(method, path, { clientId: 'nobody', clientSecret: 'none' })), isRight: true };
        return { ...(await send(method, path, body, { authorization: '' })), isRight: false };
      case 404:
        return { ...(await send(method, path, body)), isRight: true };
      case 409: {
        const key = { 'x-idempotency-key': randomUUID() };
        await send(method, path, body, key);
        return { ...(await send(method, `${path}?again=1`, body, key)), isRight: true };
      }
      case 413:
        return { ...(await send(method, path, { much: 'x'.repeat(1024 * 1024) })), isRight: false };
      case 415:
        return { ...(await send(method, path, {}, { 'content-type': 'text/plain' })), isRight: false };
      case 422:
        return { ...(await againstRules[operationId]!()), isRight: true };
      default:
        await control('/faults', { on: 'REQUEST', when: { operationId }, times: 1, effect: { status } });
        return {
          ...(await send(method, path, operationId === 'createToken' ? { clientId: 'sandbox', clientSecret: 'sandbox-secret' } : body)),
          isRight: true,
        };
    }
  }

  it('reports only the invalid quote with two amounts in the whole journey of the generated client', async () => {
    const run = promisify(execFile);
    await run('npm', ['run', 'build:example'], { cwd: root });
    await run(process.execPath, [join(root, 'node_modules/.cache/example/journey.js'), url, server.url]);
    const violations = lines.filter((line) => line.includes('Violation: ') && !line.includes('request.body.body '));
    expect(violations.map((line) => line.split('Violation: ')[1])).toEqual(['request.body Request body must NOT be valid']);
    // The proxy reported the multipart body, which it cannot check, but passed the request to the sandbox.
    expect(lines.some((line) => line.includes('request.body.body '))).toBe(true);
  }, 60_000);

  it.each(refusals)('reports no violation in the response of %s with status %i', async (operationId, status, operation) => {
    if (operationId === 'uploadDocument' && status === 413) return; // The proxy accepts at most 10 MB.
    const judged = await provoke(operation, status);
    expect(judged).toMatchObject({ status, code: expect.stringMatching(/^[A-Z_]+$/), ofAnswer: [] });
    if (judged.isRight) expect(judged.ofRequest).toEqual([]);
    else if (status !== 413 && operationId !== 'uploadDocument') expect(judged.ofRequest).not.toEqual([]);
  });

  it.each([
    ['a field that is not in the document', { unknownFields: true }],
    ['a status that is not in the document', { status: 418 }],
    ['a code that is not in the document for the operation', { status: 401, code: 'INVALID_CREDENTIALS' }],
  ])('reports %s', async (_what, effect) => {
    await control('/faults', { on: 'REQUEST', when: { operationId: 'listSubscriptions' }, times: 1, effect });
    expect((await send('GET', '/api/subscriptions')).ofAnswer).not.toEqual([]);
    expect(await send('GET', '/api/subscriptions')).toMatchObject({ status: 200, ofAnswer: [], ofRequest: [] });
  });
});

/** Returns a copy of a value with ids that do not exist. */
function withOtherIds(value: unknown): unknown {
  if (value === undefined) return undefined;
  return JSON.parse(JSON.stringify(value).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, () => randomUUID()));
}

const json = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Returns a port without a listener. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
