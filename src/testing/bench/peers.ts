import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { usedUs } from './cpu.js';
import { startOtherServers } from './other-servers.js';
import { rowOf, type Row } from './row.js';
import { startBare } from './server.js';
import { LoadClients, type LoadRequest } from '../load.js';
import { connect, SandboxProcess, temporaryDirectory, tokenFor } from '../process.js';

const rounds = 7;
const calls = { read: 10_000, transfer: 3000 } as const;

type Kind = keyof typeof calls;

/** A server, and the requests that it is measured with. */
interface Peer {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  readonly shots: Readonly<Partial<Record<Kind, () => LoadRequest>>>;
  readonly close: () => unknown;
}

/** Starts a sandbox with everything on: record, findings, coverage, metrics, log at info to a file, state on disk. */
async function startSandbox(name: string, main?: string): Promise<Peer & { readonly shots: Record<Kind, () => LoadRequest> }> {
  const log = join(temporaryDirectory(), 'log');
  const args = ['--data', temporaryDirectory(), '--scenario', 'manual', '--max-rows', '1000000000'];
  const command = ['sh', '-c', `${main === undefined ? '' : `shift 2; set -- node ${main} "$@"; `}exec "$@" 2> ${log}`, 'sh'];
  const server = await SandboxProcess.start(args, {}, false, command);
  const api = await connect(server.url);
  const headers = { authorization: `Bearer ${await tokenFor(server.url)}` };
  const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING&limit=2');
  const [sourceAccountId, targetAccountId] = (accounts.data as { id: string }[]).map(({ id }) => id);
  const transfer = { sourceAccountId, targetAccountId, amount: { value: '1.00', asset: 'BRL' } };
  const { body: made } = await api('POST', '/api/operations/transfer', transfer);
  const read: LoadRequest = { method: 'GET', path: `/api/operations/${made.id as string}`, headers };
  const body = JSON.stringify(transfer);
  const write = (): LoadRequest => ({
    method: 'POST',
    path: '/api/operations/transfer',
    headers: { ...headers, 'content-type': 'application/json', 'x-idempotency-key': randomUUID() },
    body,
  });
  return { name, pid: server.pid, url: server.url, shots: { read: () => read, transfer: write }, close: () => server.end('SIGKILL') };
}

/** Measures the processor time of one request to a server, in microseconds. */
async function costOf({ pid, url, shots }: Peer, kind: Kind): Promise<number> {
  // A server closes idle connections.
  const clients = await LoadClients.open(url, 16);
  const before = usedUs(pid);
  await clients.send(calls[kind], shots[kind]!);
  clients.close();
  return (usedUs(pid) - before) / calls[kind];
}

/**
 * Measures the processor time of a read and of a durable transfer in the process of the server, next to a bare server, and next to an
 * earlier build of the sandbox whose package directory is in the variable BEFORE, and next to other servers that npm can install.
 */
export async function measurePeers(): Promise<Row[]> {
  const own = await startSandbox('sandbox');
  const { BEFORE: before } = process.env;
  const earlier = before === undefined ? [] : [await startSandbox('the build before', join(before, 'dist/main.cjs'))];
  const { path, headers = {} } = own.shots.read();
  const text = await (await fetch(own.url + path, { headers })).text();
  const bare = await startBare(text);
  const appending = await startBare(text, join(temporaryDirectory(), 'answers'));
  const others = await startOtherServers(text);
  const rows: Row[] = [];
  for (const [kind, { pid, url, close }, what] of [
    ['read', bare, 'a bare server'],
    ['transfer', appending, 'a bare server that appends to a file'],
  ] as const) {
    const peers: Peer[] = [own, ...earlier, ...others, { name: what, pid, url, shots: own.shots, close }].filter(
      (each) => each.shots[kind],
    );
    const costs = peers.map((): number[] => []);
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, peer] of peers.entries()) {
        const cost = await costOf(peer, kind);
        if (round > 0) costs[index]!.push(cost); // The first round is a warm-up.
      }
    }
    const reference = costs.at(-1)!;
    for (const [index, { name }] of peers.slice(0, -1).entries())
      rows.push(rowOf(0, `${kind}, ${name}, µs of CPU (against: ${what})`, costs[index]!, reference));
  }
  bare.close();
  appending.close();
  await Promise.all([own, ...earlier, ...others].map(({ close }) => close()));
  return rows;
}
