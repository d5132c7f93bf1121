import { expect, it } from 'vitest';
import { fractions } from '../testing/chance.js';
import type { Tables } from '../world/tables.js';
import { StoredWorld } from './stored-world.js';

const row = (id: string, value: number) => ({ id, value }) as Tables['counters'];

it('a stored world keeps rows in the order of their first put, also after replacements and checkpoints', () => {
  const chance = fractions(7);
  const world = new StoredWorld();
  let expected = new Map<string, Tables['counters']>();
  for (let step = 0; step < 3000; step += 1) {
    const id = String(Math.floor(chance() * 20));
    const choice = chance();
    if (choice < 0.01) {
      expected = new Map(Array.from({ length: 10 }, (_each, index) => [String(index), row(String(index), step)]));
      world.replace([['counters', [...expected.values()]]]);
    } else if (choice < 0.03) {
      expect(world.capture().find(([table]) => table === 'counters')![1]).toEqual([...expected.values()]);
    } else if (choice < 0.4) {
      expected.delete(id);
      world.apply([{ table: 'counters', id, row: null }]);
    } else {
      expected.set(id, row(id, step));
      world.apply([{ table: 'counters', id, row: row(id, step) }]);
    }
    expect([...world]).toEqual([...expected.values()].map((each) => ['counters', each]));
  }
});
