import { afterEach, describe, expect, test } from 'vitest';
import { StorageDirectory, StoredWorlds, valuesOf, type DiskImage } from '../../testing/storage.js';
import { WatchedDisk } from '../../testing/watched-disk.js';
import { durabilities } from './options.js';
import type { State } from '../../world/state.js';
import { inLength } from '../../testing/long-run.js';

/** Distance between the calls that are made to fail, and between those at which a crash is simulated; a long run takes every call. */
const strides = { failing: inLength(13, 1), crash: inLength(5, 1) };

const directories: StorageDirectory[] = [];
afterEach(async () => {
  for (const each of directories.splice(0)) await each.remove();
});

function temporary(directory: StorageDirectory): StorageDirectory {
  directories.push(directory);
  return directory;
}

/** Formats all values as a string that does not depend on their order. */
const textOf = (worlds: ReadonlyMap<string, State>) =>
  Object.entries(valuesOf(worlds))
    .flatMap(([world, values]) => [world, ...Object.entries(values).map(([id, value]) => `${world} ${id} ${value}`)])
    .toSorted()
    .join('\n');

/** Runs operations on a storage. Records the state after each commit, and the number of the last acknowledged commit. */
class Story {
  readonly states = [textOf(new Map())];
  acknowledged = 0;
  readonly refusals: unknown[] = [];

  constructor(readonly durability: (typeof durabilities)[number]) {}

  /** Creates, changes and drops worlds, with shared writes, rotations and checkpoints; then stops the storage and does all this again. */
  async live(directory: StorageDirectory, disk: WatchedDisk): Promise<void> {
    // A commit with this many rows takes two lines.
    for (const [round, rows] of [
      ['a', 3],
      ['b', 101],
    ] as const) {
      const worlds = await StoredWorlds.open(directory.path, { files: disk.files, durability: this.durability, minJournalBytes: 300 });
      const commit = (...changes: (() => Promise<void>)[]) => Promise.all(changes.map((each) => this.#note(worlds, each)));
      const many = Object.fromEntries(Array.from({ length: rows }, (_, index) => [`${round}${index}`, index]));
      try {
        await commit(() => worlds.create('w', many));
        await commit(() => worlds.put(many));
        for (let step = 0; step < 4; step += 1) {
          await commit(
            () => worlds.put({ step, first: step }),
            () => worlds.put({ [`k${step}`]: step }),
          );
        }
        await commit(() => worlds.create('v', { a: 1 }));
        await commit(() => worlds.drop('v'));
      } finally {
        await worlds.storage.close();
      }
    }
  }

  async #note(worlds: StoredWorlds, change: () => Promise<void>): Promise<void> {
    const kept = change();
    const index = this.states.push(textOf(worlds.worlds)) - 1;
    try {
      await kept;
      this.acknowledged = index;
    } catch (error) {
      this.refusals.push(error);
    }
  }
}

/** Opens the directory after a crash, then again after another commit and crash. Checks that no commit or part of one is lost. */
async function recover(image: DiskImage, { states, acknowledged }: { states: readonly string[]; acknowledged: number }, at: string) {
  const left = temporary(StorageDirectory.of(image));
  const first = await StoredWorlds.open(left.path).catch((error: unknown) => {
    throw new Error(`${at}: it does not open: ${(error as Error).message}`);
  });
  const found = textOf(first.worlds);
  expect(states.lastIndexOf(found), `${at}; acknowledged up to ${acknowledged}`).toBeGreaterThanOrEqual(acknowledged);
  await (first.worlds.has('w') ? first.put({ late: 1 }) : first.create('w', { late: 1 }));
  const again = temporary(left.afterCrash());
  await first.storage.close();
  const second = await StoredWorlds.open(again.path);
  expect(textOf(second.worlds) === textOf(first.worlds), `${at}, and again after another commit`).toBe(true);
  await second.storage.close();
  return found;
}

/** Returns a key that is equal for images with equal contents. */
const keyOf = (image: DiskImage) => JSON.stringify([...image].map(([name, bytes]) => [name, bytes.toString('latin1')]));

describe.each(durabilities)('durability %s', (durability) => {
  test('keeps all acknowledged commits complete after a crash at any file system call', { timeout: 120_000 }, async () => {
    const directory = temporary(new StorageDirectory());
    const disk = new WatchedDisk(directory);
    const story = new Story(durability);
    /** Each content of the disk at any call, with the progress at the last call that had this content. */
    const crashes = new Map<string, { image: DiskImage; at: string; states: string[]; acknowledged: number }>();
    let calls = 0;
    disk.before = ({ name, path, bytes }) => {
      calls += 1;
      const note = (how: string, image: DiskImage) => {
        const at = `${how} call ${calls}, ${name} ${directory.nameOf(path)}`;
        const acknowledged = durability === 'os' && how.startsWith('power') ? 0 : story.acknowledged;
        const known = crashes.get(keyOf(image));
        crashes.set(keyOf(image), { image, at, states: [...story.states], acknowledged: Math.max(known?.acknowledged ?? 0, acknowledged) });
      };
      const image = directory.image();
      const own = directory.nameOf(path);
      note('killed before', image);
      if (bytes && !own.startsWith('lock')) {
        for (const length of [bytes.length >> 1, bytes.indexOf('\n') + 1]) {
          note('killed in', new Map([...image, [own, Buffer.concat([image.get(own)!, bytes.subarray(0, length)])]]));
        }
      }
      note('power lost before', disk.afterPowerLoss(false));
      note('power lost, names ahead, before', disk.afterPowerLoss(true));
    };
    await story.live(directory, disk);
    expect(story.refusals).toEqual([]);
    expect(story.acknowledged).toBe(story.states.length - 1);
    for (const [index, { image, at, ...so }] of [...crashes.values()].entries())
      if (index % strides.crash === 0) await recover(image, so, at);
  });

  test('acknowledges only stored commits when any file system call fails', { timeout: 120_000 }, async () => {
    let hasFailed = true;
    for (let failing = 1; hasFailed; failing += strides.failing) {
      const directory = temporary(new StorageDirectory());
      const disk = new WatchedDisk(directory);
      const story = new Story(durability);
      let calls = 0;
      let at = 'nothing failed';
      hasFailed = false;
      disk.before = ({ name, path }) => {
        calls += 1;
        if (calls !== failing) return;
        hasFailed = true;
        at = `failed at call ${calls}, ${name} ${directory.nameOf(path)}`;
        throw Object.assign(new Error('injected'), { code: 'EIO' });
      };
      await story.live(directory, disk).catch(() => undefined); // The start or stop may fail; only acknowledged commits count.
      for (const refusal of story.refusals) expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { cause: 'EIO' } });
      const found = await recover(directory.image(), story, at);
      expect(found === story.states[story.acknowledged], `${at}: contains rejected commits`).toBe(true);
    }
  });
});
