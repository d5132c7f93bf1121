import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, SandboxProcess, temporaryDirectory } from './process.js';

/**
 * Measures a built sandbox beside a bare `node:http` server that answers with a resource of the same size, in the same run.
 * `npm run bench -- 100 10000 100000` names how many operations the store holds; the table goes to stdout, the numbers to bench.json.
 */
const sizes = process.argv.slice(2).map(Number);
const rounds = 5;
const roundMs = 1000;
const clients = 16;

const agent = new Agent({ keepAlive: true, maxSockets: clients });
const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const median = (values: readonly number[]) => sorted(values)[values.length >> 1] ?? 0;
const spread = (values: readonly number[]) => `${Math.round(sorted(values)[0] ?? 0)} to ${Math.round(sorted(values).at(-1) ?? 0)}`;

type Call = () => { method: string; path: string; headers?: Record<string, string>; body?: string };

function send(base: string, { method, path, headers, body }: ReturnType<Call>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(base + path, { method, agent, ...(headers ? { headers } : {}) }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Requests per second over one round of some clients that each wait for their answer. */
async function rate(base: string, call: Call): Promise<number> {
  let done = 0;
  const startedMs = performance.now();
  const client = async () => {
    while (performance.now() - startedMs < roundMs) {
      const status = await send(base, call());
      if (status >= 400) throw new Error(`${base} answered with ${status}.`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (done * 1000) / (performance.now() - startedMs);
}

async function startupMs(args: readonly string[], isUp: RegExp | null): Promise<number> {
  const startedMs = performance.now();
  if (isUp === null) spawnSync(process.execPath, args);
  else {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise<void>((resolve) => child.stdout.on('data', (chunk: Buffer) => isUp.test(chunk.toString()) && resolve()));
    child.kill('SIGTERM');
  }
  return performance.now() - startedMs;
}

interface Row {
  readonly operations: number;
  readonly what: string;
  readonly median: number;
  readonly spread: string;
  readonly bare: number;
}

async function measure(operations: number): Promise<Row[]> {
  const sandbox = await SandboxProcess.start(['--data', temporaryDirectory(), '--log-level', 'error', '--scenario', 'manual']);
  const api = await connect(sandbox.url);
  const { body: token } = await fetch(`${sandbox.url}/api/oauth/client/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId: 'sandbox', clientSecret: 'sandbox-secret' }),
  }).then(async (answer) => ({ body: (await answer.json()) as { accessToken: string } }));
  const headers = { authorization: `Bearer ${token.accessToken}` };
  const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING&limit=2');
  const [source, target] = (accounts.data as { id: string }[]).map((each) => each.id);
  const write = (path: string, body: unknown): Call => {
    const text = JSON.stringify(body);
    return () => ({
      method: 'POST',
      path,
      body: text,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': String(text.length), 'x-idempotency-key': randomUUID() },
    });
  };
  const transfer = { sourceAccountId: source, targetAccountId: target, amount: { value: '1.00', asset: 'BRL' } };
  const fill = write('/api/operations/transfer', transfer);
  for (let made = 0; made < operations; made += 100) {
    await Promise.all(Array.from({ length: Math.min(100, operations - made) }, () => send(sandbox.url, fill())));
  }
  const { body: operation, text } = await api('POST', '/api/operations/transfer', transfer);
  const bare = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(operation));
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;
  const calls: [string, Call][] = [
    [`read an operation (${text.length} bytes)`, () => ({ method: 'GET', path: `/api/operations/${operation.id as string}`, headers })],
    ['list 20 accounts', () => ({ method: 'GET', path: '/api/accounts?limit=20', headers })],
    ['create a quote', write('/api/quotes', { accountId: source, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '10.00' })],
    ['create a transfer', fill],
  ];
  const rows: Row[] = [];
  for (const [what, call] of calls) {
    const own: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      own.push(await rate(sandbox.url, call));
      beside.push(await rate(bareUrl, call));
    }
    rows.push({ operations, what: `${what}, requests/s`, median: median(own), spread: spread(own), bare: median(beside) });
  }
  bare.close();
  await sandbox.end('SIGTERM');
  return rows;
}

const startups: number[] = [];
const nodes: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  startups.push(await startupMs(['dist/main.js', '--port', '0', '--data', 'memory', '--log-level', 'error'], /Base URL/));
  nodes.push(await startupMs(['-e', '0'], null));
}
const rows: Row[] = [
  { operations: 0, what: 'start, ms (beside node -e 0)', median: median(startups), spread: spread(startups), bare: median(nodes) },
];
for (const size of sizes.length > 0 ? sizes : [100, 10_000]) rows.push(...(await measure(size)));
agent.destroy();
writeFileSync('bench.json', `${JSON.stringify(rows, null, 2)}\n`);
console.log('| operations in the store | what | median | spread | bare node:http | ratio |\n| --- | --- | --- | --- | --- | --- |');
for (const row of rows) {
  const cells = [row.operations, row.what, Math.round(row.median), row.spread, Math.round(row.bare), (row.median / row.bare).toFixed(2)];
  console.log(`| ${cells.join(' | ')} |`);
}
