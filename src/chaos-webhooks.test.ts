import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { fractions } from './testing/chance.js';
import { pixBeneficiary } from './testing/harness.js';
import { SandboxProcess, call, connect, temporaryDirectory, type ReceivedWebhook } from './testing/process.js';

/** How often the process is killed; `npm run chaos:webhooks` does it for longer. */
const kills = Number(process.env['CHAOS_KILLS'] ?? 2);
const callsPerLife = 25;
const seed = Number(process.env['CHAOS_SEED'] ?? 1);

/** An endpoint that fails at random: with a status, or by hanging up before or after it has read. */
async function flakyReceiver(chance: () => number) {
  const received: (ReceivedWebhook & { path: string; status: number })[] = [];
  const server = createServer((request, response) => {
    const fate = chance();
    if (fate < 0.05) return void request.socket.destroy();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const status = fate < 0.1 ? 0 : fate < 0.5 ? 503 : 200;
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), path: request.url ?? '', status });
      if (status === 0) return void request.socket.destroy();
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received, close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))) };
}

it(
  `attempts every event of an acknowledged call until it is answered or its retries are spent, with one id, through ${kills} kills`,
  async () => {
    const chance = fractions(seed);
    const receiver = await flakyReceiver(chance);
    const data = temporaryDirectory();
    const start = () => SandboxProcess.start(['--data', data, '--scenario', 'manual', '--log-level', 'error']);
    const acknowledged = new Set<string>();
    const unanswered = new Set<string>();

    /** Registers beneficiaries, an event each, under new keys and those that have had no answer yet. */
    async function register(api: Awaited<ReturnType<typeof connect>>, fresh: number): Promise<void> {
      const keys = [...unanswered, ...Array.from({ length: fresh }, () => randomUUID())];
      await Promise.all(
        keys.map(async (key) => {
          unanswered.add(key);
          const answer = await api('POST', '/api/beneficiaries', pixBeneficiary(), key).catch(() => null);
          if (answer?.status !== 201) return;
          unanswered.delete(key);
          acknowledged.add(answer.body.id as string);
        }),
      );
    }

    const paths = ['/retried', '/retried-too', '/once'];
    for (let life = 0; life < kills; life += 1) {
      const sandbox = await start();
      const api = await connect(sandbox.url);
      for (const path of life === 0 ? paths : []) {
        const url = receiver.url + path;
        const created = await api('POST', '/api/subscriptions', {
          url,
          resources: [{ name: 'BENEFICIARY' }],
          allowRetry: path !== '/once',
        });
        expect(created.status).toBe(201);
      }
      const registering = register(api, callsPerLife);
      await wait(20 + chance() * 200);
      await sandbox.end('SIGKILL');
      await registering;
    }

    const sandbox = await start();
    const api = await connect(sandbox.url);
    await register(api, 0);
    expect(unanswered.size).toBe(0);
    await call(sandbox.url, 'POST', '/_sandbox/deliveries/flush');
    const advanced = await call(sandbox.url, 'POST', '/_sandbox/clock/advance', { body: { untilIdle: true } });
    expect(advanced.body.idle).toBe(true);

    const deliveries = await everyPage(sandbox.url, '/_sandbox/deliveries');
    const { body: subscriptions } = await api('GET', '/api/subscriptions');
    expect(subscriptions.data.length).toBe(paths.length);
    for (const subscription of subscriptions.data) {
      const own = deliveries.filter((each) => each['subscriptionId'] === subscription.id);
      const ofBeneficiary = grouped(own);
      for (const id of acknowledged) expect(ofBeneficiary.get(id)?.length).toBe(1);
      for (const { id, status, attempts } of own) {
        const answers = receiver.received.filter((each) => each.headers['x-message-id'] === id).map((each) => each.status);
        const isSpent = status === 'FAILED' && attempts === (subscription.allowRetry ? 4 : 1);
        expect([id, (status === 'SUCCESS' && answers.includes(200)) || isSpent]).toEqual([id, true]);
      }
    }
    const known = new Map(deliveries.map((each) => [each['id'], each['payload']]));
    const verifier = new Webhook(Buffer.from('sandbox-secret').toString('base64'));
    for (const { headers, body } of receiver.received) {
      expect(known.get(headers['x-message-id'])).toBe(body);
      expect(() => verifier.verify(body, headers as Record<string, string>)).not.toThrow();
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(kills * callsPerLife);
    await sandbox.end('SIGTERM');
    await receiver.close();
  },
  30_000 + kills * 10_000,
);

it('aborts attempts under way on SIGTERM, ends in time, makes them again with the same id, and goes on in order', async () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(String(request.headers['x-message-id']));
    if (received.length > 1) request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const data = temporaryDirectory();
  const first = await SandboxProcess.start(['--data', data]);
  const api = await connect(first.url);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await api('POST', '/api/subscriptions', { url, includeAll: true });
  await call(first.url, 'POST', '/_sandbox/events', { body: { eventType: 'OPERATION_FAILED' } });
  await expect.poll(() => received.length).toBe(1);
  const stoppedMs = performance.now();
  expect(await first.end('SIGTERM')).toBe(0);
  expect(performance.now() - stoppedMs).toBeLessThan(5000);
  const second = await SandboxProcess.start(['--data', data]);
  await call(second.url, 'POST', '/_sandbox/deliveries/flush');
  expect(received).toEqual([received[0], received[0]]);

  // What is fired at once arrives one after another, in the order in which it was taken.
  const fire = () => call(second.url, 'POST', '/_sandbox/events', { body: { eventType: 'OPERATION_FAILED' } });
  await Promise.all(Array.from({ length: 30 }, fire));
  await call(second.url, 'POST', '/_sandbox/deliveries/flush');
  const deliveries = await everyPage(second.url, '/_sandbox/deliveries');
  expect(received.slice(1)).toEqual(deliveries.map((each) => each['id']).toReversed());
  await second.end('SIGTERM');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

type Row = Record<string, unknown>;

const beneficiaryOf = (delivery: Row) => (JSON.parse(String(delivery['payload'])) as { id: string }).id;

function grouped(deliveries: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const delivery of deliveries) groups.set(beneficiaryOf(delivery), [...(groups.get(beneficiaryOf(delivery)) ?? []), delivery]);
  return groups;
}

async function everyPage(url: string, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ;) {
    const { body } = await call(url, 'GET', `${path}?limit=100&cursor=${cursor}`);
    rows.push(...(body.data as Row[]));
    if (body.meta.nextCursor === null) return rows;
    cursor = body.meta.nextCursor as string;
  }
}
