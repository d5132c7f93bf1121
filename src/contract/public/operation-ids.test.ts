import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { operationIds } from './operation-ids.js';

const harness = useHarness();

it('the operations that rules can name are those of the public document', () => {
  const served = harness.routes.filter(({ path }) => !path.startsWith('/_sandbox')).map(({ operationId }) => operationId);
  expect([...operationIds].toSorted()).toEqual(served.toSorted());
});
