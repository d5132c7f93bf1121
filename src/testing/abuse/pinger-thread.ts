import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { counts, type PingerData } from './pinger-data.js';
import { processorTimeOf } from './processor-time.js';

/** Time between two small requests, in milliseconds. */
const everyMs = 10;

const { url, token, pid, shared } = workerData as PingerData;
const view = new Int32Array(shared);
const agent = new Agent({ keepAlive: true });

/** A wait without processor time of the sandbox is noise of the machine and does not count. Every wait counts if that time is unknown. */
const workedMs = () => processorTimeOf(pid)?.workedMs ?? performance.now();

const ask = () =>
  new Promise<boolean>((resolve) => {
    get(`${url}/api/accounts?limit=1`, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.resume().on('close', () => resolve(answer.complete && answer.statusCode === 200));
    }).on('error', () => resolve(false));
  });

for (;;) {
  const [startedMs, workedBeforeMs] = [performance.now(), workedMs()];
  const isGood = await ask();
  const tookUs = Math.round(Math.min(performance.now() - startedMs, workedMs() - workedBeforeMs) * 1000);
  if (tookUs > Atomics.load(view, counts.longestUs)) Atomics.store(view, counts.longestUs, tookUs);
  if (!isGood) Atomics.add(view, counts.failures, 1);
  Atomics.add(view, counts.answers, 1);
  await wait(everyMs);
}
