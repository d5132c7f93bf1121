import { expect, it } from 'vitest';
import type { World } from '../world/world.js';
import { OpenWorlds } from './open-worlds.js';

const worldNamed = (name: string) => ({ identity: { name } }) as World;

it('a world that was created while its predecessor was deleted stays when that deletion is stored', () => {
  const worlds = new OpenWorlds();
  const [before, other, after] = [worldNamed('w'), worldNamed('other'), worldNamed('w')];
  for (const world of [before, other, after]) worlds.opened(world);
  worlds.deleted(before);
  expect([...worlds.byName.values()]).toEqual([other, after]);
  worlds.left(after);
  expect([...worlds.byName.keys()]).toEqual(['other']);
});
