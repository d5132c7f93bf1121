import { expect, it } from 'vitest';
import type { World } from '../world/world.js';
import { OpenWorlds } from './open-worlds.js';

const worldNamed = (name: string) => ({ identity: { name } }) as World;

it('a world stays open if the deletion of an older world with its name is stored later', () => {
  const worlds = new OpenWorlds();
  const [before, other, after] = [worldNamed('w'), worldNamed('other'), worldNamed('w')];
  for (const world of [before, other, after]) worlds.opened(world);
  worlds.deleted(before);
  expect([...worlds.byName.values()]).toEqual([other, after]);
  worlds.left(after);
  expect([...worlds.byName.keys()]).toEqual(['other']);
});
