import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { listening } from '../../testing/hostile-receivers.js';
import type { Lookup } from './lookup.js';
import { createProbe } from './probe.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Starts an endpoint that stores all data. */
async function receiver() {
  const received: Buffer[] = [];
  const sockets: Socket[] = [];
  const listener = await listening(
    createServer((socket) => {
      sockets.push(socket);
      socket.on('data', (chunk) => received.push(chunk));
    }),
  );
  cleanups.push(listener.close);
  return {
    port: listener.port,
    received,
    ended: async () => {
      for (const socket of sockets) if (!socket.destroyed) await once(socket.resume(), 'close');
    },
  };
}

/** Returns a port on which no server listens. */
async function closedPort(): Promise<number> {
  const { port, close } = await listening(createServer());
  await close();
  return port;
}

const at =
  (...addresses: string[]): Lookup =>
  (_name, _options, found) =>
    found(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
const outline = (steps: readonly { step: string; ok: boolean }[]) => steps.map(({ step, ok }) => `${step} ${ok ? 'ok' : 'failed'}`);

it('a probe connects to an endpoint without sending any data', async () => {
  const { port, received, ended } = await receiver();
  const steps = await createProbe()({ url: `http://localhost:${port}/hooks`, policy: 'local', timeoutMs: 5000 });
  expect(outline(steps)).toEqual(['POLICY ok', 'DNS ok', 'CONNECT ok']);
  expect(steps.map(({ detail }) => detail)).toEqual([
    'allowed by the policy local',
    expect.stringMatching(/127\.0\.0\.1|::1/),
    expect.stringContaining(`port ${port}`),
  ]);
  await ended();
  expect(Buffer.concat(received).length).toBe(0);
});

it.each<[string, string, { policy?: UrlPolicy; lookup?: Lookup; ownPorts?: number[]; timeoutMs?: number }, string[], RegExp]>([
  ['a URL that the policy forbids', 'http://127.0.0.1:1/', { policy: 'strict' }, ['POLICY failed'], /not publicly reachable/],
  ['a port of the sandbox itself', 'http://127.0.0.1:4010/', { ownPorts: [4010] }, ['POLICY failed'], /is the sandbox itself/],
  ['an unknown name', 'http://receiver:1/', { lookup: at() }, ['POLICY ok', 'DNS failed'], /has no address/],
  [
    'a name of the metadata service',
    'http://receiver:1/',
    { lookup: at('169.254.169.254') },
    ['POLICY ok', 'DNS failed'],
    /link-local, metadata/,
  ],
  [
    'a name of the sandbox',
    'http://receiver:4010/',
    { lookup: at('127.0.0.1'), ownPorts: [4010] },
    ['POLICY ok', 'DNS failed'],
    /is the sandbox itself/,
  ],
  [
    'a name that is never resolved',
    'http://receiver:1/',
    { lookup: () => undefined, timeoutMs: 50 },
    ['POLICY ok', 'DNS failed'],
    /No response within/,
  ],
  ['a closed port', 'http://127.0.0.1:CLOSED/', {}, ['POLICY ok', 'DNS ok', 'CONNECT failed'], /ECONNREFUSED/],
  [
    'an endpoint without TLS',
    'https://127.0.0.1:OPEN/',
    { timeoutMs: 300 },
    ['POLICY ok', 'DNS ok', 'CONNECT ok', 'TLS failed'],
    /No response within/,
  ],
])('a probe reports its steps for %s', async (_what, url, { policy = 'local', lookup, ownPorts = [], timeoutMs = 5000 }, expected, why) => {
  const probe = createProbe({ ownPorts: () => ownPorts, ...(lookup ? { lookup } : {}) });
  const port = url.includes('CLOSED') ? await closedPort() : url.includes('OPEN') ? (await receiver()).port : 0;
  const steps = await probe({ url: url.replace(/CLOSED|OPEN/, String(port)), policy, timeoutMs });
  expect(outline(steps)).toEqual(expected);
  expect(steps.at(-1)!.detail).toMatch(why);
});

it('a probe causes no unhandled rejection at its deadline if a step fails earlier', async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  process.on('unhandledRejection', note);
  await createProbe()({ url: 'ftp://receiver/', policy: 'local', timeoutMs: 1 });
  // Waits for longer than the deadline of the first probe.
  await createProbe({ lookup: () => undefined })({ url: 'http://receiver:1/', policy: 'local', timeoutMs: 20 });
  process.off('unhandledRejection', note);
  expect(rejections).toEqual([]);
});

it('at most 32 probes run at one time', async () => {
  const probe = createProbe({ lookup: () => undefined });
  const target = { url: 'http://receiver:1/', policy: 'local', timeoutMs: 100 } as const;
  const under = Array.from({ length: 32 }, () => probe(target));
  await expect(probe(target)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  await Promise.all(under);
  expect(outline(await probe(target))).toEqual(['POLICY ok', 'DNS failed']);
});
