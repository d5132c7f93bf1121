import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { companyRequest, createAccount } from '../../testing/onboarding.js';

const harness = useHarness();
let worlds = 0;

interface List {
  readonly name: string;
  /** Prepares a world. @returns the path of its list, and a function that adds an item of one of two kinds */
  readonly open: (world: string) => Promise<{ path: string; add: (isOther: boolean) => Promise<unknown> }>;
  /** A filter that matches only items of the first kind. */
  readonly filter: string;
}

const lists: List[] = [
  {
    name: 'accounts',
    open: (world) =>
      Promise.resolve({
        path: '/api/accounts',
        add: (isOther) => createAccount(harness, world, companyRequest({}, [{ code: isOther ? 'USD' : 'SEK' }])),
      }),
    filter: 'assets.asset[eq]=SEK',
  },
  {
    name: 'subscriptions',
    open: (world) =>
      Promise.resolve({
        path: '/api/subscriptions',
        add: (isOther) => {
          const resources = [{ name: isOther ? 'ACCOUNT' : 'OPERATION' }];
          return harness.api('POST', '/api/subscriptions', { body: { url: 'https://hooks.example.com/', resources } }, world);
        },
      }),
    filter: 'resources.name[eq]=OPERATION',
  },
  {
    name: 'delivery attempts',
    open: async (world) => {
      const subscribed = { url: 'http://localhost:9000/', includeAll: true };
      const { body } = await harness.api('POST', '/api/subscriptions', { body: subscribed }, world);
      const add = async (isOther: boolean) => {
        const eventType = isOther ? 'ASSET_ACTIVATED' : 'OPERATION_FAILED';
        await harness.control('POST', '/events', { eventType }, world);
        await harness.quiet(world);
      };
      return { path: `/api/subscriptions/${body.id}/executionLogs`, add };
    },
    filter: 'eventType[like]=operation',
  },
];

describe.each(lists)('the list of $name', ({ open, filter }) => {
  const arbitrary = {
    items: fc.array(fc.boolean(), { maxLength: 12 }),
    limits: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
    sortOrder: fc.constantFrom('ASCENDING', 'DESCENDING'),
    isFiltered: fc.boolean(),
    added: fc.array(fc.array(fc.boolean(), { maxLength: 2 }), { maxLength: 8 }),
    ticks: fc.boolean(),
  };

  // §D5-exactly-once §D5-limit-changes §D5-previous-order §D5-null-cursor §D5-order §2.1-page-meta §4.15-sort-order
  it('returns each existing item once, forward and backward, while new items are added', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(arbitrary), async ({ items, limits, sortOrder, isFiltered, added, ticks }) => {
        const world = await harness.world(`list-${(worlds += 1)}`, { fixtures: 'empty', scenario: 'manual' });
        const { path, add } = await open(world);
        const query = `sortOrder=${sortOrder}${isFiltered ? `&filters=${encodeURIComponent(filter)}` : ''}`;
        const ask = async (more: string) => (await harness.api('GET', `${path}?${query}&${more}`, {}, world)).body;
        const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);
        for (const isOther of items) {
          await add(isOther);
          // If the clock does not advance, all items have one timestamp.
          if (ticks) await harness.control('POST', '/clock/advance', { by: '1s' }, world);
        }
        const older = idsOf(await ask('limit=100'));
        expect(older).toHaveLength(items.filter((isOther) => !(isFiltered && isOther)).length);

        let turn = 0;
        const step = async (more: string) => {
          const page = await ask(`limit=${limits[turn % limits.length]}&${more}`);
          for (const isOther of added[turn] ?? []) await add(isOther);
          turn += 1;
          expect(page.meta.total).toBe(page.data.length);
          expect(page.data.length).toBeLessThanOrEqual(5);
          return page;
        };
        let page = await step('');
        expect(page.meta.previousCursor).toBeNull();
        const forward = idsOf(page);
        while (page.meta.nextCursor !== null) {
          page = await step(`cursor=${page.meta.nextCursor}${turn % 2 === 0 ? '' : '&direction=NEXT'}`);
          forward.push(...idsOf(page));
        }
        expect(forward.filter((id) => older.includes(id))).toEqual(older);
        expect(new Set(forward).size).toBe(forward.length);
        const back = idsOf(page);
        while (page.meta.previousCursor !== null) {
          page = await step(`cursor=${page.meta.previousCursor}&direction=PREVIOUS`);
          back.unshift(...idsOf(page));
        }
        expect(back.filter((id) => older.includes(id))).toEqual(older);
        expect(new Set(back).size).toBe(back.length);
        await harness.control('DELETE', `/worlds/${world}`);
      }),
      { numRuns: 25 },
    );
  });

  // §D5-bound §4.15-cursor
  it('rejects a damaged cursor, and a cursor that it returned for another order or filter', async () => {
    const world = await harness.world(`list-${(worlds += 1)}`, { fixtures: 'empty', scenario: 'manual' });
    const { path, add } = await open(world);
    for (let count = 0; count < 3; count += 1) await add(false);
    const { nextCursor } = (await harness.api('GET', `${path}?limit=1`, {}, world)).body.meta;
    const refused = async (query: string) => {
      const { status, body } = await harness.api('GET', `${path}?cursor=${query}`, {}, world);
      expect([query, status, body.details.errors]).toMatchObject([query, 400, [{ field: 'query:cursor', code: 'INVALID_FORMAT' }]]);
    };
    for (const query of ['&sortOrder=ASCENDING', `&filters=${encodeURIComponent(filter)}`]) await refused(nextCursor + query);
    for (const damaged of [nextCursor.slice(1), `${nextCursor}A`, nextCursor.toLowerCase(), 'x']) await refused(damaged);
    expect((await harness.api('GET', `${path}?cursor=${nextCursor}&limit=2`, {}, world)).body.data).toHaveLength(2);
  });
});
