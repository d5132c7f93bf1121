import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { rowOf, type Row } from './row.js';
import { builtMain, connect } from '../process.js';

const rounds = 15;

/** The first request after the start; resolves after its response. */
type FirstCall = (url: string) => Promise<void>;

const askHealth: FirstCall = async (url) => {
  await (await fetch(`${url}/_sandbox/health/ready`)).arrayBuffer();
};

/** Requests a token, for which the first start creates a key, and a list. */
const readAccounts: FirstCall = async (url) => {
  const api = await connect(url);
  await api('GET', '/api/accounts');
};

/** Measures the time from the start of a process to its first response in milliseconds, and its resident memory at that moment in MiB. */
async function firstAnswer(ask: FirstCall): Promise<{ ms: number; mib: number }> {
  const startedMs = performance.now();
  const args = [builtMain(), '--port', '0', '--data', 'memory', '--log-level', 'error'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /Base URL\s+(\S+)/.exec(line)?.[1];
      if (found) resolve(found);
    });
  });
  await ask(url);
  const ms = performance.now() - startedMs;
  const mib = Number(/VmRSS:\s+([0-9]+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  child.kill('SIGKILL');
  return { ms, mib };
}

function bareMs(): number {
  const startedMs = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - startedMs;
}

/** Measures the start of a built sandbox with its fixtures, next to `node -e 0`. */
export async function measureStart(): Promise<Row[]> {
  const starts: { ms: number; mib: number }[] = [];
  const reads: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    starts.push(await firstAnswer(askHealth));
    reads.push((await firstAnswer(readAccounts)).ms);
    bare.push(bareMs());
  }
  const times = starts.map(({ ms }) => ms);
  const sizes = starts.map(({ mib }) => mib);
  return [
    rowOf(0, 'start to the first answer, ms (against: `node -e 0`)', times, bare),
    rowOf(0, 'start to a first token and a list of accounts, ms (against: `node -e 0`)', reads, bare),
    rowOf(0, 'resident after the start, MiB (against: the goal)', sizes, [90]),
  ];
}
