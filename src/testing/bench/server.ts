import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { quantile, rowOf, type Row } from './row.js';
import { LoadClients, type LoadResponse, type Round, type LoadRequest } from '../load.js';
import { call, connect, SandboxProcess, temporaryDirectory, tokenFor } from '../process.js';

const clients = 16;
const rounds = 5;
const roundMs = 1000;

/**
 * A bare `node:http` server in a separate process: parses a JSON body and responds with a resource as JSON. With a file, it appends each
 * POST response to the file before sending.
 */
const bareServer = `
  const resource = JSON.parse(process.argv[1]);
  const file = process.argv[2] && require('node:fs').promises.open(process.argv[2], 'a');
  const answer = (response, text) => response.setHeader('Content-Type', 'application/json').end(text);
  require('node:http').createServer((request, response) => {
    if (request.method === 'GET') return answer(response, JSON.stringify(resource));
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk)).on('end', async () => {
      JSON.parse(Buffer.concat(chunks));
      const text = JSON.stringify(resource);
      if (file) await (await file).appendFile(text + '\\n');
      answer(response, text);
    });
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

/** Starts a bare server. @param file path of the file to which it appends; empty for none */
export async function startBare(resource: string, file = '') {
  const child = spawn(process.execPath, ['-e', bareServer, resource, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${Number(port)}`, pid: child.pid!, close: () => child.kill('SIGKILL') };
}

/** Requests that clients repeat. */
interface Script {
  readonly what: string;
  readonly run: (send: (shot: LoadRequest) => Promise<LoadResponse>) => Promise<unknown>;
  /** True for a write, which is also compared with a server that writes to a file. */
  readonly writes?: true;
  /** True if response times are printed as well. */
  readonly timed?: true;
}

interface Payee {
  readonly id: string;
  readonly paymentInstructions: readonly { readonly id: string; readonly asset: string; readonly status: string }[];
}

/** Measures requests to a built sandbox with this number of stored operations, next to a bare server with the same requests. */
export async function measureServer(operations: number): Promise<Row[]> {
  const sandbox = await SandboxProcess.start([
    '--data',
    temporaryDirectory(),
    '--log-level',
    'error',
    '--scenario',
    'manual',
    '--max-rows',
    '1000000000',
  ]);
  const api = await connect(sandbox.url);
  const headers = { authorization: `Bearer ${await tokenFor(sandbox.url)}` };
  const get = (path: string): LoadRequest => ({ method: 'GET', path, headers });
  const post = (path: string, body: unknown): LoadRequest => ({
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json', 'x-idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  });
  const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING&limit=2');
  const [source, target] = (accounts.data as { id: string }[]).map((each) => each.id);
  const transfer = { sourceAccountId: source, targetAccountId: target, amount: { value: '1.00', asset: 'BRL' } };
  const quote = { accountId: source, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10.00' };
  const { body: beneficiaries } = await call(sandbox.url, 'GET', '/_sandbox/beneficiaries');
  const payee = (beneficiaries.data as Payee[]).find(
    ({ paymentInstructions: [first] }) => first?.asset === 'BRL' && first.status === 'APPROVED',
  )!;
  const paymentInstruction = { type: 'REFERENCE', id: payee.paymentInstructions[0]!.id };
  const beneficiary = { type: 'REFERENCE', id: payee.id, paymentInstruction };

  const filling = await LoadClients.open(sandbox.url, 64);
  await filling.send(operations, () => post('/api/operations/transfer', transfer));
  filling.close();
  const { body: operation, text } = await api('POST', '/api/operations/transfer', transfer);
  const day = (operation.createdAt as string).slice(0, 10);
  const scripts: Script[] = [
    { what: `read an operation (${text.length} bytes)`, run: (send) => send(get(`/api/operations/${operation.id as string}`)) },
    { what: 'list 20 accounts', run: (send) => send(get('/api/accounts?limit=20')) },
    {
      what: 'report on an hour',
      run: (send) => send(get(`/api/reports?periodStart=${day}T00:00:00Z&periodEnd=${day}T01:00:00Z`)),
    },
    { what: 'create a quote', writes: true, run: (send) => send(post('/api/quotes', quote)) },
    { what: 'request a transfer', writes: true, timed: true, run: (send) => send(post('/api/operations/transfer', transfer)) },
    {
      what: 'create a quote and request a withdrawal',
      writes: true,
      run: async (send) => {
        const { body } = await send(post('/api/quotes', quote));
        const { id: quoteId } = JSON.parse(body) as { id: string };
        await send(post('/api/operations/withdrawal', { accountId: source, quoteId, beneficiary }));
      },
    },
  ];
  const bare = await startBare(text);
  const keeping = await startBare(text, join(temporaryDirectory(), 'answers'));
  const rows: Row[] = [];
  for (const script of scripts) {
    rows.push(...(await measure(operations, script, sandbox.url, bare.url)));
    if (!script.writes) continue;
    const what = `${script.what} (against: a bare server that appends to a file)`;
    rows.push(...(await measure(operations, { what, run: script.run }, sandbox.url, keeping.url)));
  }
  bare.close();
  keeping.close();
  await sandbox.end('SIGTERM');
  return rows;
}

/** Runs rounds of a script, alternating between the sandbox and the bare server. */
async function measure(operations: number, { what, run, timed }: Script, url: string, bareUrl: string): Promise<Row[]> {
  const own: Round[] = [];
  const reference: Round[] = [];
  const [ownClients, bareClients] = [await LoadClients.open(url, clients), await LoadClients.open(bareUrl, clients)];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = [await ownClients.round(roundMs, run), await bareClients.round(roundMs, run)] as const;
    if (round === 0) continue; // Warm-up.
    own.push(pair[0]);
    reference.push(pair[1]);
  }
  ownClients.close();
  bareClients.close();
  const waits = (of: readonly Round[], share: number) => of.map(({ latenciesMs }) => quantile(latenciesMs, share));
  return [
    rowOf(
      operations,
      `${what}, requests/s`,
      own.map((each) => each.perSecond),
      reference.map((each) => each.perSecond),
    ),
    ...(timed
      ? [
          rowOf(operations, `${what}, median ms`, waits(own, 0.5), waits(reference, 0.5)),
          rowOf(operations, `${what}, 99th percentile ms`, waits(own, 0.99), waits(reference, 0.99)),
        ]
      : []),
  ];
}
