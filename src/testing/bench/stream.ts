import { connect as connectSocket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { EventReader } from '../event-reader.js';
import { LoadClients, type LoadRequest } from '../load.js';
import { SandboxProcess, tokenFor, type Holdings } from '../process.js';
import { quantile, rowOf, type Row } from './row.js';

const readers = 8;
const eventsPerSecond = 1000;
const seconds = 20;
/** Number of events after which a reader disconnects and resumes after the last event. */
const cutAfter = 1500;

/**
 * Reads the stream of a world and sometimes reconnects. Returns the delay of each event in milliseconds.
 * @throws Error if an event is missing or repeated
 */
async function follow(url: string, total: number, onReady: () => void): Promise<number[]> {
  const lags: number[] = [];
  let lastId = '';
  let lastSeq: number | null = null;
  while (lags.length < total) {
    const headers: Record<string, string> = lastId === '' ? {} : { 'last-event-id': lastId };
    const reader = new EventReader(await fetch(`${url}/_sandbox/stream?kinds=REQUEST`, { headers }));
    await reader.until(({ event }) => event === 'ready');
    onReady();
    for (let taken = 0; taken < cutAfter && lags.length < total; taken += 1) {
      const [event] = await reader.take(1);
      if (event!.event !== 'message') throw new Error(`A reader got the event type ${event!.event} after ${lags.length} events.`);
      const { seq, realAt } = event!.data as { seq: number; realAt: string };
      if (lastSeq !== null && seq <= lastSeq) throw new Error(`A reader got event ${seq} after ${lastSeq}.`);
      lags.push(Date.now() - Date.parse(realAt));
      [lastId, lastSeq] = [event!.id, seq];
    }
    await reader.close();
  }
  return lags;
}

const megabytes = ({ heapUsed, external }: Holdings) => (heapUsed + external) / 1e6;

/** Sends reads at an even rate. Each causes one event. */
async function send(clients: LoadClients, shot: LoadRequest): Promise<void> {
  const perTick = eventsPerSecond / 50;
  const startedMs = performance.now();
  for (let tick = 0; tick < seconds * 50; tick += 1) {
    await clients.send(perTick, () => shot);
    await wait(Math.max(startedMs + (tick + 1) * 20 - performance.now(), 0));
  }
}

/** Measures the delay of events for readers, some of which reconnect, and the cost of a reader that does not read. */
export async function measureStream(): Promise<Row[]> {
  const sandbox = await SandboxProcess.start(
    ['--data', 'memory', '--log-level', 'error', '--scenario', 'manual', '--record-mib', '0'],
    {},
    true,
  );
  const { url } = sandbox;
  const shot: LoadRequest = {
    method: 'GET',
    path: '/api/accounts?limit=1',
    headers: { authorization: `Bearer ${await tokenFor(url)}` },
  };
  const clients = await LoadClients.open(url, 4);
  const run = async (count: number) => {
    const lags: Promise<number[]>[] = [];
    for (let reader = 0; reader < count; reader += 1)
      await new Promise<void>((ready) => lags.push(follow(url, eventsPerSecond * seconds, ready)));
    await send(clients, shot);
    return (await Promise.all(lags)).flat();
  };
  const alone = await run(1);
  const before = await sandbox.holdings();
  const stalled = connectSocket(Number(new URL(url).port), '127.0.0.1').pause();
  stalled.write('GET /_sandbox/stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const many = await run(readers);
  const after = await sandbox.holdings();
  stalled.destroy();
  clients.close();
  await sandbox.end('SIGTERM');
  const what = `an event at ${eventsPerSecond} a second to each of ${readers} readers that are cut every ${cutAfter}`;
  return [
    rowOf(0, `${what}, ms (against: one reader)`, many, alone),
    rowOf(0, `${what}, the slowest of a thousand, ms (against: one reader)`, [quantile(many, 0.999)], [quantile(alone, 0.999)]),
    rowOf(0, 'what is held once a reader has not read 20,000 events, MB (against: before)', [megabytes(after)], [megabytes(before)]),
  ];
}
