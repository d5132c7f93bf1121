import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestResponse } from './calls.js';
import { root } from './root.js';

let main = join(root, 'dist/main.cjs');

/** Returns the path of the built command that {@link SandboxProcess} starts. */
export const builtMain = (): string => main;

/** Makes {@link SandboxProcess} start the command of another build from now on. @param directory of its package. Default: this one */
export function useBuild(directory = root): void {
  main = join(directory, 'dist/main.cjs');
}

/** Creates a temporary directory for a test's data. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'crossborder-sandbox-'));
}

/** Memory of a process after garbage collection in bytes, and the number of resources that keep the process alive, by kind. */
export interface Holdings {
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
  /** The part that V8 reserves for new objects: about 32 MiB, which V8 releases and reserves again at any time. */
  readonly young: number;
  readonly resources: Readonly<Record<string, number>>;
}

/** Code that runs in the sandbox process before the command, and reports its memory over the channel on request. */
const probe = `
  import v8 from 'node:v8'; import vm from 'node:vm';
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc');
  process.on('message', async () => {
    for (let round = 0; round < 4; round += 1) { gc(); await new Promise((done) => setTimeout(done, 20)); }
    const { heapUsed, external, rss } = process.memoryUsage();
    const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').physical_space_size;
    const resources = {};
    for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
    process.send({ heapUsed, external, rss, young, resources });
  });
  process.channel.unref();`;

/** The built command as a separate process on a free port. */
export class SandboxProcess {
  readonly url: string;
  readonly output: string[];
  readonly #child: ChildProcess;

  private constructor(url: string, output: string[], child: ChildProcess) {
    this.url = url;
    this.output = output;
    this.#child = child;
  }

  /**
   * Starts the command and waits until it is ready.
   * @param isProbed true if its memory will be measured
   * @param within words of another command, which gets the sandbox command as its arguments
   * @throws Error with the output if the process ends earlier
   */
  static async start(
    args: readonly string[] = [],
    environment: Record<string, string> = {},
    isProbed = false,
    within: readonly string[] = [],
  ): Promise<SandboxProcess> {
    const child = launch(args, environment, isProbed, within);
    const output: string[] = [];
    child.stderr!.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout! }).on('line', (line) => {
        output.push(line);
        const found = /Base URL\s+(\S+)/.exec(line)?.[1];
        if (found) resolve(found);
      });
      child.once('exit', (code) => reject(new Error(`The sandbox ended with ${code}: ${output.join('\n')}`)));
    });
    return new SandboxProcess(url, output, child);
  }

  /** Resolves at the end of the process with its exit code or signal. */
  get ended(): Promise<number | NodeJS.Signals | null> {
    return once(this.#child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Starts the command and kills it after some time, usually before it is ready. */
  static async interrupt(args: readonly string[], afterMs: number): Promise<void> {
    const child = launch(args, {}, false);
    const exited = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    await exited;
    clearTimeout(timer);
  }

  /** Returns the memory after garbage collection. Requires a probed process. */
  async holdings(): Promise<Holdings> {
    const answer = once(this.#child, 'message') as Promise<[Holdings]>;
    this.#child.send('holdings');
    return (await answer)[0];
  }

  /** Sends a signal and waits for the end. @returns the exit code; null if the signal killed the process */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const exited = once(this.#child, 'exit') as Promise<[number | null]>;
    this.#child.kill(signal);
    return (await exited)[0];
  }
}

function launch(
  args: readonly string[],
  environment: Record<string, string>,
  isProbed: boolean,
  within: readonly string[] = [],
): ChildProcess {
  const preload = isProbed ? ['--import', `data:text/javascript,${encodeURIComponent(probe)}`] : [];
  const cwd = temporaryDirectory();
  const words = [...within, process.execPath, ...preload, main, '--port', '0', ...args];
  const child = spawn(words[0]!, words.slice(1), {
    cwd,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(isProbed ? (['ipc'] as const) : [])],
  });
  child.once('exit', () => rmSync(cwd, { recursive: true, force: true }));
  return child;
}

/** Sends a request, like `fetch`. */
export type Send = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: () => Promise<string> }>;

/** Calls a server over a real socket and parses its JSON response. */
export async function call(
  url: string,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string>; send?: Send } = {},
): Promise<TestResponse & { text: string }> {
  const hasBody = options.body !== undefined;
  const response = await (options.send ?? fetch)(url + path, {
    method,
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...options.headers },
    ...(hasBody ? { body: JSON.stringify(options.body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers, text };
}

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Returns a token of a world. Default: the default world. */
export async function tokenFor(
  url: string,
  credentials: Credentials = { clientId: 'sandbox', clientSecret: 'sandbox-secret' },
): Promise<string> {
  return (await call(url, 'POST', '/api/oauth/client/token', { body: credentials })).body.accessToken;
}

/**
 * Returns a client of one world over real sockets: with a token, and a new idempotency key for each write.
 * @param send sends a request. Default: `fetch`, which uses any number of connections
 */
export async function connect(url: string, credentials?: Credentials, send?: Send) {
  const authorization = `Bearer ${await tokenFor(url, credentials)}`;
  return (method: string, path: string, requestBody?: unknown, key: string = randomUUID()) =>
    call(url, method, path, {
      ...(requestBody === undefined ? {} : { body: requestBody }),
      headers: { authorization, 'x-idempotency-key': key },
      ...(send === undefined ? {} : { send }),
    });
}

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Starts a webhook endpoint on a real socket, which stores all received webhooks. @param answer returns a status; null for no response */
export async function startReceiver(port = 0, answer: (webhook: ReceivedWebhook) => number | null = () => 200) {
  const received: ReceivedWebhook[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const webhook = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(webhook);
      const status = answer(webhook);
      if (status !== null) response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return { url, received, close: () => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))) };
}
