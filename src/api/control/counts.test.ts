import { expect, it } from 'vitest';
import { countedLists } from '../../contract/control/routes/lists.js';
import { useHarness } from '../../testing/harness.js';
import { withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();

it('counts all items of a list, beyond its pages', async () => {
  const world = await harness.world('counts');
  const count = async (list: string, filters = '') =>
    (await harness.control('GET', `/counts/${list}?filters=${encodeURIComponent(filters)}`, undefined, world)).body.total;
  const before = await count('operations');
  for (let made = 0; made < 12; made += 1) await withdraw(harness, world, made < 5 ? '1.00' : '2.00');
  expect(await count('operations')).toBe(before + 12);
  expect(await count('operations', 'sourceAmount.value[eq]=1.00')).toBe(5);
  for (const list of countedLists) {
    const { data } = (await harness.control('GET', `/${list}?limit=100`, undefined, world)).body;
    expect([list, await count(list)]).toEqual([list, data.length]);
  }
});

it.each([
  ['operations', 'nothing[eq]=1', 'INVALID_FILTER_FORMAT'],
  ['worlds', '', 'INVALID_DATA'],
])('rejects %s with the filter "%s"', async (list, filters, code) => {
  const { status, body } = await harness.control('GET', `/counts/${list}?filters=${encodeURIComponent(filters)}`);
  expect([status, body.code]).toEqual([400, code]);
});

it('issues access tokens that work in the payments API, although a fault rejects every request there', async () => {
  const world = await harness.world('issued');
  await harness.control('POST', '/faults', { on: 'REQUEST', times: 1, effect: { status: 503 } }, world);
  const { status, body, headers } = await harness.control('POST', '/token', undefined, world);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  const list = () => harness.api('GET', '/api/accounts', { headers: { authorization: `Bearer ${body.accessToken}` } }, world);
  expect((await list()).status).toBe(503);
  expect((await list()).status).toBe(200);
});
