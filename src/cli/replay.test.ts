import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, startSandbox, type OwnedWorld, type RunningSandbox } from '../index.js';
import { runVerb } from './program.js';

let sandbox: RunningSandbox;
let world: OwnedWorld;
const directory = mkdtempSync(join(tmpdir(), 'replay-verb-'));
const [client, file, changed] = ['client.mjs', 'lost.replay.json', 'changed.replay.json'].map((name) => join(directory, name)) as [
  string,
  string,
  string,
];

/** A client that pays once and loses the response. With a bug, it retries with a new key. It ends when its webhook arrives. */
const source = `
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
const { SANDBOX_URL: url, SANDBOX_CONTROL_URL: control = url, SANDBOX_WORLD: world, SANDBOX_CLIENT_ID: clientId, SANDBOX_CLIENT_SECRET: clientSecret, MENDED } = process.env;
const json = { 'content-type': 'application/json' };
let completed;
const webhook = new Promise((resolve) => (completed = resolve));
const server = createServer((request, response) => {
  request.resume().on('end', () => response.end());
  if (request.headers['x-event-type'] === 'OPERATION_COMPLETED') completed();
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const call = async (base, method, path, body, headers = {}) => {
  const response = await fetch(base + path, { method, headers: { ...json, ...headers }, body: body && JSON.stringify(body) });
  return { status: response.status, body: await response.json().catch(() => null) };
};
const steer = (method, path, body) => call(control, method, '/_sandbox' + path, body, { 'x-sandbox-world': world });
const { accessToken } = (await call(url, 'POST', '/api/oauth/client/token', { clientId, clientSecret })).body;
const pay = (method, path, body, key = randomUUID()) =>
  call(url, method, path, body, { authorization: 'Bearer ' + accessToken, ...(method === 'GET' ? {} : { 'x-idempotency-key': key }) });
await pay('POST', '/api/subscriptions', { url: 'http://127.0.0.1:' + server.address().port + '/', includeAll: true });
const { data: accounts } = (await pay('GET', '/api/accounts')).body;
const account = accounts.find(({ owner }) => owner.legalName === 'Aurora Comércio Exterior Ltda');
const beneficiary = (await steer('GET', '/beneficiaries?limit=100')).body.data.find(({ status }) => status === 'APPROVED');
await steer('POST', '/faults', { on: 'REQUEST', when: { operationId: 'createWithdrawal' }, times: 1, phase: 'after_commit', effect: { status: 503 } });
const quote = (await pay('POST', '/api/quotes', { accountId: account.id, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10.00' })).body;
const order = { accountId: account.id, quoteId: quote.id, beneficiary: { type: 'REFERENCE', id: beneficiary.id, paymentInstruction: { type: 'REFERENCE', id: beneficiary.paymentInstructions[0].id } } };
const key = randomUUID();
const first = await pay('POST', '/api/operations/withdrawal', order, key);
if (first.status !== 503) throw new Error('Expected the lost response, got ' + JSON.stringify(first));
await webhook;
const second = await pay('POST', '/api/operations/withdrawal', order, MENDED ? key : randomUUID());
server.close();
if (second.status !== 201) {
  console.error('The payment failed: ' + second.body.code);
  process.exit(3);
}
`;

beforeAll(async () => {
  writeFileSync(client, source);
  sandbox = await startSandbox();
  world = await connect({ url: sandbox.url }).createWorld({ clock: { mode: 'RUNNING', now: '2026-11-21T12:00:00Z' } });
  const run = promisify(execFile)(process.execPath, [client], { env: { ...process.env, ...(await world.env()) } });
  const ended: unknown = await run.catch((error: unknown) => error);
  const { code, stderr } = ended as { code: number; stderr: string };
  if (code !== 3) throw new Error(`The client ended in another way than planned: ${code} ${stderr}`);
  await world.saveReplay(file);
}, 60_000);
afterAll(async () => {
  await sandbox.close();
  rmSync(directory, { recursive: true });
});

async function replay(args: readonly string[], { mended = false, input = '', path = file } = {}) {
  const [out, errors]: [string[], string[]] = [[], []];
  const { NODE_OPTIONS: _options, ...environment } = process.env;
  const code = await runVerb(['replay', path, ...args], {
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => errors.push(text) },
    environment: { ...environment, ...(mended ? { MENDED: 'yes' } : {}) },
    signal: new AbortController().signal,
    readInput: () => Promise.resolve(''),
    protocol: () => ({ input: Readable.from([input]), output: process.stdout }),
  });
  return { code, out: out.join(''), errors: errors.join('') };
}

