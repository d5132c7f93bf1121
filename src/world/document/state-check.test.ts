import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { checkState } from './state-check.js';

const harness = useHarness();

it.each([
  ['documents', 'accounts', 'documents'],
  ['ubos', 'accounts', 'ubos'],
  ['accounts', 'ubos', 'accounts'],
] as const)('a world with a missing row of %s is rejected because %s reference this row', async (missing, naming, named) => {
  const world = await harness.world(`check-${missing}`);
  const { state } = harness.sandbox.world(world);
  checkState('db.json', world, state);
  state[missing].delete([...state[missing].keys()].at(-1)!);
  expect(() => checkState('db.json', world, state)).toThrow(
    new RegExp(`^db.json: World ${world}: ${naming}/[^ ]+: [^ ]+: references ${named}/[^ ]+, which does not exist`),
  );
});
