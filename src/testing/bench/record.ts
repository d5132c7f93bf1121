import { randomUUID } from 'node:crypto';
import { usedUs } from './cpu.js';
import { rowOf, type Row } from './row.js';
import { LoadClients, type LoadRequest } from '../load.js';
import { connect, SandboxProcess, tokenFor } from '../process.js';

const rounds = 6;
const calls = 10_000;
/** Starts a sandbox and its clients. */
async function start(recordMib: number) {
  const server = await SandboxProcess.start([
    '--data',
    'memory',
    '--log-level',
    'error',
    '--scenario',
    'manual',
    '--record-mib',
    String(recordMib),
  ]);
  const api = await connect(server.url);
  const headers = {
    authorization: `Bearer ${await tokenFor(server.url)}`,
    accept: '*/*',
    'user-agent': 'undici',
    'accept-encoding': 'gzip, deflate',
  };
  const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING&limit=2');
  const [accountId, targetAccountId] = (accounts.data as { id: string }[]).map(({ id }) => id);
  const { body: made } = await api('POST', '/api/operations/transfer', {
    sourceAccountId: accountId,
    targetAccountId,
    amount: { value: '1.00', asset: 'BRL' },
  });
  const read: LoadRequest = { method: 'GET', path: `/api/operations/${made.id as string}`, headers };
  const body = JSON.stringify({ accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10.00' });
  const write = (): LoadRequest => ({
    method: 'POST',
    path: '/api/quotes',
    headers: { ...headers, 'content-type': 'application/json', 'x-idempotency-key': randomUUID() },
    body,
  });
  const cost = async (shot: () => LoadRequest) => {
    // The server closes idle connections.
    const clients = await LoadClients.open(server.url, 16);
    const before = usedUs(server.pid);
    await clients.send(calls, shot);
    clients.close();
    return (usedUs(server.pid) - before) / calls;
  };
  return { read: () => cost(() => read), write: () => cost(write), close: () => server.end('SIGTERM') };
}

/** Measures the processor time of a request with and without recording, in microseconds. */
export async function measureRecord(): Promise<Row[]> {
  const [on, off] = [await start(64), await start(0)];
  const rows: Row[] = [];
  for (const kind of ['read', 'write'] as const) {
    const own: number[] = [];
    const reference: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const pair = [await on[kind](), await off[kind]()] as const;
      if (round === 0) continue; // Warm-up.
      own.push(pair[0]);
      reference.push(pair[1]);
    }
    rows.push(rowOf(0, `${kind} with the record on, µs of CPU (against: off)`, own, reference));
  }
  await Promise.all([on.close(), off.close()]);
  return rows;
}
