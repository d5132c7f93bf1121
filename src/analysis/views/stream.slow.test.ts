import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LoadClients } from '../../testing/load.js';
import { call, SandboxProcess } from '../../testing/process.js';

let sandbox: SandboxProcess;
let clients: LoadClients;
beforeAll(async () => {
  sandbox = await SandboxProcess.start(['--data', 'memory', '--log-level', 'warn'], {}, true);
  clients = await LoadClients.open(sandbox.url, 4);
});
afterAll(async () => {
  clients.close();
  await sandbox.end('SIGTERM');
});

/** Sends `count` requests that appear on the stream of a world. */
const happen = (count: number, world: string) => clients.send(count, () => ({ method: 'GET', path: `/_sandbox/clock?world=${world}` }));

async function open(world: string, lastEventId?: string): Promise<IncomingMessage> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const [response] = (await once(get(`${sandbox.url}/_sandbox/stream?world=${world}`, { headers }), 'response')) as [IncomingMessage];
  return response.setEncoding('utf8');
}

/** Reads a stream over connections that break, and continues after the last item each time. */
class Reader {
  readonly seen: number[] = [];
  gaps = 0;
  #lastEventId: string | undefined;

  constructor(readonly world: string) {}

  /** Reads up to the item with the number `last`, and disconnects after every `cutEvery` items. */
  async read(last: number, cutEvery: number): Promise<void> {
    while ((this.seen.at(-1) ?? 0) < last) {
      const until = Math.min(this.seen.length + cutEvery, last);
      const response = await open(this.world, this.#lastEventId);
      let text = '';
      for await (const chunk of response as AsyncIterable<string>) {
        text += chunk;
        for (let end = text.indexOf('\n\n'); end >= 0 && this.seen.length < until; end = text.indexOf('\n\n')) {
          this.#take(text.slice(0, end));
          text = text.slice(end + 2);
        }
        if (this.seen.length >= until) break; // Leaving the loop breaks the connection with unread items.
      }
    }
  }

  #take(event: string): void {
    const id = /^id: (.*)$/m.exec(event)?.[1];
    if (id !== undefined) this.#lastEventId = id;
    if (/^event: gap$/m.test(event)) this.gaps += 1;
    else if (id !== undefined && !event.includes('event: ready')) this.seen.push(Number(id.split('.')[1]));
  }
}

it('a stream delivers all items once to eight readers that disconnect repeatedly', async () => {
  await call(sandbox.url, 'POST', '/_sandbox/worlds', { body: { name: 'readers' } });
  const total = 4000;
  const first = await open('readers'); // Keeps the feed open.
  await once(first, 'data');
  const readers = Array.from({ length: 8 }, () => new Reader('readers'));
  // All readers start with the stored items after the first request.
  const reading = readers.map((reader, index) => reader.read(total, 300 + 10 * index));
  first.resume();
  for (let done = 0; done < total; done += 500) {
    await happen(500, 'readers');
    // No reader is so far behind that its items are evicted.
    await expect.poll(() => Math.min(...readers.map(({ seen }) => seen.at(-1) ?? 0))).toBeGreaterThan(Math.min(done, total - 500) - 500);
  }
  await Promise.all(reading);
  first.destroy();
  for (const { seen, gaps } of readers) {
    const [from = 0] = seen;
    expect([gaps, seen]).toEqual([0, Array.from({ length: seen.length }, (_each, index) => from + index)]);
  }
}, 120_000);

it('a stream stores nothing for a stalled reader, and sends a gap event instead', async () => {
  await call(sandbox.url, 'POST', '/_sandbox/worlds', { body: { name: 'stalled' } });
  await happen(2000, 'stalled');
  const stalled = await open('stalled');
  stalled.pause();
  const brisk = (await open('stalled')).resume();
  await happen(2500, 'stalled');
  const before = await sandbox.holdings();
  await happen(12_000, 'stalled'); // About 4 MB.
  const after = await sandbox.holdings();
  const held = (each: typeof before) => (each.heapUsed + each.external) / 1024 / 1024;
  expect(held(after) - held(before)).toBeLessThan(2);
  let text = '';
  for await (const chunk of stalled as AsyncIterable<string>) {
    text = (text + chunk).slice(-200_000);
    if (/event: gap\ndata: .*\n\n/.test(text)) break;
  }
  const { from, to } = JSON.parse(/event: gap\ndata: (.*)\n/.exec(text)![1]!) as { from: number; to: number };
  expect(to - from).toBeGreaterThan(2000);
  brisk.destroy();
}, 120_000);
