import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../testing/root.js';
import { inLength } from '../../testing/long-run.js';
import { Traveller } from '../../testing/model-client/journey.js';
import { temporaryDirectory } from '../../testing/process.js';
import { Stage } from '../../testing/script-stage.js';

/** Number of recorded requests to compare with the contract. */
const requests = inLength(300, 10_000);
/** Size of the large file in bytes. */
const largeBytes = inLength(32, 100) * 1_000_000;
/** Maximum heap of the process that reads the large file, in MB: less than the file needs in memory. */
const heapMb = 64;

const stage = new Stage();
const directory = temporaryDirectory();
const recording = join(directory, 'journeys.har');
let entries: object[];

beforeAll(
  async () => {
    await stage.open();
    entries = await journeys();
    writeFileSync(recording, JSON.stringify({ log: { version: '1.2', entries } }));
  },
  inLength(180_000, 1_800_000),
);
afterAll(async () => {
  await stage.close();
  rmSync(directory, { recursive: true });
});

/** Runs journeys of a client with faults, resets and webhooks. @returns the entries of the HTTP archives of their worlds */
async function journeys(): Promise<object[]> {
  const all: { request: { headers: { name: string }[] } }[] = [];
  const count = () => all.filter(({ request }) => !request.headers.some(({ name }) => name.toLowerCase() === 'x-message-id')).length;
  for (let seed = 1; count() < requests; seed += 1) {
    const world = `conform-${seed}`;
    const traveller = await Traveller.start(stage, world, null);
    for (let journey = 0; journey < 4; journey += 1) await traveller.travel({ seed: seed * 10 + journey, habit: null, steps: 5 });
    const path = '/requests?format=har&kind=REQUEST,ATTEMPT&generation=all';
    all.push(...((await stage.control('GET', path, world)) as { log: { entries: typeof all } }).log.entries);
    await traveller.end();
  }
  return all;
}

/** Runs the built command. */
function conform(path: string) {
  const began = performance.now();
  const words = [`--max-old-space-size=${heapMb}`, join(root, 'dist/main.cjs'), 'conform', path, '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(stderr).toBe('');
  const result = JSON.parse(stdout) as { compared: number; differences: { isBreaking: boolean; kind: string; path: string }[] };
  return { status, ...result, tookMs: performance.now() - began };
}

describe('the command conform', () => {
  it(`finds no breaking difference in the recording of ${requests} requests to the sandbox`, () => {
    const { status, compared, differences } = conform(recording);
    expect(differences.filter(({ isBreaking }) => isBreaking)).toEqual([]);
    expect([status, compared > requests]).toEqual([0, true]);
    expect(['NEW_FIELD', 'NEW_EVENT_TYPE']).toEqual(expect.arrayContaining(differences.map(({ kind }) => kind)));
  });

  it(`reads a file of ${largeBytes / 1e6} MB within a minute, with a heap of ${heapMb} MB`, { timeout: 90_000 }, async () => {
    const path = join(directory, 'large.har');
    const file = createWriteStream(path);
    file.write('{"log":{"version":"1.2","entries":[');
    let size = 0;
    for (let count = 0; size < largeBytes; count += 1) {
      const text = `${count === 0 ? '' : ','}${JSON.stringify(entries[count % entries.length])}`;
      size += text.length;
      if (!file.write(text)) await once(file, 'drain');
    }
    file.end(']}}');
    await once(file, 'finish');
    const { status, compared, tookMs } = conform(path);
    expect([status, compared > entries.length, tookMs < 60_000]).toEqual([0, true, true]);
  });
});
