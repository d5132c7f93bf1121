import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConnection } from './connection.js';
import { connect, SandboxError, startSandbox, type OwnedWorld, type RunningSandbox } from '../index.js';

let sandbox: RunningSandbox;
let world: OwnedWorld;
beforeAll(async () => {
  sandbox = await startSandbox();
  world = await sandbox.createWorld({ name: 'client', clock: { mode: 'FROZEN', now: '2100-01-01T12:00:00Z' } });
}, 60_000); // The first sandbox loads the whole server.
afterAll(() => sandbox.close());

/** Sends a request to the API as the client of a world. */
async function api(method: string, path: string, body?: unknown, of = world) {
  const { clientId, clientSecret } = await of.credentials();
  const send = (to: string, sent: unknown, headers: Record<string, string>) =>
    sandbox.fetch(
      new Request(of.url + to, {
        method: to === path ? method : 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      }),
    );
  const { accessToken } = (await (await send('/api/oauth/client/token', { clientId, clientSecret }, {})).json()) as { accessToken: string };
  const answer = await send(path, body, { authorization: `Bearer ${accessToken}`, 'x-idempotency-key': randomUUID() });
  return (await answer.json()) as Record<string, never> & { id: string };
}

async function withdraw(sourceAmount = '150.00', of = world): Promise<string> {
  const [beneficiary] = await of.beneficiaries({ filters: 'status[eq]=APPROVED' }).all(1);
  const { data } = (await api('GET', '/api/accounts?limit=1&sortOrder=ASCENDING', undefined, of)) as unknown as { data: { id: string }[] };
  const accountId = data[0]!.id;
  const quote = await api('POST', '/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount }, of);
  const paymentInstruction = { type: 'REFERENCE', id: beneficiary!.paymentInstructions[0]!.id };
  const body = { accountId, quoteId: quote.id, beneficiary: { type: 'REFERENCE', id: beneficiary!.id, paymentInstruction } };
  return (await api('POST', '/api/operations/withdrawal', body, of)).id;
}

describe('an operation', () => {
  it('can be forced to a status, awaited and explained', async () => {
    const operation = world.operation(await withdraw());
    expect((await operation.get()).currentState.status).toBe('REQUESTED');
    const waiting = operation.waitFor('COMPLETED');
    await operation.process();
    await operation.hold({ code: 'COMPLIANCE_REVIEW', message: 'Held.' });
    await operation.resume();
    await operation.complete();
    expect((await waiting).currentState.status).toBe('COMPLETED');
    expect((await operation.why()).entries.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['REQUESTED', 'ON_HOLD', 'PROCESSING', 'COMPLETED']),
    );
  });

  it('runs to a status by advancing from timer to timer', async () => {
    const operation = world.operation(await withdraw());
    expect((await operation.runTo('COMPLETED')).states.map(({ status }) => status)).toEqual(['REQUESTED', 'PROCESSING', 'COMPLETED']);
  });

  it('does not run to a status that no timer leads to, and explains why', async () => {
    const operation = world.operation(await withdraw('150.17'));
    const refusal = await operation.runTo('COMPLETED').catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      name: 'SandboxError',
      code: 'STATUS_NOT_REACHABLE',
      details: { status: 'ON_HOLD', wanted: 'COMPLETED' },
    });
    expect((refusal as Error).message).toMatch(/^No timer leads to COMPLETED\.\nOPERATION .* ON_HOLD\n.*COMPLIANCE_REVIEW/s);
  });
});

