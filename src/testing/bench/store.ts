import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile, rowOf, type Row } from './row.js';
import { connect, SandboxProcess, temporaryDirectory, tokenFor } from '../process.js';
import { storeOperations } from '../stored-operations.js';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Figures that the process reports about itself. */
interface Health {
  readonly rss: number;
  /** Longest stall of the event loop since the last report, in milliseconds. */
  readonly stallMs: number;
}

/** Code that is loaded into a process before its program. On SIGUSR2, it writes a {@link Health} report. */
const preload = `
import { writeFileSync, renameSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('SIGUSR2', () => {
  const file = process.env.HEALTH_FILE;
  writeFileSync(file + '.new', JSON.stringify({ rss: process.memoryUsage.rss(), stallMs: delay.max / 1e6 }));
  renameSync(file + '.new', file);
  delay.reset();
});
`;

const agent = new Agent({ keepAlive: true });

/** Sends a request and waits for the complete response. @returns the duration in milliseconds */
function timed(base: string, { method, path, headers = {}, body }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const sent = request(base + path, { method, agent, headers }, (answer) => {
      const { statusCode = 0 } = answer;
      answer.resume();
      answer.on('end', () =>
        statusCode < 400 ? resolve(performance.now() - startedMs) : reject(new Error(`${method} ${path}: ${statusCode}`)),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function times(base: string, count: number, next: () => Call): Promise<number[]> {
  const taken: number[] = [];
  for (let index = 0; index < count; index += 1) taken.push(await timed(base, next()));
  return taken;
}

/** Sends requests with several clients for `ms` milliseconds. */
async function load(base: string, clients: number, ms: number, next: () => Call): Promise<void> {
  const untilMs = performance.now() + ms;
  const client = async () => {
    while (performance.now() < untilMs) await timed(base, next());
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/** A process that runs {@link preload}. */
class Watched {
  readonly #pid: number;
  readonly #healthFile: string;
  readonly end: () => Promise<unknown>;

  private constructor(pid: number, healthFile: string, end: () => Promise<unknown>) {
    this.#pid = pid;
    this.#healthFile = healthFile;
    this.end = end;
  }

  /** Starts a built sandbox. */
  static async sandbox(data: string): Promise<Watched & { readonly url: string }> {
    const environment = watchEnvironment();
    const server = await SandboxProcess.start(['--data', data, '--log-level', 'error', '--max-rows', '1000000000'], environment);
    const watched = new Watched(server.pid, environment.HEALTH_FILE, () => server.end('SIGTERM'));
    return Object.assign(watched, { url: server.url });
  }

  /** Starts an idle process, whose stalls are caused by the machine. */
  static async idle(): Promise<Watched> {
    const environment = watchEnvironment();
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000); console.log("up")'], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return new Watched(child.pid!, environment.HEALTH_FILE, () => {
      child.kill();
      return once(child, 'exit');
    });
  }

  async health(): Promise<Health> {
    rmSync(this.#healthFile, { force: true });
    process.kill(this.#pid, 'SIGUSR2');
    for (;;) {
      await wait(10);
      try {
        return JSON.parse(readFileSync(this.#healthFile, 'utf8')) as Health;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  /** Returns the resident memory after it has stopped shrinking, in bytes. */
  async settledRss(): Promise<number> {
    let rss = (await this.health()).rss;
    for (let same = 0; same < 4;) {
      await wait(500);
      const next = (await this.health()).rss;
      same = Math.abs(next - rss) < 1_000_000 ? same + 1 : 0;
      rss = next;
    }
    return rss;
  }
}

function watchEnvironment() {
  const directory = temporaryDirectory();
  const watch = join(directory, 'watch.mjs');
  writeFileSync(watch, preload);
  return { NODE_OPTIONS: `--import ${watch}`, HEALTH_FILE: join(directory, 'health.json') };
}

/**
 * Measures the cost of stored operations in a built sandbox: memory, start, writes, stalls, reports and lists. Sizes are in bytes, times
 * in milliseconds. `bare` is, for memory, the text of an operation in `db.json` or Node.js itself; for the start, an empty sandbox; for
 * stalls, an idle process; otherwise a bare `node:http` server.
 */
export async function measureStore(operations: number): Promise<Row[]> {
  const rows: Row[] = [];
  const add = (what: string, values: readonly number[], bare: number) => rows.push(rowOf(operations, what, values, [bare]));
  const data = temporaryDirectory();
  await storeOperations(data, operations);
  const { size } = statSync(join(data, 'db.json'));
  const bare = createServer((asked, answer) => {
    asked.resume();
    asked.on('end', () => answer.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;

  const started: number[] = [];
  const startedEmpty: number[] = [];
  const rss: number[] = [];
  const emptyRss: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (const [directory, taken, memory] of [
      [temporaryDirectory(), startedEmpty, emptyRss],
      [data, started, rss],
    ] as const) {
      const startedMs = performance.now();
      const sandbox = await Watched.sandbox(directory);
      taken.push(performance.now() - startedMs);
      memory.push(await sandbox.settledRss());
      await sandbox.end();
    }
  }
  add('start with them, ms (against an empty sandbox)', started, quantile(startedEmpty));
  const node = await Watched.idle();
  add('empty sandbox, bytes resident (against an idle process)', emptyRss, await node.settledRss());
  await node.end();
  const empty = quantile(emptyRss);
  add(
    'memory per operation, bytes (against its text)',
    rss.map((each) => (each - empty) / operations),
    size / operations,
  );

  const sandbox = await Watched.sandbox(data);
  const api = await connect(sandbox.url);
  const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING&limit=2');
  const [source, target] = (accounts.data as { id: string }[]).map((each) => each.id);
  const authorization = `Bearer ${await tokenFor(sandbox.url)}`;
  const body = JSON.stringify({ sourceAccountId: source, targetAccountId: target, amount: { value: '1.00', asset: 'BRL' } });
  const transfer = (): Call => ({
    method: 'POST',
    path: '/api/operations/transfer',
    body,
    headers: {
      authorization,
      'content-type': 'application/json',
      'content-length': String(body.length),
      'x-idempotency-key': randomUUID(),
    },
  });
  const get = (path: string) => (): Call => ({ method: 'GET', path, headers: { authorization } });
  const { body: subscriptions } = await api('GET', '/api/subscriptions');
  const subscription = (subscriptions.data as { id: string }[])[0]!.id;

  await times(sandbox.url, 300, transfer);
  const own = await times(sandbox.url, 2000, transfer);
  const reference = await times(bareUrl, 2000, transfer);
  add('write, ms', own, quantile(reference));
  add('slowest write of a hundred, ms', [quantile(own, 0.99)], quantile(reference, 0.99));
  for (const [what, path] of [
    ['report over all of them, ms', '/api/reports?periodStart=2020-01-01T00:00:00Z&periodEnd=2040-01-01T00:00:00Z'],
    ['page of 10 operations, ms', '/_sandbox/operations'],
    ['page of 100 execution logs, ms', `/api/subscriptions/${subscription}/executionLogs?limit=100`],
  ] as const) {
    await times(sandbox.url, 20, get(path));
    add(what, await times(sandbox.url, 200, get(path)), quantile(await times(bareUrl, 200, get(path))));
  }
  rows.push(await measureStalls(operations, sandbox, data, transfer));
  await sandbox.end();
  bare.close();
  rmSync(data, { recursive: true });
  return rows;
}

/** Measures the longest stall of each second during writes, until a checkpoint ends. */
async function measureStalls(operations: number, sandbox: Watched & { url: string }, data: string, transfer: () => Call): Promise<Row> {
  const idle = await Watched.idle();
  const stalls: number[] = [];
  const machine: number[] = [];
  const second = async () => {
    await load(sandbox.url, 8, 1000, transfer);
    stalls.push((await sandbox.health()).stallMs);
    machine.push((await idle.health()).stallMs);
  };
  const written = () => statSync(join(data, 'db.json')).mtimeMs;
  const before = written();
  await Promise.all([sandbox.health(), idle.health()]);
  for (let seconds = 0; seconds < 3; seconds += 1) await second();
  for (let waited = 0; !existsSync(join(data, 'db.json.new')) && written() === before; waited += 1) {
    if (waited === 30_000) throw new Error('There was no checkpoint.');
    await wait(10); // Continues after a second without activity, and after enough time since the last checkpoint.
  }
  for (let seconds = 0; seconds < 60; seconds += 1) {
    await second();
    if (!existsSync(join(data, 'db.json.new'))) break;
  }
  await idle.end();
  const longest = Math.max(...stalls);
  return {
    ...rowOf(operations, 'longest stall under writes and a checkpoint, ms (against an idle process)', stalls, [Math.max(...machine)]),
    median: longest,
  };
}
