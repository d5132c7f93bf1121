import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { SandboxProcess } from './testing/process.js';

/** Connections that never finish their request: half of them silent, half sending a byte now and then. */
async function strangle(url: string, count: number): Promise<{ sockets: Socket[]; stop: () => void }> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname).on('error', () => undefined));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const dribbling = sockets.filter((_, index) => index % 2 === 0);
  for (const socket of dribbling) socket.write('POST /api/quotes HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  const timer = setInterval(() => dribbling.forEach((socket) => socket.write('a')), 100);
  return {
    sockets,
    stop: () => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('500 half-open and dribbling connections neither slow a health answer nor outlive their time nor hold up the end', async () => {
  const sandbox = await SandboxProcess.start(['--data', 'memory']);
  const { sockets, stop } = await strangle(sandbox.url, 500);
  const times: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    const startedMs = performance.now();
    const answer = await fetch(`${sandbox.url}/_sandbox/health/live`);
    await answer.text();
    times.push(performance.now() - startedMs);
    expect(answer.status).toBe(200);
  }
  expect(times.toSorted((a, b) => a - b)[37]).toBeLessThan(100);
  await expect.poll(() => sockets.filter((socket) => !socket.closed).length, { timeout: 15_000, interval: 250 }).toBe(0);
  const again = await strangle(sandbox.url, 50);
  const startedMs = performance.now();
  expect(await sandbox.end('SIGTERM')).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(5000);
  again.stop();
  stop();
});

test('a body over 1 MiB is refused by its bytes, whatever its headers claim', async () => {
  const sandbox = await SandboxProcess.start(['--data', 'memory']);
  const { hostname, port } = new URL(sandbox.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(
    'POST /api/oauth/client/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  for (let sent = 0; sent < 20; sent += 1) socket.write(chunk);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [^]*PAYLOAD_TOO_LARGE/);
  socket.destroy();
  await sandbox.end('SIGTERM');
});