describe('an error', () => {
  it('contains the API message, the request and the possible actions', async () => {
    const operation = world.operation(await withdraw());
    await operation.fail();
    const refusal = (await operation.complete().catch((error: unknown) => error)) as SandboxError;
    expect(refusal).toBeInstanceOf(SandboxError);
    expect(refusal).toMatchObject({
      code: 'INVALID_STATUS_CHANGE',
      status: 422,
      call: `POST /_sandbox/operations/${operation.id}/complete`,
    });
    expect(refusal.message).toMatch(/FAILED and cannot become COMPLETED.*Possible: none.*\(POST .*\/complete 422 INVALID_STATUS_CHANGE\)$/);
    expect(refusal.requestId).toMatch(/^ctl_/);
  });

  it('for an unreachable sandbox names the address and a fix', async () => {
    const nowhere = connect({ url: 'http://127.0.0.1:9' });
    await expect(nowhere.worlds()).rejects.toMatchObject({
      code: 'UNREACHABLE',
      status: 0,
      message: expect.stringMatching(/127\.0\.0\.1:9.*SANDBOX_URL/) as string,
    });
  });

  it('has the code NOT_A_SANDBOX if the server is not a sandbox', async () => {
    const other = connect({ url: 'http://x', fetch: () => Promise.resolve(new Response('<html>', { status: 502 })) });
    await expect(other.worlds()).rejects.toMatchObject({ code: 'NOT_A_SANDBOX', status: 502 });
  });
});

