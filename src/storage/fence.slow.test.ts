import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { SandboxProcess, call, connect, temporaryDirectory } from '../testing/process.js';

/** Starts a sandbox with this host name. */
function startOn(host: string, data: string): Promise<SandboxProcess> {
  const named = `import os from 'node:os'; os.hostname = () => '${host}';`;
  const options = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(named)}` };
  return SandboxProcess.start(['--data', data, '--log-level', 'error', '--scenario', 'instant'], options);
}

/** Starts a client that requests quotes. @returns the created ids */
async function quoting(sandbox: SandboxProcess) {
  const api = await connect(sandbox.url);
  const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING');
  const request = { accountId: accounts.data[0].id, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '10.00' };
  const acknowledged: string[] = [];
  const ask = async () => {
    const answer = await api('POST', '/api/quotes', request, randomUUID()).catch(() => null); // An idle connection was closed.
    if (answer?.status === 201) acknowledged.push(answer.body.id);
    return answer?.status;
  };
  return { acknowledged, ask };
}

const isReady = async ({ url }: SandboxProcess) => (await call(url, 'GET', '/_sandbox/health/ready')).status;

it('a paused sandbox acknowledges nothing after another machine has taken over its directory', { timeout: 60_000 }, async () => {
  const data = temporaryDirectory();
  const first = await startOn('one', data);
  const ofFirst = await quoting(first);
  await Promise.all(Array.from({ length: 20 }, () => ofFirst.ask()));
  process.kill(first.pid, 'SIGSTOP');
  const underWay = Array.from({ length: 20 }, () => ofFirst.ask());

  const second = await startOn('two', data);
  const ofSecond = await quoting(second);
  expect(await ofSecond.ask()).toBe(201);
  process.kill(first.pid, 'SIGCONT');
  expect(await Promise.all(underWay)).not.toContain(201);
  expect(new Set(await Promise.all(Array.from({ length: 20 }, () => ofFirst.ask())))).toEqual(new Set([503]));
  expect(await isReady(first)).toBe(503);
  expect(await ofSecond.ask()).toBe(201);
  await first.end('SIGTERM');
  expect(await ofSecond.ask()).toBe(201);
  await second.end('SIGKILL');

  const third = await startOn('two', data);
  const { body: kept } = await call(third.url, 'GET', '/_sandbox/quotes?limit=100&sortOrder=DESCENDING');
  const all = [...ofFirst.acknowledged, ...ofSecond.acknowledged];
  expect(new Set(all).size).toBe(23);
  expect(kept.data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(all));
  await third.end('SIGTERM');
  await rm(data, { recursive: true });
});

it.each([
  ['removed', (path: string) => rm(path, { recursive: true })],
  ['moved', (path: string) => rename(path, `${path}.moved`)],
])('a sandbox is not ready and rejects writes after its directory was %s', { timeout: 60_000 }, async (_how, lose) => {
  const data = temporaryDirectory();
  const sandbox = await startOn('one', data);
  const { ask } = await quoting(sandbox);
  expect([await isReady(sandbox), await ask()]).toEqual([200, 201]);
  await lose(data);
  await expect.poll(() => isReady(sandbox)).toBe(503);
  expect(await ask()).toBe(503);
  await sandbox.end('SIGTERM');
  await rm(`${data}.moved`, { recursive: true, force: true });
});
