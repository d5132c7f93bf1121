import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness({ maxWorlds: 3 });

it('the sandbox creates worlds up to the limit, and a further world after one is deleted', async () => {
  const make = (name: string) => harness.control('POST', '/worlds', { name });
  expect([(await make('one')).status, (await make('two')).status]).toEqual([201, 201]);
  const refused = await make('three');
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED', details: { maximum: 3 } } });
  expect((await harness.control('GET', '/worlds')).body.data).toHaveLength(3);
  expect((await make('one')).status).toBe(409);
  await harness.control('DELETE', '/worlds/one');
  expect((await make('three')).status).toBe(201);
});
