import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { quantile, rowOf, type Row } from './row.js';
import { SandboxProcess } from '../process.js';
import { openUnfinishedRequests } from '../unfinished-requests.js';

const connections = 500;
const answers = 200;

/** Measures response times in milliseconds, next to connections that never finish a request. */
async function answerTimes(url: string): Promise<number[]> {
  const { stop } = await openUnfinishedRequests(url, connections);
  const times: number[] = [];
  for (let count = 0; count < answers; count += 1) {
    const startedMs = performance.now();
    const answer = await fetch(url);
    await answer.text();
    if (answer.status !== 200) throw new Error(`${url} responded with ${answer.status}.`);
    times.push(performance.now() - startedMs);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  stop();
  return times;
}

/** Measures the response time of the health check next to hundreds of half-open and slow connections. */
export async function measureHardening(): Promise<Row[]> {
  const bare = createServer((_request, response) => void response.end('{}'));
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const reference = await answerTimes(`http://127.0.0.1:${(bare.address() as AddressInfo).port}/`);
  bare.closeAllConnections();
  bare.close();
  const sandbox = await SandboxProcess.start(['--data', 'memory', '--log-level', 'error']);
  const own = await answerTimes(`${sandbox.url}/_sandbox/health/live`);
  await sandbox.end('SIGTERM');
  const what = `health answer next to ${connections} half-open and dribbling connections`;
  return [
    rowOf(0, `${what}, ms`, own, reference),
    rowOf(0, `${what}, the slowest of a hundred, ms`, [quantile(own, 0.99)], [quantile(reference, 0.99)]),
  ];
}