it.each(['http://127.0.0.1:4999', new URL('http://127.0.0.1:4999'), null])(
  'connect rejects what is not an object of options: %s',
  (address) => {
    const connecting = () => connect(address as never);
    expect(connecting).toThrow(SandboxError);
    expect(connecting).toThrow(/^The argument of connect is "(http:\/\/127\.0\.0\.1:4999\/?|null)"; expected an object, .*\{ url: /);
  },
);

it('a request ends when its signal aborts, or after its timeout', async () => {
  const operation = world.operation(await withdraw());
  const leaving = new AbortController();
  const waiting = operation.waitFor('COMPLETED', { signal: leaving.signal });
  leaving.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  const slow = connect({
    url: 'http://x',
    timeoutMs: 10,
    fetch: ({ signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  });
  await expect(slow.worlds()).rejects.toMatchObject({ code: 'TIMEOUT' });
});

it('a request without a response ends by its signal or timeout, even after garbage collection', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const mute = createServer((socket) => void socket.resume().on('error', () => {}));
  await new Promise<void>((listening) => void mute.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
  const leaving = new AbortController();
  const connected = once(mute, 'connection');
  const ends = Promise.allSettled([connect({ url }).status({ signal: leaving.signal }), connect({ url, timeoutMs: 300 }).status()]);
  await connected;
  for (let round = 0; round < 5; round += 1) {
    collect();
    await new Promise((turn) => void setImmediate(turn));
  }
  leaving.abort(new Error('enough'));
  expect(await ends).toMatchObject([{ reason: { message: 'enough' } }, { reason: { code: 'TIMEOUT' } }]);
  await new Promise((closed) => void mute.close(closed));
});

describe('a world', () => {
  it('shows its events as a tree of causes', async () => {
    await using own = await sandbox.createWorld({ name: 'timeline', clock: { mode: 'FROZEN' } });
    expect(await own.timeline()).toMatch(/No events yet\.$/);
    const id = await withdraw('150.11', own);
    await own.settle();
    const lines = (await own.timeline()).split('\n').map((line) => line.replace(/[0-9:.]{12} /, '').replaceAll(id, '<id>'));
    expect(lines.slice(1)).toEqual([
      'POST /api/operations/withdrawal, answered 201',
      '  OPERATION <id> FAILED',
      '    REQUESTED',
      expect.stringMatching(/^ {4}PROCESSING ← Step 1 of rule/) as string,
      expect.stringMatching(/^ {4}FAILED \(INSUFFICIENT_BALANCE: .*\) ← Step 2 of rule/) as string,
    ]);
  });

  it('shows the request that forced a status, if another request created the resource', async () => {
    await using own = await sandbox.createWorld({ clock: { mode: 'FROZEN' } });
    const id = await withdraw('150.00', own);
    await own.operation(id).process();
    await own.operation(id).complete();
    const timeline = (await own.timeline()).replaceAll(id, '<id>');
    expect(timeline).toContain('PROCESSING ← POST /_sandbox/operations/<id>/process, answered 200');
    expect(timeline).toContain('COMPLETED ← POST /_sandbox/operations/<id>/complete, answered 200');
    expect(timeline).toMatch(/ posting .* ← POST .*\/complete, answered 200/);
    expect(timeline).not.toContain('no longer recorded');
  });

  it('can be restored from a snapshot, reset, and imported', async () => {
    await using own = await sandbox.createWorld({ clock: { mode: 'FROZEN' } });
    const account = own.account((await own.operations().first())!.account.id);
    const balances = async () => (await account.get()).balances;
    const before = await balances();
    await using snapshot = await own.snapshot('before');
    await account.credit('10.00', 'BRL');
    const after = await balances();
    expect(after).not.toEqual(before);
    const exported = await own.state.export();
    await snapshot.restore();
    expect(await balances()).toEqual(before);
    await own.state.import(exported);
    expect(await balances()).toEqual(after);
    await own.reset();
    expect(await balances()).toEqual(before);
    await own.reset({ ids: 'fresh' });
    await expect(account.get()).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    expect((await own.snapshots()).map(({ name }) => name)).toEqual(['before']);
  });

  it('has disposable faults, and receives its webhooks in an inbox', async () => {
    await using own = await sandbox.createWorld({ clock: { mode: 'FROZEN' } });
    const inbox = own.inbox('orders');
    await inbox.respond([{ status: 500 }]);
    expect(await inbox.responses()).toEqual([{ status: 500, delayMs: 0, times: 1 }]);
    const { id } = await api('POST', '/api/subscriptions', { url: await inbox.url(), includeAll: true }, own);
    expect(await own.subscription(id).probe()).toMatchObject({ via: 'INBOX', reachable: true });
    {
      await using fault = await own.fault({ on: 'DELIVERY', effect: { drop: true } });
      expect((await own.faults()).map((each) => each.id)).toEqual([fault.id]);
    }
    expect(await own.faults()).toEqual([]);
    const [delivery] = await own.trigger('OPERATION_COMPLETED');
    await own.settle();
    expect(await own.deliveries().all()).toMatchObject([{ attempts: 1, status: 'FAILED' }]);
    await own.delivery(delivery!.id).resend();
    expect((await own.delivery(delivery!.id).get()).id).toBe(delivery!.id);
    const messages = await inbox.waitFor({ eventType: 'OPERATION_COMPLETED', count: 2 });
    expect(messages.map(({ signatureValid }) => signatureValid)).toEqual([true, true]);
    expect(await own.checkSignature({ headers: messages[0]!.headers, body: messages[0]!.body })).toMatchObject({ valid: true });
  });

  it('can be disposed of after it was deleted, and so can its faults and snapshots', async () => {
    const own = await sandbox.createWorld();
    const fault = await own.fault({ on: 'REQUEST', when: { operationId: 'createQuote' }, effect: { status: 503 } });
    const snapshot = await own.snapshot();
    await own.reset();
    await fault[Symbol.asyncDispose]();
    await snapshot.delete();
    await snapshot[Symbol.asyncDispose]();
    await own.delete();
    await own[Symbol.asyncDispose]();
    await expect(own.delete()).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('has coverage, findings and a verdict', async () => {
    await using own = await sandbox.createWorld({ name: 'judged' });
    await own.beginTest('pays out');
    await own.expectFinding('money.json-number');
    await withdraw('150.00', own);
    await own.endTest();
    const [call] = await own.requests.list({ filters: 'operationId[eq]=createWithdrawal' }).all();
    expect(call).toMatchObject({ test: 'pays out', status: 201 });
    expect(await own.requests.get(call!.id)).toMatchObject({ id: call!.id });
    const match = { operationId: 'createWithdrawal', test: 'pays out' };
    expect(await own.requests.verify({ match, count: 1 })).toMatchObject({ verified: true, count: 1, requests: [{ id: call!.id }] });
    await expect(own.requests.verify({ match, count: 0 })).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
    expect((await own.requests.har()).log.entries.length).toBeGreaterThan(2);
    await own.requests.clear();
    expect(await own.requests.list().all()).toEqual([]);
    expect(await own.findings({ final: true })).toMatchObject({ expected: [{ rule: 'money.json-number', matched: 0 }] });
    const { operations } = (await own.coverage({ tier: 'core' })).dimensions;
    expect(operations.covered).toBeGreaterThan(2);
    expect((await own.report({ profile: 'payouts' })).worlds.map(({ name }) => name)).toEqual(['judged']);
    expect(await sandbox.reportText('junit', 'judg*')).toMatch(/^<\?xml/);
    await own.clearFindings();
    expect(await own.findings()).toMatchObject({ data: [], expected: [] });
  });

  it('returns a whole list, its first items or its first item', async () => {
    await using own = await sandbox.createWorld();
    const all = await own.operations().all();
    expect(all.length).toBeGreaterThan(3);
    expect(await own.operations().all(3)).toEqual(all.slice(0, 3));
    expect(await own.operations({ sortOrder: 'ASCENDING' }).first()).toEqual(all.at(-1));
    const ids: string[] = [];
    for await (const { id } of own.operations()) ids.push(id);
    expect(ids).toEqual(all.map(({ id }) => id));
    expect(await own.operations({ filters: 'id[eq]=none' }).first()).toBeUndefined();
  });
});

describe('the address of a sandbox', () => {
  const environment = { SANDBOX_URL: 'http://a:1/', SANDBOX_PORT: '4999', SANDBOX_CONTROL_TOKEN: 'secret-token' };
  it.each<[string, Parameters<typeof readConnection>, object]>([
    ['the options', [{ url: 'http://b:2', controlUrl: 'http://c:3' }, environment], { url: 'http://b:2', controlUrl: 'http://c:3' }],
    ['SANDBOX_URL', [{}, environment], { url: 'http://a:1', controlUrl: 'http://a:1', token: 'secret-token' }],
    ['SANDBOX_CONTROL_URL', [{}, { ...environment, SANDBOX_CONTROL_URL: 'http://d:4' }], { url: 'http://a:1', controlUrl: 'http://d:4' }],
    ['SANDBOX_PORT', [{}, { SANDBOX_PORT: '4999' }], { url: 'http://127.0.0.1:4999' }],
    ['SANDBOX_CONTROL_PORT', [{}, { SANDBOX_CONTROL_PORT: '4011' }], { url: 'http://127.0.0.1:4010', controlUrl: 'http://127.0.0.1:4011' }],
    [
      'SANDBOX_URL, which overrides SANDBOX_CONTROL_PORT',
      [{}, { ...environment, SANDBOX_CONTROL_PORT: '4011' }],
      { controlUrl: 'http://a:1' },
    ],
    ['SANDBOX_HOST', [{}, { SANDBOX_HOST: '::1' }], { url: 'http://[::1]:4010' }],
    ['SANDBOX_HOST, with 127.0.0.1 for all interfaces', [{}, { SANDBOX_HOST: '0.0.0.0' }], { url: 'http://127.0.0.1:4010' }],
    ['the default port, if Kubernetes sets SANDBOX_PORT', [{}, { SANDBOX_PORT: 'tcp://10.0.0.1:80' }], { url: 'http://127.0.0.1:4010' }],
    [
      'variables with carriage returns',
      [{}, { SANDBOX_HOST: 'localhost\r', SANDBOX_PORT: '4020\r', SANDBOX_CONTROL_TOKEN: 'secret-token\r' }],
      { url: 'http://localhost:4020', token: 'secret-token' },
    ],
    ['SANDBOX_URL with a carriage return', [{}, { SANDBOX_URL: 'http://a:1/\r' }], { url: 'http://a:1' }],
  ])('comes from %s', (_what, args, connection) => {
    expect(readConnection(...args)).toMatchObject(connection);
  });

  it.each<[Parameters<typeof readConnection>, RegExp]>([
    [[{ url: 'sandbox' }, {}], /^connect\(\{ url \}\) is "sandbox"; expected a URL/],
    [[{}, { SANDBOX_URL: '127.0.0.1:4010' }], /^SANDBOX_URL is "127\.0\.0\.1:4010"/],
    [[{}, { SANDBOX_PORT: 'http' }], /^SANDBOX_PORT is "http"/],
    [[{}, { SANDBOX_CONTROL_PORT: 'http' }], /^SANDBOX_CONTROL_PORT is "http"/],
    [[{ timeoutMs: 0 }, {}], /^connect\(\{ timeoutMs \}\) is "0"/],
  ])('is rejected with the name of the invalid option or variable: %j', (args, message) => {
    expect(() => readConnection(...args)).toThrow(message);
  });
});
