import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect } from '../testing/process.js';
import { connectTo } from '../testing/unfinished-requests.js';
import { eventLoopQueue } from '../world/turns.js';
import { readSettings } from './options.js';
import { startServer, type RunningServer } from './server.js';

const mib = 1024 * 1024;
let server: RunningServer;
beforeAll(async () => {
  server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', '--body-mib', '1'], {}));
});
afterAll(() => server.close());

const inbox = '/_sandbox/inbox/stalled';
const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

/** Returns the status of a GET request, after reading the response body. */
async function statusOf(path: string): Promise<number> {
  const answer = await fetch(server.url + path);
  await answer.text();
  return answer.status;
}

/** Sends a request with the first `bytes` bytes of its body, and then nothing. */
async function stall(bytes: number): Promise<Socket> {
  const socket = connectTo(server.url);
  socket.write(`POST ${inbox} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${mib}\r\n\r\n`);
  await new Promise<void>((resolve) => socket.write(Buffer.alloc(bytes, ' '), () => resolve()));
  return socket;
}

/** Returns the first line of the next data from the server. */
async function firstLineTo(socket: Socket): Promise<string> {
  const [said] = (await once(socket, 'data')) as [Buffer];
  return said.toString().split('\r\n')[0]!;
}

describe('bodies in progress', () => {
  it('are limited in total, and no longer count when their senders disconnect', async () => {
    let held = await stall(700_000);
    // The sandbox rejects the body that it reads last, which may be the stalled body.
    const refusedNext = async () => {
      if ((await post(inbox, ' '.repeat(600_000))).status === 503) return true;
      held.destroy();
      held = await stall(700_000);
      await post(inbox, '');
      return false;
    };
    await expect.poll(refusedNext).toBe(true);
    const refused = await post(inbox, ' '.repeat(600_000));
    expect(refused.headers.get('retry-after')).toMatch(/^[0-9]+$/);
    expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: {} });
    for (const size of [0, 100, 16_000]) expect((await post(inbox, ' '.repeat(size))).status).toBe(200);
    held.destroy();
    await expect.poll(async () => (await post(inbox, ' '.repeat(600_000))).status).toBe(200);
  });

  it('include large responses until they are read or their clients disconnect', async () => {
    const large = '/_sandbox/inbox/large';
    const list = `${large}/messages?limit=100`;
    for (let count = 0; count < 2; count += 1) await post(large, JSON.stringify({ text: 'x'.repeat(120_000) }));
    const answer = await fetch(server.url + list);
    expect([answer.status, (await answer.text()).length > 240_000]).toEqual([200, true]);
    const silent = connectTo(server.url).pause();
    const ask = () => void silent.write(`GET ${list} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    // The operating system buffers some responses.
    await expect.poll(async () => (ask(), statusOf(list)), { interval: 5 }).toBe(503);
    await expect.poll(() => statusOf(list)).toBe(503);
    silent.destroy();
    await expect.poll(() => statusOf(list)).toBe(200);
  });

  it('exclude responses that are generated while they are sent', async () => {
    const long = '/_sandbox/inbox/long';
    const texts = Array.from({ length: 8 }, (_each, index) => JSON.stringify({ text: 'x'.repeat(100_000), index }));
    for (const text of texts) expect((await post(long, text)).status).toBe(200);
    const answer = await fetch(`${server.url}${long}/messages?limit=100&sortOrder=ASCENDING`);
    const { data, meta } = (await answer.json()) as { data: { body: string }[]; meta: object };
    expect(data.map(({ body }) => body)).toEqual(texts);
    expect(meta).toEqual({ previousCursor: null, nextCursor: null, total: 8 });
  });

  it('are rejected as soon as they exceed the limit, and then no longer count', async () => {
    const first = await stall(900_000);
    const second = await stall(500_000);
    expect(await Promise.race([firstLineTo(first), firstLineTo(second)])).toBe('HTTP/1.1 503 Service Unavailable');
    for (const socket of [first, second]) socket.destroy();
    await expect.poll(async () => (await post(inbox, ' '.repeat(1_000_000))).status).toBe(200);
  });

  it('of clients that disconnect at the same time end in turns, like other work', async () => {
    const turns = vi.spyOn(eventLoopQueue, 'pass');
    const stalled = await Promise.all(Array.from({ length: 20 }, () => stall(10)));
    await post(inbox, '');
    turns.mockClear();
    for (const socket of stalled) socket.destroy();
    await expect.poll(() => turns.mock.calls.length).toBe(20);
    turns.mockRestore();
  });

  it('are received completely in any number of chunks', async () => {
    const socket = connectTo(server.url);
    const text = JSON.stringify({ clientId: 'sandbox', clientSecret: 'sandbox-secret' });
    const pieces = text.split('').map((letter) => `1\r\n${letter}\r\n`);
    const head =
      'POST /api/oauth/client/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    socket.write(`${head}${pieces.join('')}0\r\n\r\n`);
    expect(await firstLineTo(socket)).toBe('HTTP/1.1 200 OK');
    socket.destroy();
  });
});

describe('a body that is too large', () => {
  it('is rejected with a response that the client gets even while it still sends the body', async () => {
    const client = await connect(server.url);
    const [account] = (await client('GET', '/api/accounts')).body.data;
    expect(account.id).toMatch(/-/);
    for (const size of [1, 12, 40]) {
      const answer = await post('/api/oauth/client/token', new Uint8Array(size * mib));
      expect([size, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([size, 413, 'PAYLOAD_TOO_LARGE']);
    }
  });

  it('is rejected even without Content-Length', async () => {
    const pieces = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(mib)) });
    const answer = await fetch(server.url + inbox, { method: 'POST', body: pieces, duplex: 'half' });
    expect(answer.status).toBe(413);
  });

  it.each([
    [1024, 400, 'Invalid JSON in the request body: line 1, column 1: expected a value; field names and strings need double quotes.'],
    [
      30_000,
      413,
      'The request body is too large: expected at most 1048576 bytes in at most 16384 chunks; got more chunks. Send larger ones.',
    ],
  ])('is also one with more than 16,384 chunks: %i chunks of one byte return %i', async (chunks, status, message) => {
    const pieces = Readable.toWeb(Readable.from(Array.from({ length: chunks }, () => Buffer.from('a')))) as ReadableStream;
    const answer = await fetch(server.url + '/_sandbox/worlds', {
      method: 'POST',
      body: pieces,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, await answer.json()]).toMatchObject([status, { message }]);
  });

  it('is not one with many small chunks if the route reads bodies in slices', async () => {
    await post('/_sandbox/worlds', JSON.stringify({ name: 'small' }));
    const state = await (await fetch(`${server.url}/_sandbox/state?world=small`)).text();
    const pieces = Buffer.from(state)
      .toString('latin1')
      .match(/[^]{1,9}/g)!;
    const chunks = pieces.map((piece) => `${piece.length}\r\n${piece}\r\n`).join('');
    const socket = connectTo(server.url);
    const said: string[] = [];
    socket.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    const head =
      'PUT /_sandbox/state?world=small HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    socket.write(Buffer.from(`${head}${chunks}0\r\n\r\n`, 'latin1'));
    socket.write('GET /_sandbox/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await once(socket, 'close');
    expect([state.length > 65_536, said.join('').match(/HTTP\/1\.1 .*/g)]).toEqual([true, ['HTTP/1.1 200 OK', 'HTTP/1.1 404 Not Found']]);
  });

  it('does not prevent the next request on its connection if the client sends the whole body', async () => {
    const socket = connectTo(server.url);
    const said: string[] = [];
    socket.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    const chunks = `3e8\r\n${'x'.repeat(1000)}\r\n`.repeat(12_000);
    socket.write(`POST ${inbox} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
    socket.write('GET /_sandbox/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await once(socket, 'close');
    expect(said.join('').match(/HTTP\/1\.1 .*/g)).toEqual(['HTTP/1.1 413 Payload Too Large', 'HTTP/1.1 404 Not Found']);
  });

  it('does not prevent the next request on its connection if it is rejected after it was read', async () => {
    const socket = connectTo(server.url);
    const said: string[] = [];
    socket.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    const type = 'Content-Type: application/json';
    socket.write(`PUT /_sandbox/state HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: ${2 * mib}\r\n\r\n${' '.repeat(2 * mib)}`);
    socket.write('GET /_sandbox/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await once(socket, 'close');
    expect(said.join('').match(/HTTP\/1\.1 .*/g)).toEqual([expect.stringMatching(/ (400|503) /), 'HTTP/1.1 404 Not Found']);
  });

  it.each([inbox, '/_sandbox/nothing'])('is read and discarded only up to a limit after the response: %s', async (path) => {
    const socket = connectTo(server.url).resume();
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${1024 * mib}\r\n\r\n`);
    await once(socket, 'data'); // The sandbox responds before it gets the body.
    const isSent = () => new Promise<boolean>((resolve) => socket.write(new Uint8Array(mib), (error) => resolve(!error)));
    let sent = 0;
    while (sent < 200 && (await isSent())) sent += 1;
    socket.destroy();
    expect([sent > 40, sent < 200]).toEqual([true, true]);
  });

  it('is one of more than 16 KiB in a token request', async () => {
    const padded = (length: number) => JSON.stringify({ clientId: 'sandbox', clientSecret: 'sandbox-secret' }).padEnd(length);
    expect((await post('/api/oauth/client/token', padded(16 * 1024))).status).toBe(200);
    const refused = await post('/api/oauth/client/token', padded(16 * 1024 + 1));
    expect(await refused.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { maximumBytes: 16 * 1024 } });
  });
});
