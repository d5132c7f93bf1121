import { createServer, type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { listening } from '../../../testing/hostile-receivers.js';
import { takeFromSocket } from './from-socket.js';

const kib = 1024;

/** Sends bodies concurrently to a server that reads them. */
async function send(count: number, bytes: number, read: (incoming: IncomingMessage) => Promise<void>): Promise<number[]> {
  const server = createServer((request, response) => void read(request).then(() => response.end()));
  const { port, close } = await listening(server);
  const one = () => fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: new Uint8Array(bytes) });
  const answers = await Promise.all(Array.from({ length: count }, one));
  await close();
  return answers.map(({ status }) => status);
}

it('a body is not read from its connection while a chunk is handled', async () => {
  let came = 0;
  const atFirst: number[] = [];
  const read = (incoming: IncomingMessage) => {
    const take = async () => {
      for (let turns = 0; atFirst.length === 0 && turns < 200; turns += 1) await nextTurn();
      atFirst.push(came);
    };
    return takeFromSocket(incoming, ({ length }) => (came += length), take);
  };
  await send(1, 16 * 1024 * kib, read);
  expect(came).toBe(16 * 1024 * kib);
  expect(atFirst[0]).toBeLessThan(1024 * kib);
});
