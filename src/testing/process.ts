import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root, type Answered } from './harness.js';

/** A directory of its own for a test's data. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'crossborder-sandbox-'));
}

/** The built command as a process of its own, on a free port. */
export class SandboxProcess {
  readonly url: string;
  readonly output: string[];
  readonly #child: ChildProcess;

  private constructor(url: string, output: string[], child: ChildProcess) {
    this.url = url;
    this.output = output;
    this.#child = child;
  }

  /** Starts the command and waits until it says that it is ready. @throws Error with its output when it ends before */
  static async start(args: readonly string[] = [], environment: Record<string, string> = {}): Promise<SandboxProcess> {
    const child = spawn(process.execPath, [join(root, 'dist/main.js'), '--port', '0', ...args], {
      cwd: temporaryDirectory(),
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        output.push(line);
        const found = /Base URL\s+(\S+)/.exec(line)?.[1];
        if (found) resolve(found);
      });
      child.once('exit', (code) => reject(new Error(`The sandbox ended with ${code}: ${output.join('\n')}`)));
    });
    return new SandboxProcess(url, output, child);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Sends a signal and waits for the end. @returns the exit code, null after a signal that killed it */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const exited = once(this.#child, 'exit') as Promise<[number | null]>;
    this.#child.kill(signal);
    return (await exited)[0];
  }
}

/** Calls a server over a real socket and reads its answer as JSON. */
export async function call(
  url: string,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answered & { text: string }> {
  const hasBody = options.body !== undefined;
  const response = await fetch(url + path, {
    method,
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...options.headers },
    ...(hasBody ? { body: JSON.stringify(options.body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers, text };
}

/** A client of one world over real sockets: its credentials exchanged for a token, a new idempotency key for each write. */
export async function connect(
  url: string,
  credentials: { clientId: string; clientSecret: string } = { clientId: 'sandbox', clientSecret: 'sandbox-secret' },
) {
  const { body } = await call(url, 'POST', '/api/oauth/client/token', { body: credentials });
  const authorization = `Bearer ${body.accessToken as string}`;
  return (method: string, path: string, requestBody?: unknown, key: string = randomUUID()) =>
    call(url, method, path, {
      ...(requestBody === undefined ? {} : { body: requestBody }),
      headers: { authorization, 'x-idempotency-key': key },
    });
}

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A webhook endpoint on a real socket that keeps what it gets. */
export async function startReceiver(port = 0, answer: (webhook: ReceivedWebhook) => number = () => 200) {
  const received: ReceivedWebhook[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const webhook = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(webhook);
      response.statusCode = answer(webhook);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return { url, received, close: () => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))) };
}
