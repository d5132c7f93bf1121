import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../server/options.js';
import { startServer } from '../../server/server.js';
import { useHarness } from '../../testing/harness.js';
import { HeldBody } from '../../testing/held-body.js';

const harness = useHarness();
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

// Nodes that share a database renew their leases with the timers that these tests replace.
describe.skipIf(process.env['TEST_STORAGE'] === 'postgres')('a time to live', () => {
  it('deletes a world only after this time without requests', async () => {
    await harness.world('brief', { ttl: '1m' });
    await harness.world('lasting');
    await vi.advanceTimersByTimeAsync(59_000);
    expect((await harness.api('GET', '/api/accounts', {}, 'brief')).status).toBe(200);
    await vi.advanceTimersByTimeAsync(59_000);
    expect((await harness.control('GET', '/clock', undefined, 'brief')).status).toBe(200);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await harness.control('GET', '/clock', undefined, 'brief')).status).toBe(404);
    expect((await harness.control('GET', '/clock', undefined, 'lasting')).status).toBe(200);
  });

  it('can be 60 days', async () => {
    await harness.world('long', { ttl: '60d' });
    await vi.advanceTimersByTimeAsync(59 * 86_400_000);
    expect((await harness.control('GET', '/worlds/long')).status).toBe(200);
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect((await harness.control('GET', '/worlds/long')).status).toBe(404);
  });

  it('starts only after a request in progress has ended', async () => {
    await harness.world('busy', { ttl: '1m' });
    const held = new HeldBody({ mode: 'FROZEN' });
    const answer = harness.control('PUT', '/clock', held.stream, 'busy');
    await held.asked;
    await vi.advanceTimersByTimeAsync(120_000);
    held.release();
    expect((await answer).status).toBe(200);
    await vi.advanceTimersByTimeAsync(59_000);
    expect((await harness.control('GET', '/worlds/busy')).status).toBe(200);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await harness.control('GET', '/worlds/busy')).status).toBe(404);
  });

  it('ignores requests to an earlier world with the same name', async () => {
    await harness.world('again', { ttl: '1m' });
    const held = new HeldBody({ mode: 'FROZEN' });
    const answer = harness.control('PUT', '/clock', held.stream, 'again');
    await held.asked;
    await harness.control('DELETE', '/worlds/again');
    await harness.world('again');
    held.release();
    expect((await answer).status).toBe(409);
    await vi.advanceTimersByTimeAsync(120_000);
    expect((await harness.control('GET', '/worlds/again')).status).toBe(200);
  });

  it('ends when the world is re-created without one', async () => {
    await harness.control('PUT', '/worlds/remade', { ttl: '1m' });
    await harness.control('PUT', '/worlds/remade?ifExists=replace', {});
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect((await harness.control('GET', '/worlds/remade')).status).toBe(200);
  });

  it('starts only after the last open stream has ended', async () => {
    const server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
    try {
      await server.sandbox.createWorld({ name: 'watched', ttlMs: 60_000 });
      const request = get(`${server.url}/_sandbox/stream?world=watched`);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await once(response, 'data');
      await vi.advanceTimersByTimeAsync(120_000);
      expect(server.sandbox.worlds.has('watched')).toBe(true);
      response.destroy();
      await expect.poll(async () => (await vi.advanceTimersByTimeAsync(60_000), server.sandbox.worlds.has('watched'))).toBe(false);
    } finally {
      await server.close();
    }
  });
});
