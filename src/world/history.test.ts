import { describe, expect, it } from 'vitest';
import { fixtureIds, useHarness, withdraw } from '../testing/harness.js';
import { operationIn } from '../testing/money.js';

const harness = useHarness();
const month = '/api/reports?periodStart=2026-10-22T12:00:00Z&periodEnd=2026-11-21T12:00:00Z';

describe('a world with the default fixtures', () => {
  it('looks back on operations of every kind, which make a report', async () => {
    const world = await harness.world('past');
    const { body } = await harness.control('GET', '/operations?limit=100&sortOrder=ASCENDING', undefined, world);
    const seen = body.data.map((each: { intent: { type: string } }) => each.intent.type) as string[];
    expect([...new Set(seen)].toSorted()).toEqual(['DEPOSIT', 'SWAP', 'TRANSFER', 'WITHDRAWAL']);
    for (const each of body.data) {
      expect(await operationIn(harness, world, each.id)).toEqual(each);
      expect(each.createdAt >= each.quote.consumedAt && each.updatedAt < '2026-11-21T12:00:00.000Z').toBe(true);
    }
    const report = await harness.api('GET', month, {}, world);
    expect(report.body.totals.map((each: { asset: string }) => each.asset)).toEqual(['BRL', 'EUR', 'USD', 'USDT']);
    expect(report.body.totals[0]).toMatchObject({ inflows: { count: 5 }, outflows: { count: 4 } });
  });

  it('has the balances that its fixtures name, and books that explain them', async () => {
    const world = await harness.world('past-balances');
    const { accountIds } = fixtureIds(harness, world);
    const holdings = accountIds.map(async (id) => (await harness.control('GET', `/accounts/${id}`, undefined, world)).body.balances);
    expect((await Promise.all(holdings)).flat().map((each: { value: string; asset: string }) => `${each.value} ${each.asset}`)).toEqual([
      '1250000.00 BRL',
      '180000.00 USD',
      '95000.000000 USDT',
      '430000.00 BRL',
      '62000.00 EUR',
      '18500.00 BRL',
      '0.00 BRL',
      '0.000000 USDC',
    ]);
    const { ledgerEntries } = harness.sandbox.world(world).state;
    const opening = [...ledgerEntries.values()].filter((each) => each.operationId === null);
    expect(opening).toHaveLength(6);
    for (const { at, postings } of opening) {
      expect(at).toBe('2026-09-22T12:00:00.000Z');
      expect(postings[1]!.amount).toMatch(/^[1-9]/);
    }
  });

  it('has nothing pending, and is the same each time', async () => {
    const world = await harness.world('past-again');
    const { state } = harness.sandbox.world(world);
    expect([state.jobs.size, state.deliveries.size]).toEqual([0, 0]);
    const before = [...state.operations.keys()];
    const { id } = await withdraw(harness, world);
    await harness.control('POST', '/reset', undefined, world);
    expect([...harness.sandbox.world(world).state.operations.keys()]).toEqual(before);
    expect((await withdraw(harness, world)).id).toBe(id);
  });
});
