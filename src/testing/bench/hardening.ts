import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { quantile, rowOf, type Row } from './row.js';
import { SandboxProcess } from '../process.js';
import { strangle } from '../strangle.js';

const connections = 500;
const answers = 200;

/** How long each of some answers of a server takes, in milliseconds, beside connections that never finish a request. */
async function answerTimes(url: string): Promise<number[]> {
  const { stop } = await strangle(url, connections);
  const times: number[] = [];
  for (let count = 0; count < answers; count += 1) {
    const startedMs = performance.now();
    const answer = await fetch(url);
    await answer.text();
    if (answer.status !== 200) throw new Error(`${url} answered with ${answer.status}.`);
    times.push(performance.now() - startedMs);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  stop();
  return times;
}

/** Measures how soon a built sandbox says that it lives while hundreds of connections are half open or dribble. */
export async function measureHardening(): Promise<Row[]> {
  const bare = createServer((_request, response) => void response.end('{}'));
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const beside = await answerTimes(`http://127.0.0.1:${(bare.address() as AddressInfo).port}/`);
  bare.closeAllConnections();
  bare.close();
  const sandbox = await SandboxProcess.start(['--data', 'memory', '--log-level', 'error']);
  const own = await answerTimes(`${sandbox.url}/_sandbox/health/live`);
  await sandbox.end('SIGTERM');
  const what = `health answer beside ${connections} half-open and dribbling connections`;
  return [
    rowOf(0, `${what}, ms`, own, beside),
    rowOf(0, `${what}, the slowest of a hundred, ms`, [quantile(own, 0.99)], [quantile(beside, 0.99)]),
  ];
}
