import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../index.js';
import { connect } from '../client/sandbox.js';
import { runCommandLine as typed } from '../testing/command-line.js';
import { startReceiver } from '../testing/process.js';
import { Interrupted } from './failure.js';

let sandbox: RunningSandbox;
beforeAll(async () => void (sandbox = await startSandbox()));
afterAll(() => sandbox.close());

it('listen forwards webhooks and returns the responses until it is interrupted', async () => {
  const world = connect({ url: sandbox.url }).world();
  const receiver = await startReceiver(0, () => 418);
  const leaving = new AbortController();
  const line = `crossborder-sandbox listen --forward-to ${receiver.url} --header "x-extra: 1" --json`;
  const running = typed(line, { environment: { SANDBOX_URL: sandbox.url }, signal: leaving.signal });
  try {
    while (receiver.received.length === 0) await world.trigger('OPERATION_COMPLETED');
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    expect(await world.checkSignature({ headers: sent, body })).toMatchObject({ valid: true });
    expect(headers['x-extra']).toBe('1');
    await world.flush();
    expect((await world.delivery(sent['x-message-id']!).get()).log).toMatchObject([{ httpStatus: 418 }]);
  } finally {
    leaving.abort(new Interrupted('SIGINT'));
    await receiver.close();
  }
  const { code, stdout } = await running;
  expect(code).toBe(130);
  expect(JSON.parse(stdout.split('\n')[0]!)).toMatchObject({ eventType: 'OPERATION_COMPLETED', status: 418, error: null });
  expect((await sandbox.control.GET('/_sandbox/subscriptions')).data).toMatchObject({ data: [] });
});

/** Runs `listen` until `leave` is called. @returns `ended` with the result, and `said`, which returns the output so far */
function listening(url: string, line: string) {
  const leaving = new AbortController();
  const output: string[] = [];
  const ended = typed(`crossborder-sandbox listen ${line}`, {
    environment: { SANDBOX_URL: url },
    signal: leaving.signal,
    tell: (text) => output.push(text),
  });
  return { ended, leave: () => leaving.abort(new Interrupted('SIGINT')), said: () => output.join('') };
}

it('listen shows the retry time of a failed webhook, and no retry after the last attempt', async () => {
  await using world = await sandbox.createWorld({ clock: { mode: 'FROZEN', now: '2100-01-01T12:00:00Z' } });
  const receiver = await startReceiver(0, () => 503);
  const { ended, leave, said } = listening(sandbox.url, `--forward-to ${receiver.url} --world ${world.name}`);
  try {
    await expect.poll(said).toMatch(/^READY/);
    await world.trigger('OPERATION_COMPLETED');
    await expect.poll(said).toMatch(/→ 503 \d+ ms, retry at 2100-01-01T12:00:05/);
    await world.settle();
    await expect.poll(said).toMatch(/→ 503 \d+ ms, no retry\n$/);
  } finally {
    leave();
    await receiver.close();
  }
  expect((await ended).code).toBe(130);
});

it('listen aborts unanswered requests to the application when it ends', async () => {
  await using world = await sandbox.createWorld();
  let [came, left] = [0, 0];
  const silent = createServer((request, response) => {
    came += 1;
    response.once('close', () => (left += 1));
    request.resume();
  });
  await new Promise<void>((listens) => void silent.listen(0, '127.0.0.1', listens));
  const target = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { ended, leave, said } = listening(sandbox.url, `--forward-to ${target} --world ${world.name}`);
  const heard = await world.listen(target);
  await expect.poll(said).toMatch(/^READY/);
  await world.trigger('OPERATION_COMPLETED');
  await expect.poll(() => came).toBe(2);
  leave();
  await heard.close();
  expect((await ended).code).toBe(130);
  await expect.poll(() => left).toBe(2);
  expect(said()).not.toContain('→');
  await new Promise((closed) => silent.close(closed));
});

it('listen continues after a reset of the world and a restart of the sandbox', async () => {
  let own = await startSandbox();
  const { url } = own;
  const receiver = await startReceiver();
  const { ended, leave, said } = listening(url, `--forward-to ${receiver.url}`);
  const count = (what: RegExp) => said().match(what)?.length ?? 0;
  const taken = async (many: number) => {
    await own.world().trigger('OPERATION_COMPLETED');
    await expect.poll(() => receiver.received.length).toBe(many);
  };
  try {
    await expect.poll(() => count(/READY/g)).toBe(1);
    await own.world().reset();
    await expect.poll(() => count(/READY/g)).toBe(2);
    await taken(1);
    await own.close();
    await expect.poll(() => count(/LOST/g)).toBe(1);
    own = await startSandbox({ port: Number(new URL(url).port) });
    await expect.poll(() => count(/READY/g)).toBe(3);
    await taken(2);
  } finally {
    leave();
    await ended;
    await receiver.close();
    await own.close();
  }
});

it('listen exits with 3 if the sandbox does not come back, and with 1 if another client takes its name', async () => {
  const own = await startSandbox();
  const one = listening(own.url, '--forward-to localhost:1 --name mine');
  await expect.poll(one.said).toMatch(/READY/);
  const two = listening(own.url, '--forward-to localhost:1 --name mine --take-over --timeout 1ms');
  expect(await one.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('LISTENER_TAKEN') as string });
  await expect.poll(two.said).toMatch(/READY/);
  await own.close();
  expect(await two.ended).toMatchObject({ code: 3, stderr: expect.stringContaining('No sandbox responds') as string });
});

it('listen sends the user info of the URL as Basic, and never shows it', async () => {
  await using world = await sandbox.createWorld();
  const receiver = await startReceiver(0, () => 200);
  const target = receiver.url.replace('://', '://me:s%40cret@');
  const { ended, leave, said } = listening(sandbox.url, `--forward-to ${target}/hooks --world ${world.name}`);
  try {
    await expect.poll(said).toMatch(/^READY/);
    await world.trigger('OPERATION_COMPLETED');
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(receiver.received[0]!.headers['authorization']).toBe(`Basic ${Buffer.from('me:s@cret').toString('base64')}`);
  } finally {
    leave();
    await receiver.close();
  }
  expect(said()).not.toMatch(/cret/);
  expect((await ended).stdout).not.toMatch(/cret/);
});

it.each([
  ['3000', 'http://localhost:3000'],
  [':3000/a?b', 'http://localhost:3000/a?b'],
  ['8080/webhooks', 'http://localhost:8080/webhooks'],
  ['host.docker.internal:3000', 'http://host.docker.internal:3000'],
  ['https://localhost/x', 'https://localhost/x'],
])('listen --forward-to %s forwards to %s', async (given, target) => {
  await using world = await sandbox.createWorld();
  const { ended, leave, said } = listening(sandbox.url, `--forward-to ${given} --world ${world.name}`);
  await expect.poll(said).toMatch(`to ${target}.\n`);
  leave();
  await ended;
});

it.each([
  ['99999', /--forward-to is "99999"; expected a URL or a port/],
  ['0', /expected a port from 1 to 65535/],
  ['ftp://localhost', /expected a URL or a port/],
  ['me:secret@lo:calhost', /^(?!.*secret).*--forward-to is not valid; expected a URL or a port/],
  ['https://example.com --insecure', /--insecure is only for hosts of this machine or a private network; got example\.com/],
])('listen --forward-to %s is rejected', async (given, message) => {
  const { code, stderr } = await typed(`crossborder-sandbox listen --forward-to ${given}`, { environment: { SANDBOX_URL: sandbox.url } });
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
