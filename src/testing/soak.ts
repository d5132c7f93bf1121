import { mixedLoad } from './mixed-load.js';
import { SandboxProcess, startReceiver, temporaryDirectory, type Holdings } from './process.js';

/**
 * Uses many features of a built sandbox for some minutes (`npm run soak -- 60`), and measures its memory whenever all created worlds are
 * deleted. Stored data cannot explain growth between two measurements, so continuous growth is a leak. The first quarter is excluded,
 * because data with a limit still grows up to this limit.
 */
const minutes = Number(process.argv[2] ?? 60);
const roundMs = 20_000;
/** Accepted growth of the heap from the first quarter to the end, as a fraction. */
const tolerance = 0.05;

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1).padStart(7);
const countOf = ({ resources }: Holdings) => Object.values(resources).reduce((sum, count) => sum + count, 0);

/** Returns the growth of a straight line through the values from begin to end. */
function growthOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const rise = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  const run = values.reduce((sum, _value, index) => sum + (index - middle) ** 2, 0);
  return run === 0 ? 0 : (rise / run) * (values.length - 1);
}

const hooks = await startReceiver(0, () => {
  hooks.received.length = 0;
  return Math.random() < 0.1 ? 503 : 200;
});
const sandbox = await SandboxProcess.start(['--data', temporaryDirectory(), '--log-level', 'error'], {}, true);
const looks: Holdings[] = [];
const startedMs = performance.now();
const elapsedS = () => Math.round((performance.now() - startedMs) / 1000);
console.log('      s   heap MB  external     rss  resources  what was done');
while (performance.now() - startedMs < minutes * 60_000) {
  const endMs = performance.now() + roundMs;
  const done = await mixedLoad(sandbox.url, hooks.url, () => performance.now() > endMs, { clients: 4, turnsPerWorld: 60 });
  await new Promise((resolve) => setTimeout(resolve, 7000)); // Idle connections end after 5 s, checkpoints come after 1 s.
  const look = await sandbox.holdings();
  looks.push(look);
  const { heapUsed, external, rss, young } = look;
  const what = [...done].map(([habit, times]) => `${habit} ${times}`).join(', ');
  console.log(
    `${String(elapsedS()).padStart(7)}   ${megabytes(heapUsed)}   ${megabytes(external)} ${megabytes(rss - young)} ${String(countOf(look)).padStart(10)}  ${what}`,
  );
}
const code = await sandbox.end('SIGTERM');
await hooks.close();

const settled = looks.slice(looks.length >> 2);
let isFlat = true;
for (const [what, values] of [
  ['heap', settled.map(({ heapUsed, external }) => heapUsed + external)],
  ['resident', settled.map(({ rss, young }) => rss - young)],
  ['resources', settled.map(countOf)],
] as const) {
  const growth = growthOf(values);
  const part = growth / (values[0] ?? 1);
  const fits = part < tolerance;
  isFlat &&= fits;
  console.log(
    `${what}: ${(part * 100).toFixed(2)} % from the first quarter to the end, at most ${tolerance * 100} % ${fits ? 'passes' : 'FAILS'}`,
  );
}
console.log(
  `ended with ${code}; ${sandbox.output
    .filter((line) => !/ready|Base URL|curl/.test(line))
    .join('')
    .slice(0, 2000)}`,
);
process.exitCode = isFlat && code === 0 ? 0 : 1;