const command = ['--live', '--', process.execPath, client];

describe('the command replay', () => {
  it('--live runs the same client without a difference, and ends with the exit code of the client', { timeout: 60_000 }, async () => {
    const began = performance.now();
    const { code, out } = await replay(command);
    expect([code, out]).toEqual([
      3,
      expect.stringMatching(/^No difference: the client sent \d+ requests and got \d+ webhooks as recorded\.\n$/),
    ]);
    // The recording waited three seconds for the settlement; the clock of the replay moves to it.
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  it('--live shows the first difference of the fixed client, a retry, and runs the client to its end', { timeout: 60_000 }, async () => {
    const { code, out } = await replay(command, { mended: true });
    expect(code).toBe(0);
    expect(out).toMatch(
      /as recorded; then\n  recorded  \d+ .*POST \/api\/operations\/withdrawal  422 QUOTE_ALREADY_CONSUMED  key [0-9a-f]{4}…\n/,
    );
    expect(out).toMatch(/\n  now       POST \/api\/operations\/withdrawal  key [0-9a-f]{4}… \(that of step \d+\)  201 replayed\n$/);
  });

  it('--live ends with 128 plus the number of the signal that ended the client', { timeout: 60_000 }, async () => {
    const { code } = await replay(['--live', '--', process.execPath, '-e', 'process.kill(process.pid, "SIGTERM")']);
    expect(code).toBe(143);
  });

  it('--check of the file of a real process finds no difference', { timeout: 60_000 }, async () => {
    expect(await replay(['--check'])).toMatchObject({ code: 0, out: expect.stringContaining('no difference') as string });
  });

  it('--step repeats one step for each line, and explains the latest one', { timeout: 60_000 }, async () => {
    const { steps } = JSON.parse(readFileSync(file, 'utf8')) as { steps: { kind: string }[] };
    const attempt = steps.findIndex(({ kind }) => kind === 'ATTEMPT') + 1;
    const { code, out } = await replay(['--step'], { input: `${'\n'.repeat(attempt)}w\nq\n\n` });
    const lines = out.split('\n');
    expect(code).toBe(0);
    expect(lines[0]).toMatch(/^ {3}1 .*POST \/api\/oauth\/client\/token {2}200$/);
    expect(lines[attempt - 1]).toMatch(/OPERATION_REQUESTED attempt 1 → 200$/);
    expect(lines[attempt]).toMatch(/^DELIVERY [0-9a-f-]{36} /);
  });

  it('--step explains the last step and a step that differs, and ends with q', { timeout: 60_000 }, async () => {
    const recorded = JSON.parse(readFileSync(file, 'utf8')) as { steps: { response: { status: number } }[] };
    const { length } = recorded.steps;
    const last = await replay(['--step'], { input: `${'\n'.repeat(length + 1)}w\nq\n` });
    expect(last.code).toBe(0);
    expect(last.out.split('\n')[length]).toMatch(/^(REQUEST|DELIVERY) /);
    recorded.steps[1]!.response.status = 418;
    writeFileSync(changed, JSON.stringify(recorded));
    const differing = await replay(['--step'], { input: '\n\n\nw\nq\n', path: changed });
    expect(differing.code).toBe(1);
    expect(differing.errors).toContain('Differs at step 2');
    expect(differing.out.split('\n')[2]).toMatch(/^REQUEST /);
  });

  it('--step rejects a file without steps', async () => {
    const recorded = JSON.parse(readFileSync(file, 'utf8')) as { steps: unknown[] };
    writeFileSync(changed, JSON.stringify({ ...recorded, steps: [] }));
    expect(await replay(['--step'], { input: '\n', path: changed })).toMatchObject({
      code: 2,
      errors: expect.stringContaining('has no steps') as string,
    });
  });

  it('rejects a command without --live, and --live without a command', async () => {
    expect(await replay(['--check', '--', 'npm', 'test'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('only --live') as string,
    });
    expect(await replay(['--live'])).toMatchObject({ code: 2, errors: expect.stringContaining('npm test') as string });
    expect(await replay(['--live', '--', '/no/such/program'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('/no/such/program') as string,
    });
  });
});
