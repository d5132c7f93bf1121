import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoadClients, type Round } from '../load.js';
import { clientAt, controlToken, makeWorld } from '../nodes.js';
import { hasPostgres, TestPostgres } from '../postgres-server.js';
import { SandboxProcess, temporaryDirectory, tokenFor } from '../process.js';
import { quantile, rowOf, type Row } from './row.js';

const worlds = 200;
const rounds = 3;
const roundMs = 3000;

/** A client that creates quotes in its own world, one after another. */
interface Writer {
  readonly url: string;
  readonly token: string;
  readonly quote: object;
}

async function writersAt(url: string, owner: string, count: number): Promise<Writer[]> {
  const writers: Writer[] = [];
  for (let index = 0; index < count; index += 1) {
    const world = await makeWorld(owner, `bench-${randomUUID()}`, { fixtures: 'default' });
    const { quote } = await clientAt(owner, world);
    writers.push({ url, token: await tokenFor(owner, world.credentials), quote });
  }
  return writers;
}

/** Runs all writers and returns their combined result. */
async function write(writers: readonly Writer[]): Promise<Round> {
  const done = await Promise.all(
    writers.map(async ({ url, token, quote }) => {
      const clients = await LoadClients.open(url, 1); // The server closes a connection that is idle for long.
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify(quote);
      const round = await clients.round(roundMs, (send) =>
        send({ method: 'POST', path: '/api/quotes', headers: { ...headers, 'x-idempotency-key': randomUUID() }, body }),
      );
      clients.close();
      return round;
    }),
  );
  return {
    perSecond: done.reduce((sum, { perSecond }) => sum + perSecond, 0),
    latenciesMs: done.flatMap(({ latenciesMs }) => latenciesMs),
  };
}

/** Measures transactions that each insert one commit over several connections, with pgbench. @returns transactions per second */
function pgbench(server: TestPostgres, url: string, connections: number): number {
  const directory = mkdtempSync(join(tmpdir(), 'pgbench-'));
  try {
    const script = join(directory, 'append.sql');
    const insert = `INSERT INTO world_commits (world, sequence, epoch, line) VALUES ('pgbench :client_id', :at, 1, repeat('x', 1500))`;
    writeFileSync(script, `\\set at random(1, 1000000000000)\n${insert} ON CONFLICT DO NOTHING;\n`);
    const args = ['-n', '-c', String(connections), '-j', '2', '-T', String(roundMs / 1000), '-f', script, url];
    const { stdout, stderr } = spawnSync(join(server.tools!, 'pgbench'), args, { encoding: 'utf8' });
    const [, perSecond] = /tps = ([0-9.]+)/.exec(stdout) ?? [];
    if (perSecond === undefined) throw new Error(`pgbench failed: ${stderr}`);
    return Number(perSecond);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const flags = ['--control-token', controlToken, '--log-level', 'error', '--max-worlds', '1000', '--world-work-ms', '1000'];

/**
 * Measures nodes with a PostgreSQL that syncs each commit, compared with a directory that does so, and with pgbench and a similar insert.
 */
export async function measureNodes(): Promise<Row[]> {
  if (!hasPostgres) return [];
  const server = await TestPostgres.start(true);
  const directory = temporaryDirectory();
  const database = await server.database();
  const nodes = [await SandboxProcess.start(['--data', database, ...flags]), await SandboxProcess.start(['--data', database, ...flags])];
  const file = await SandboxProcess.start(['--data', directory, '--durability', 'fsync', ...flags]);
  const [one, two] = [nodes[0]!.url, nodes[1]!.url];
  const figures = {
    shared: [] as number[],
    file: [] as number[],
    bench: [] as number[],
    direct: [] as number[],
    hop: [] as number[],
    fileMs: [] as number[],
    append: [] as number[],
  };
  try {
    const shared = await writersAt(one, one, worlds);
    const filed = await writersAt(file.url, file.url, worlds);
    const [direct, hop, alone] = [await writersAt(one, one, 1), await writersAt(two, one, 1), await writersAt(file.url, file.url, 1)];
    for (let round = 0; round < rounds; round += 1) {
      figures.shared.push((await write(shared)).perSecond);
      figures.file.push((await write(filed)).perSecond);
      figures.bench.push(pgbench(server, database, 16));
      const before = await appends(one);
      figures.direct.push(quantile((await write(direct)).latenciesMs));
      const after = await appends(one);
      figures.append.push(((after.seconds - before.seconds) * 1000) / (after.count - before.count));
      figures.hop.push(quantile((await write(hop)).latenciesMs));
      figures.fileMs.push(quantile((await write(alone)).latenciesMs));
    }
  } finally {
    for (const each of [...nodes, file]) await each.end('SIGTERM');
    await server.stop();
    rmSync(directory, { recursive: true });
  }
  return [
    rowOf(0, `${worlds} worlds create quotes at one node, requests/s (against a directory with fsync)`, figures.shared, figures.file),
    rowOf(
      0,
      `${worlds} worlds create quotes at one node, requests/s (against pgbench, one insert in each of 16 connections)`,
      figures.shared,
      figures.bench,
    ),
    rowOf(0, 'one world creates quotes at its node, median ms (against a directory with fsync)', figures.direct, figures.fileMs),
    rowOf(0, 'of that the statement that appends, mean ms (against all of it)', figures.append, figures.direct),
    rowOf(0, 'one world creates quotes through another node, median ms (against its own)', figures.hop, figures.direct),
  ];
}

/** Returns the number of appends of a node and their total time. */
async function appends(url: string): Promise<{ count: number; seconds: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = (what: string) => Number(new RegExp(`^sandbox_append_duration_seconds_${what} (.+)$`, 'm').exec(text)?.[1]);
  return { count: value('count'), seconds: value('sum') };
}
