import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../server/options.js';
import { startServer, type RunningServer } from '../../server/server.js';
import { connectTo } from '../../testing/unfinished-requests.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
});
afterAll(() => server.close());

const large = 'x'.repeat(900_000);

/** Connects a listener that reads nothing until it is resumed. */
async function stoppedReader(name: string): Promise<Socket> {
  const socket = connectTo(server.url);
  socket.write(`GET /_sandbox/listeners/${name}/attempts HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, 'data');
  return socket.pause();
}

/** Returns all data of a socket up to a string. */
async function readUntil(socket: Socket, text: string): Promise<string> {
  let received = '';
  socket.setEncoding('latin1').resume();
  for await (const [chunk] of on(socket)) {
    received += chunk;
    if (received.includes(text)) break;
  }
  socket.destroy();
  return received;
}

async function* on(socket: Socket): AsyncGenerator<[string]> {
  for (;;) yield (await once(socket, 'data', { signal: AbortSignal.timeout(10_000) })) as [string];
}

const post = (name: string, body: string, signal?: AbortSignal) =>
  fetch(`${server.url}/_sandbox/listeners/${name}`, { method: 'POST', body, ...(signal && { signal }) });

const waitingBytes = (name: string) => server.sandbox.listeners.waitingBytes(server.sandbox.world('default'), name);

describe('a listener whose client stops reading', () => {
  it('has no waiting webhooks whose sender has disconnected', async () => {
    const reader = await stoppedReader('left');
    for (let count = 0; count < 30; count += 1) {
      const leaving = new AbortController();
      const sent = post('left', large, leaving.signal).catch(() => null);
      await expect.poll(() => waitingBytes('left'), { interval: 2 }).toBeGreaterThan(900_000);
      leaving.abort();
      await sent;
      await expect.poll(() => waitingBytes('left'), { interval: 2 }).toBe(0);
    }
    const answered = post('left', 'the last one').catch(() => null);
    const received = await readUntil(reader, Buffer.from('the last one').toString('base64'));
    expect(received.length).toBeLessThan(15_000_000); // Data that the system buffered, out of 36 MB.
    server.sandbox.listeners.forget(server.sandbox.world('default'));
    await answered;
  });

  it('is disconnected when more than 16 MiB wait for it; the client and the senders get the reason', async () => {
    const reader = await stoppedReader('stuck');
    const posts = Array.from({ length: 19 }, () => post('stuck', large));
    const answers = await Promise.all(posts);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    const message = /18 webhooks with \d+ bytes are waiting for listener stuck, which does not read them, and was disconnected/;
    expect(await answers[0]!.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(message) });
    expect(await readUntil(reader, 'event: end')).toMatch(/event: end/);
    expect(waitingBytes('stuck')).toBe(0);
  });

  it('receives large webhooks completely when the client reads again', async () => {
    const reader = await stoppedReader('whole');
    const answered = post('whole', large);
    const text = await readUntil(reader, '"}\n\n');
    expect(text.replaceAll(/\r\n[0-9a-f]+\r\n/g, '')).toContain(Buffer.from(large).toString('base64'));
    server.sandbox.listeners.forget(server.sandbox.world('default'));
    expect((await answered).status).toBe(503);
  });
});
