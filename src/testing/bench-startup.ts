import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { rowOf, type Row } from './bench-row.js';

const rounds = 15;

/** From the start of a process to the answer to its first request, in milliseconds, and what it is resident in then, in MiB. */
async function firstAnswer(): Promise<{ ms: number; mib: number }> {
  const startedMs = performance.now();
  const args = ['dist/main.cjs', '--port', '0', '--data', 'memory', '--log-level', 'error'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /Base URL\s+(\S+)/.exec(line)?.[1];
      if (found) resolve(found);
    });
  });
  await (await fetch(`${url}/_sandbox/health/ready`)).arrayBuffer();
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

/** Measures the start of a built sandbox with its fixtures, beside `node -e 0`. */
export async function measureStart(): Promise<Row[]> {
  const starts: { ms: number; mib: number }[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    starts.push(await firstAnswer());
    bare.push(bareMs());
  }
  const times = starts.map(({ ms }) => ms);
  const sizes = starts.map(({ mib }) => mib);
  return [
    rowOf(0, 'start to the first answer, ms (beside: `node -e 0`)', times, bare),
    rowOf(0, 'resident after the start, MiB (beside: the goal)', sizes, [90]),
  ];
}
