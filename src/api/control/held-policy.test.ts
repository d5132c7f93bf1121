import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness({ isHosted: true, urlPolicy: 'strict' });
const url = 'http://127.0.0.1:15999/hooks';

it('a world cannot allow local webhook URLs if the operator enforces the strict policy', async () => {
  const world = await harness.world('partner');
  const policy = async () => (await harness.control('GET', '/settings', undefined, world)).body.urlPolicy;
  const subscribe = () => harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true } }, world);

  const { status, body } = await harness.control('PUT', '/settings', { urlPolicy: 'local', spread: '0.01' }, world);
  expect([status, body.details.errors[0].field, body.details.errors[0].params]).toEqual([400, 'body:urlPolicy', { allowed: ['strict'] }]);
  expect((await harness.control('GET', '/settings', undefined, world)).body.spread).toBe('0.005');
  expect((await harness.control('PUT', '/settings', { urlPolicy: 'strict' }, world)).status).toBe(200);

  const inline = { extends: 'default', settings: { urlPolicy: 'local' }, rules: [] };
  expect((await harness.control('PUT', '/scenario', { inline }, world)).status).toBe(200);
  expect([await policy(), (await subscribe()).status]).toEqual(['strict', 400]);

  const { body: state } = await harness.control('GET', '/state', undefined, world);
  state.tables.settings = [{ id: 'settings', urlPolicy: 'local' }];
  expect((await harness.control('PUT', '/state', state, world)).status).toBe(200);
  expect([await policy(), (await subscribe()).status]).toEqual(['strict', 400]);
});
