import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'hono';
import { expect, it } from 'vitest';
import { readChunks } from './body.js';

/** Creates a request with a complete body. */
function requestOf(...chunks: string[]): Context {
  const incoming = Object.assign(new Readable({ read: () => undefined }), { socket: new Socket() });
  for (const chunk of chunks) incoming.push(chunk);
  incoming.push(null);
  return { env: { incoming }, req: { raw: new Request('http://localhost/') } } as unknown as Context;
}

it.each([[['one']], [['one', 'two', 'three']]])(
  'readChunks resolves only after the last chunk of a body was handled: %j',
  async (chunks) => {
    const taken: string[] = [];
    await readChunks(requestOf(...chunks), 1000, async (chunk) => {
      for (let turns = 0; turns < 3; turns += 1) await nextTurn();
      taken.push(chunk.toString());
    });
    expect(taken.join('')).toBe(chunks.join(''));
  },
);

it('readChunks rejects if the handling of the last chunk fails', async () => {
  const reading = readChunks(requestOf('one'), 100, async () => {
    await nextTurn();
    throw new Error('It is wrong.');
  });
  await expect(reading).rejects.toThrow('It is wrong.');
});
