import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import type { LoadRequest } from '../load.js';
import { temporaryDirectory } from '../process.js';

/** A running server of another project, with the requests that it answers. */
export interface OtherServer {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  readonly shots: { readonly read: () => LoadRequest; readonly transfer?: () => LoadRequest };
  readonly close: () => unknown;
}

const readPath = '/operations/1';
const transferPath = '/transfers';

const shot =
  (method: string, path: string, body?: string): (() => LoadRequest) =>
  () => ({ method, path, ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body }) });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Installs a package into a temporary directory. @returns the directory of the package */
async function install(name: string, version: string): Promise<string> {
  const directory = temporaryDirectory();
  const args = ['install', '--prefix', directory, '--no-audit', '--no-fund', '--no-save', `${name}@${version}`];
  await promisify(execFile)('npm', args, { timeout: 120_000 });
  return join(directory, 'node_modules', name);
}

/** Starts a command and waits until its port answers a read. @throws Error if it does not within a minute */
async function start(command: string, args: readonly string[], port: number): Promise<Pick<OtherServer, 'pid' | 'url' | 'close'>> {
  const child = spawn(command, args, { stdio: 'ignore' });
  const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error));
  failed.catch(() => undefined);
  const url = `http://127.0.0.1:${port}`;
  for (const untilMs = performance.now() + 60_000; performance.now() < untilMs && child.exitCode === null;) {
    const response = await Promise.race([fetch(url + readPath).catch(() => null), failed]);
    if (response?.ok) return { pid: child.pid!, url, close: () => child.kill('SIGKILL') };
    await wait(100);
  }
  child.kill('SIGKILL');
  throw new Error(`${command} did not answer`);
}

/** Starts json-server with one operation. It is measured with reads only, because it writes its whole file for each POST. */
async function startJsonServer(text: string): Promise<OtherServer> {
  const directory = await install('json-server', '0.17.4');
  const file = join(temporaryDirectory(), 'db.json');
  const port = await freePort();
  writeFileSync(file, JSON.stringify({ operations: [{ ...(JSON.parse(text) as object), id: 1 }] }));
  const args = [join(directory, 'lib/cli/bin.js'), '--quiet', '--host', '127.0.0.1', '--port', String(port), file];
  return { name: 'json-server', ...(await start(process.execPath, args, port)), shots: { read: shot('GET', readPath) } };
}

/** Starts WireMock with a fixed response to a read and to a transfer. Needs Java. */
async function startWireMock(text: string): Promise<OtherServer> {
  const directory = await install('wiremock', '3.13.2');
  const root = temporaryDirectory();
  const port = await freePort();
  mkdirSync(join(root, 'mappings'));
  const mapping = (method: string, url: string, status: number) => ({
    request: { method, url },
    response: { status, body: text, headers: { 'Content-Type': 'application/json' } },
  });
  const mappings = [mapping('GET', readPath, 200), mapping('POST', transferPath, 201)];
  writeFileSync(join(root, 'mappings/all.json'), JSON.stringify({ mappings }));
  const jar = readdirSync(directory, { recursive: true, encoding: 'utf8' }).find((each) => each.endsWith('.jar'));
  if (jar === undefined) throw new Error('the package has no jar');
  const kept = ['--max-request-journal-entries', '1000']; // Default: all requests.
  const options = ['--port', String(port), '--root-dir', root, '--use-chunked-encoding', 'never', '--disable-gzip', ...kept];
  const running = await start('java', ['-jar', join(directory, jar), ...options], port);
  const body = JSON.stringify({ amount: { value: '1.00', asset: 'BRL' } });
  return { name: 'WireMock', ...running, shots: { read: shot('GET', readPath), transfer: shot('POST', transferPath, body) } };
}

/**
 * Starts servers of other projects, which npm installs for this run. Prints a line for each that cannot be had.
 * @param text the response, as JSON
 */
export async function startOtherServers(text: string): Promise<OtherServer[]> {
  const running: OtherServer[] = [];
  for (const [name, begin] of [
    ['json-server', startJsonServer],
    ['WireMock', startWireMock],
  ] as const) {
    try {
      running.push(await begin(text));
    } catch (error) {
      process.stderr.write(`${name} is not measured: ${(error as Error).message.split('\n')[0]}\n`);
    }
  }
  return running;
}
