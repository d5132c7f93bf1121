import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { quantile, rowOf, type Row } from './row.js';
import { listening } from '../hostile-receivers.js';
import { call, connect, SandboxProcess } from '../process.js';

/** Number of endpoints of one world that accept a webhook and never respond. */
const silentEndpoints = 600;
const deliveries = 200;

/** Measures the delay of a world's webhook while attempts of another world use all slots of that other world. */
export async function measureBesieged(): Promise<Row[]> {
  const silent = await listening(createServer());
  const heard = createHttpServer((request, response) => void request.resume().on('end', () => response.end()));
  const endpoint = await listening(heard);
  const sandbox = await SandboxProcess.start(['--data', 'memory', '--log-level', 'error', '--scenario', 'manual']);
  const { url } = sandbox;
  const besieged = await worldAt(url, 'besieged');
  const other = await worldAt(url, 'other');
  await other.subscribe(`http://127.0.0.1:${endpoint.port}/`);
  const timeOf = async () => {
    const startedMs = performance.now();
    const arrived = once(heard, 'request');
    await other.fire();
    await arrived;
    return performance.now() - startedMs;
  };
  const times = async () => {
    const values: number[] = [];
    for (let count = 0; count < deliveries; count += 1) values.push(await timeOf());
    return values;
  };
  await times();
  const before = await times();
  for (let count = 0; count < silentEndpoints; count += 1) await besieged.subscribe(`http://127.0.0.1:${silent.port}/${count}`);
  await besieged.fire();
  while (silent.connections() === 0) await new Promise(setImmediate);
  const reference = await times();
  const held = silent.connections();
  await sandbox.end('SIGKILL');
  await Promise.all([silent.close(), endpoint.close()]);
  const what = `another world's webhook while ${silentEndpoints} silent endpoints hold ${held} attempts`;
  return [
    rowOf(0, `${what}, ms (against: before they did)`, reference, before),
    rowOf(0, `${what}, the slowest of ${deliveries}, ms (against: the 100 allowed)`, [quantile(reference, 1)], [100]),
  ];
}

/** Creates a world that can subscribe and fire an event. */
async function worldAt(url: string, name: string) {
  const { body: world } = await call(url, 'POST', '/_sandbox/worlds', { body: { name } });
  const api = await connect(url, world.credentials);
  const expect201 = ({ status, text }: { status: number; text: string }) => {
    if (status !== 201) throw new Error(text);
  };
  return {
    subscribe: async (to: string) => expect201(await api('POST', '/api/subscriptions', { url: to, includeAll: true, allowRetry: false })),
    fire: async () => {
      const body = { eventType: 'OPERATION_FAILED' };
      const { status, text } = await call(url, 'POST', '/_sandbox/events', { body, headers: { 'x-sandbox-world': name } });
      if (status >= 300) throw new Error(text);
    },
  };
}
