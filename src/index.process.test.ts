import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from './testing/harness.js';
import { inLength } from './testing/long-run.js';

const rounds = inLength(50, 100);
/** Half of them warm up, half are measured: what Node compiles once still grows after ten rounds, and no sandbox leaves it behind. */
const half = rounds / 2;

/** Opens and closes sandboxes, each with a world and a call of its client, and prints what is left. */
const program = `
  const { setFlagsFromString } = require('node:v8');
  setFlagsFromString('--expose-gc');
  const gc = require('node:vm').runInNewContext('gc');
  const { get } = require('node:http'); // The global fetch would keep something for each address.
  const { startSandbox } = require(${JSON.stringify(join(root, 'dist/index.cjs'))});
  const rounds = async (count) => {
    for (let round = 0; round < count; round += 1) {
      const sandbox = await startSandbox();
      const world = await sandbox.createWorld();
      await new Promise((done) => get(sandbox.url + '/_sandbox/worlds', { agent: false }, (answer) => answer.resume().on('end', done)));
      await world.delete();
      await sandbox.close();
    }
    for (let round = 0; round < 4; round += 1) { gc(); await new Promise((done) => setTimeout(done, 50)); }
    const kinds = process.getActiveResourcesInfo().filter((kind) => !/^(TTYWrap|PipeWrap|Timeout|Immediate)$/.test(kind));
    return { heap: process.memoryUsage().heapUsed, kinds };
  };
  (async () => {
    const first = await rounds(${half});
    const last = await rounds(${half});
    console.log(JSON.stringify({ grownBytes: last.heap - first.heap, kinds: last.kinds }));
  })();`;

it(`${rounds} sandboxes within a process leave no handle, no port and no memory, and let it end`, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program]);
  const { grownBytes, kinds } = JSON.parse(stdout) as { grownBytes: number; kinds: string[] };
  expect(kinds).toEqual([]);
  expect(grownBytes).toBeLessThan(half * 16 * 1024);
}, 120_000);
