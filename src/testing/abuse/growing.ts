import { once } from 'node:events';
import { LoadClients, type LoadRequest } from '../load.js';
import { call } from '../process.js';
import { connectTo } from '../unfinished-requests.js';
import type { Case, Victim } from './cases.js';

/** Numbers and sizes of the requests that make one thing grow. */
export interface GrowingExtent {
  /** Size of each body of one repeated character, in bytes. */
  readonly characterBytes: number;
  /** Number of worlds that store an exploration of 1 MB. */
  readonly explorations: number;
  /** Number of messages of senders without a signature. */
  readonly inboxMessages: number;
  /** Number of calls that a fault of 60 s holds. */
  readonly heldCalls: number;
}

const json = { 'content-type': 'application/json' };

/** Returns bodies of one repeated character or token for every reader of rows. */
export function characters({ world }: Victim, { characterBytes: length }: GrowingExtent): Case[] {
  const asTester = { 'x-sandbox-world': world };
  const fill = (start: string, part: string) => (start + part.repeat(Math.ceil(length / part.length))).slice(0, length);
  const send = (method: string, path: string, type: string, start: string, part: string): Case => ({
    name: `characters: ${JSON.stringify(part)} after ${JSON.stringify(start)}: ${method} ${path}`,
    method,
    path,
    headers: { ...asTester, 'content-type': type },
    body: fill(start, part),
  });
  const tokens = [':', '{', '[', ']', '"', ',', '\\', ' ', '\n', '{}', '[]', '""', '"a":', '1', '-', 'é'];
  const csv = [',', '"', '\n', '\r', ';', '\t', 'a', '""', ',\n', '\u0000'];
  return [
    ...['', '{"a"', '{"operations":[', '{"tables":{"accounts":['].flatMap((start) =>
      tokens.flatMap((part) => [
        send('POST', '/_sandbox/reconcile', 'application/json', start, part),
        send('PUT', '/_sandbox/state', 'application/json', start, part),
      ]),
    ),
    ...['', 'id,status\n'].flatMap((start) =>
      csv.map((part) => send('POST', '/_sandbox/reconcile?section=operations', 'text/csv', start, part)),
    ),
  ];
}

/** Returns verifications, reconciliations and explanations whose work is a product of two large numbers. */
export function conditions({ world }: Victim): Case[] {
  const post = (name: string, path: string, body: object): Case => ({
    name: `conditions: ${name}`,
    method: 'POST',
    path,
    headers: { ...json, 'x-sandbox-world': world },
    body: JSON.stringify(body),
  });
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_each, index) => [`f${index}`, 'x'.repeat(20)]));
  const rows = (row: object) => ({ operations: Array.from({ length: 9999 }, () => row) });
  return [
    post('9,900 conditions', '/_sandbox/requests/verify', { match: { body: fields(9900) }, count: 0 }),
    post('100 conditions', '/_sandbox/requests/verify', { match: { body: fields(100) }, count: 0 }),
    post('100 conditions that nothing meets', '/_sandbox/requests/verify', { match: { body: fields(100) }, count: 1 }),
    post('50 steps of 200 conditions', '/_sandbox/requests/verify', {
      sequence: Array.from({ length: 50 }, () => ({ body: fields(190) })),
    }),
    post('9,999 rows without keys', '/_sandbox/reconcile', rows({ source: { value: '1.00', asset: 'BRL' }, at: '2026-11-21T12:00:00Z' })),
    post('9,999 rows of one id', '/_sandbox/reconcile', rows({ id: '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417', status: 'COMPLETED' })),
  ];
}

/** Stores the largest exploration in many worlds, and resets and deletes them. */
export async function explorations(url: string, { explorations: count }: GrowingExtent): Promise<void> {
  const sentence = 'x'.repeat(500);
  const failure = {
    deviations: [],
    shrunkFrom: [],
    stability: { kind: 'STABLE', runs: [1, 1] },
    point: 'AFTER_DELIVERY',
    differences: [],
    effects: [],
    money: [],
    evidence: Array.from({ length: 20 }, () => sentence),
    how: 'x'.repeat(2000),
    savedAs: null,
    schedules: 1,
  };
  const exploration = {
    verdict: 'FAILED',
    seed: 1,
    baseline: { events: [], writes: [], deviations: [] },
    tried: { singles: [0, 0], pairs: [0, 0], triples: 0 },
    ended: 'ALL',
    sequences: 0,
    resetMs: 0,
    notOccurred: [],
    unstable: [],
    failures: Array.from({ length: 80 }, () => failure),
  };
  for (let index = 0; index < count; index += 1) {
    const world = `explored-${index}`;
    const headers = { 'x-sandbox-world': world };
    await call(url, 'PUT', `/_sandbox/worlds/${world}?ifExists=replace`, { body: {} });
    const { status, text } = await call(url, 'PUT', '/_sandbox/exploration', { headers, body: exploration });
    if (status !== 200) throw new Error(`The exploration was rejected: ${text.slice(0, 300)}`);
    await call(url, 'POST', '/_sandbox/reset', { headers });
  }
  for (let index = 0; index < count; index += 1) await call(url, 'DELETE', `/_sandbox/worlds/explored-${index}`);
}

/** Floods all inboxes of a world with messages without a signature, over many connections. @throws Error if a message is lost */
export async function inboxSenders(url: string, { world }: Victim, { inboxMessages }: GrowingExtent): Promise<void> {
  const clients = await LoadClients.open(url, 50);
  let sent = 0;
  const shot = (): LoadRequest => ({
    method: 'POST',
    path: `/_sandbox/inbox/flood-${(sent += 1) % 100}?world=${world}`,
    headers: json,
    body: JSON.stringify({ text: 'x'.repeat(20_000) }),
  });
  const statuses = new Set<number>();
  await clients.send(inboxMessages, shot, ({ status }) => statuses.add(status));
  clients.close();
  if ([...statuses].some((status) => status >= 400 && status !== 429)) throw new Error(`Messages got ${[...statuses].join()}.`);
}

/** Sends calls that a fault of 60 s holds, and disconnects. @throws Error if a probe or another call gets no response meanwhile */
export async function heldCalls(url: string, { world, token }: Victim, { heldCalls: count }: GrowingExtent): Promise<void> {
  const headers = { 'x-sandbox-world': world };
  const fault = { on: 'REQUEST', when: { operationId: 'listAccounts' }, times: 1000, effect: { delay: '60s' } };
  const { body } = await call(url, 'POST', '/_sandbox/faults', { headers, body: fault });
  const sockets = Array.from({ length: count }, () => connectTo(url));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(`GET /api/accounts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  for (let probe = 0; probe < 10; probe += 1) {
    const { status } = await call(url, 'GET', '/_sandbox/health/live');
    if (status !== 200) throw new Error(`A probe got ${status}.`);
  }
  for (const socket of sockets) socket.destroy();
  await call(url, 'DELETE', `/_sandbox/faults/${body.id}`, { headers });
}
