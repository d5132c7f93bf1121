import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import type { World } from '../../world/world.js';
import { Stream } from './stream.js';

const harness = useHarness();

it('a world without readers gets a reader although 512 readers are open: a reader of another world ends', async () => {
  const stream = new Stream();
  const worlds: World[] = [];
  for (let count = 0; count < 9; count += 1) worlds.push(harness.sandbox.world(await harness.world(`reads-${count}`)));
  const read = (index: number) => stream.read(worlds[index]!, {}, undefined);
  const first = read(0);
  for (let count = 1; count < 512; count += 1) read(count % 8);
  expect(() => read(0)).toThrow('64 readers are on the stream of this world already');
  const late = read(8);
  expect(stream.readers).toBe(512);
  expect(await first.next()).toContain('event: ready');
  expect(await first.next()).toBeNull();
  expect(await late.next()).toContain('event: ready');
});
