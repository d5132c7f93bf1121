import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import type { World } from '../../world/world.js';
import type { Observer } from '../../exchange/observer.js';

const fail = () => {
  throw new Error('An observer that fails.');
};
const events: string[] = [];
const failing: Observer = { began: fail, entered: fail, responded: fail, committed: fail, replaced: fail, deleted: fail };
const later: Observer = {
  committed: ({ identity }: World) => void events.push(`committed ${identity.name}`),
  deleted: ({ identity }: World) => void events.push(`deleted ${identity.name}`),
};
const harness = useHarness({ observers: [failing, later] });

it('an observer that throws affects no response, world or other observer', async () => {
  const world = await harness.world('watched');
  const subscription = { url: 'http://localhost:9/', includeAll: true };
  expect((await harness.api('POST', '/api/subscriptions', { body: subscription }, world)).status).toBe(201);
  expect((await harness.control('POST', '/reset', undefined, world)).status).toBe(200);
  expect((await harness.control('DELETE', `/worlds/${world}`)).status).toBe(204);
  expect(events).toEqual(expect.arrayContaining(['committed watched', 'deleted watched']));
  expect(harness.internalErrors.splice(0)).not.toEqual([]);
});
