import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import { root } from '../testing/root.js';
import { call } from '../testing/process.js';

let child: ChildProcess;
afterEach(() => child.kill('SIGKILL'));

/** Starts the sandbox as a command whose standard error is not read. @returns the URL of the sandbox */
async function start(stderr: 'pipe' | number): Promise<string> {
  child = spawn(process.execPath, [join(root, 'dist/main.cjs'), '--port', '0', '--data', 'memory'], { stdio: ['ignore', 'pipe', stderr] });
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /Base URL\s+(\S+)/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('The sandbox ended.');
}

/** Sends requests whose log lines, of 2,800 bytes each, exceed the buffers of a pipe and of its reader. */
async function makeCalls(url: string): Promise<void> {
  for (let index = 0; index < 200; index += 1) expect(await call(url, 'GET', `/api/${'x'.repeat(4000)}`)).toMatchObject({ status: 404 });
}

async function stop(): Promise<unknown> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  return (await exited)[0] as unknown;
}

it('requests and a stop succeed if no one reads the log', async () => {
  const url = await start('pipe');
  await makeCalls(url);
  expect(await stop()).toBe(0);
});

it('requests and a stop succeed if the log is on a full disk', async ({ skip }) => {
  skip(process.platform !== 'linux', 'There is no /dev/full.');
  const url = await start(openSync('/dev/full', 'w'));
  await makeCalls(url);
  expect(await stop()).toBe(0);
});

it('requests and a stop succeed if the reader of the log has ended', async () => {
  const url = await start('pipe');
  child.stderr!.destroy();
  await makeCalls(url);
  expect(await stop()).toBe(0);
});

/** Python program that opens a terminal without a reader, until its standard input ends. */
const terminal = 'import os, pty, sys; _, end = pty.openpty(); print(os.ttyname(end), flush=True); sys.stdin.read()';

it('requests and a stop succeed if the terminal of the log is stopped', async ({ skip }) => {
  skip(spawnSync('python3', ['-c', 'import pty']).status !== 0, 'This machine cannot open a terminal.');
  const holder = spawn('python3', ['-c', terminal], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [path] = (await once(createInterface({ input: holder.stdout }), 'line')) as [string];
  const url = await start(openSync(path, constants.O_WRONLY | constants.O_NOCTTY));
  await makeCalls(url);
  expect(await stop()).toBe(0);
  holder.stdin.end();
});
