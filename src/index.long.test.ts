import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from './testing/root.js';
import { inLength } from './testing/long-run.js';

const windows = inLength(3, 4);
const each = inLength(6, 30);

/** Starts and closes sandboxes, each with a world and a request. Prints the number of objects that each batch leaves behind. */
const program = `
  const { queryObjects, setFlagsFromString } = require('node:v8');
  setFlagsFromString('--expose-gc');
  const gc = require('node:vm').runInNewContext('gc');
  const { get } = require('node:http'); // The global fetch keeps data for each address.
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
    return { objects: queryObjects(Object), kinds };
  };
  (async () => {
    let last = await rounds(${each});
    const left = [];
    for (let window = 0; window < ${windows}; window += 1) {
      const now = await rounds(${each});
      left.push(now.objects - last.objects);
      last = now;
    }
    console.log(JSON.stringify({ left, kinds: last.kinds }));
  })();`;

it(`${(windows + 1) * each} sandboxes in one process leave no handle, port or memory behind, and the process exits`, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program]);
  const { left, kinds } = JSON.parse(stdout) as { left: number[]; kinds: string[] };
  expect(kinds).toEqual([]);
  // A sandbox has thousands of objects. In some windows, a closing socket still holds the last sandbox; a leak appears in every window.
  expect(Math.min(...left)).toBeLessThan(each);
}, 120_000);
