import { beforeAll, expect, it } from 'vitest';
import type { z } from '@hono/zod-openapi';
import type { ListedWorldSchema } from '../../contract/control/worlds.js';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();
const list = async (query: string) => {
  const { status, body } = await harness.control('GET', `/worlds?limit=100&${query}`);
  expect(status).toBe(200);
  return body.data as z.infer<typeof ListedWorldSchema>[];
};
const namesOf = async (query: string) => (await list(query)).map(({ name }) => name);

beforeAll(async () => {
  for (const name of ['ci-1', 'ci-2', 'job-ci']) await harness.world(name);
  await harness.api('GET', '/api/accounts', {}, 'ci-1');
  harness.realMs += 60_000;
  await harness.api('POST', '/api/quotes', { body: { sourceAmount: 10 } }, 'ci-2');
});

it('the list of worlds shows last use, bytes and verdict; a world without a request has neither use nor verdict', async () => {
  const [one, two, job] = await list('name=*ci*');
  expect(one).toMatchObject({ name: 'ci-1', lastUsedAt: '2026-11-21T12:00:00.000Z', node: null, verdict: 'PASSED' });
  expect(two).toMatchObject({ name: 'ci-2', lastUsedAt: '2026-11-21T12:01:00.000Z', verdict: 'FAILED' });
  expect(job).toMatchObject({ name: 'job-ci', lastUsedAt: null, verdict: 'INCONCLUSIVE' });
  expect(one!.bytes).toBeGreaterThan(10_000);
});

it('its verdict is that of a report without a profile', async () => {
  for (const { name, verdict } of await list(''))
    expect((await harness.control('GET', `/report?world=${name}`)).body.verdict, name).toBe(verdict);
});

it.each([
  ['name=ci-*', ['ci-1', 'ci-2']],
  ['name=ci', []],
  ['verdict=FAILED', ['ci-2']],
  ['name=ci-*&verdict=PASSED', ['ci-1']],
  ['unusedSince=2026-11-21T12:00:30Z&name=*ci*', ['ci-1', 'job-ci']],
  ['node=http://10.0.0.7:4010', []],
])('GET /worlds?%s', async (query, names) => {
  expect(await namesOf(query)).toEqual(names);
});

it('has pages with a filter', async () => {
  const page = async (cursor: string) => (await harness.control('GET', `/worlds?name=*ci*&limit=2&cursor=${cursor}`)).body;
  const first = await page('');
  const second = await page(first.meta.nextCursor);
  expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['ci-1', 'ci-2', 'job-ci']);
  expect(second.meta.nextCursor).toBeNull();
});
