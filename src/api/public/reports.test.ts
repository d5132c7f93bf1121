import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdraw } from '../../testing/withdrawals.js';
import { quoteIn, request } from '../../testing/money.js';

const harness = useHarness();
const noon = '2026-11-21T12:00:00Z';
const settled = '2026-11-21T12:00:03.000Z';

async function reportIn(world: string, query: Record<string, string>) {
  return harness.api('GET', `/api/reports?${new URLSearchParams(query).toString()}`, {}, world);
}

/** Creates a world in which one operation of each kind settled at one time, and one withdrawal failed. */
async function busyWorld(name: string) {
  const world = await harness.world(name);
  const [first = '', second = ''] = fixtureIds(harness, world).accountIds;
  await withdraw(harness, world, '150.00');
  await withdraw(harness, world, '7.13');
  const quote = await quoteIn(harness, world, { accountId: first, sourceAsset: 'USD', targetAsset: 'BRL', sourceAmount: '100.00' });
  await request(harness, world, 'swap', { accountId: first, quoteId: quote.id });
  const amount = { value: '40.25', asset: 'BRL' };
  await request(harness, world, 'transfer', { sourceAccountId: second, targetAccountId: first, amount });
  await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
  const swapped = quote.targetAmount.value as string;
  return { world, first, second, swapped };
}

const flow = (value: string, asset: string, count: number) => ({ sum: { value, asset, decimals: 2 }, count });
const plus = (a: string, b: string) => (Number(a.replace('.', '')) + Number(b.replace('.', ''))).toString().replace(/(..)$/, '.$1');

describe('a report', () => {
  // §D12-directions §D12-alphabetical §2.9-totals
  it('sums inflows and outflows of settled operations by asset', async () => {
    const { world, swapped } = await busyWorld('report');
    const { status, body } = await reportIn(world, { periodStart: noon, periodEnd: '2026-11-22T00:00:00.5Z' });
    expect(status).toBe(200);
    expect(body).toEqual({
      period: { start: '2026-11-21T12:00:00.000Z', end: '2026-11-22T00:00:00.500Z' },
      totals: [
        { asset: 'BRL', inflows: flow(plus(swapped, '40.25'), 'BRL', 2), outflows: flow('190.25', 'BRL', 2) },
        { asset: 'USD', outflows: flow('100.00', 'USD', 1) },
      ],
    });
  });

  // §D12-settled §2.9-period
  it.each([
    ['it starts at the settlement', settled, '2026-11-21T12:00:03.001Z', 2],
    ['it ends at the settlement', noon, settled, 0],
    ['it ends before the settlement', noon, '2026-11-21T12:00:02.999Z', 0],
    ['it starts after the settlement', '2026-11-21T12:00:03.001Z', '2026-11-22T00:00:00Z', 0],
  ])('includes the start of its period and excludes the end: %s', async (what, periodStart, periodEnd, assets) => {
    const { world } = await busyWorld(`half-${what.replaceAll(' ', '-')}`);
    expect((await reportIn(world, { periodStart, periodEnd })).body.totals).toHaveLength(assets);
  });

  // §D12-filters §D12-unknown-account §4.13-filters
  it('filters inflows and outflows, not whole operations', async () => {
    const { world, first, second, swapped } = await busyWorld('report-filters');
    const totals = async (filters: string) =>
      (await reportIn(world, { periodStart: noon, periodEnd: '2026-11-22T00:00:00Z', filters })).body.totals;
    const received = { asset: 'BRL', inflows: flow('40.25', 'BRL', 1) };
    const sent = { asset: 'BRL', outflows: flow('40.25', 'BRL', 1) };
    expect(await totals(`account.id[eq]=${second}`)).toEqual([sent]);
    expect(await totals(`account.id[eq]=${first};intent.type[eq]=TRANSFER`)).toEqual([received]);
    expect(await totals('asset[eq]=USD')).toEqual([{ asset: 'USD', outflows: flow('100.00', 'USD', 1) }]);
    expect(await totals('and(intent.type[eq]=SWAP,asset[eq]=BRL)')).toEqual([{ asset: 'BRL', inflows: flow(swapped, 'BRL', 1) }]);
    expect(await totals('intent.type[in]=WITHDRAWAL|DEPOSIT')).toEqual([{ asset: 'BRL', outflows: flow('150.00', 'BRL', 1) }]);
    expect(await totals('tags.key[eq]=segment;tags.value[eq]=STANDARD_COMPANY')).toHaveLength(2);
    expect(await totals('tags.key[eq]=other')).toEqual([]);
    expect(await totals('account.id[eq]=0b6f4a3e-5d0c-4d7e-9a51-6d2f8a4c1e77')).toEqual([]);
  });

  const bothDates = [
    ['INVALID_DATE', 'query:periodStart'],
    ['INVALID_DATE', 'query:periodEnd'],
  ];

  // §4.13-period §4.13-order §8-report-window §D6-instants
  it.each([
    [
      'a missing period',
      {},
      [
        ['REQUIRED', 'query:periodStart'],
        ['REQUIRED', 'query:periodEnd'],
      ],
    ],
    ['an empty period', { periodStart: noon, periodEnd: '2026-11-21T12:00:00.000Z' }, [['INVALID_PERIOD', 'query:periodEnd']]],
    ['a period that runs backward', { periodStart: noon, periodEnd: '2026-11-21T11:59:59Z' }, [['INVALID_PERIOD', 'query:periodEnd']]],
    [
      'a timestamp with an offset',
      { periodStart: '2026-11-21T12:00:00+00:00', periodEnd: '2026-11-22T00:00:00Z' },
      [['INVALID_DATE', 'query:periodStart']],
    ],
    ['a timestamp without a zone', { periodStart: noon, periodEnd: '2026-11-22T00:00:00' }, [['INVALID_DATE', 'query:periodEnd']]],
    ['a date without a time', { periodStart: noon, periodEnd: '2026-11-22' }, [['INVALID_DATE', 'query:periodEnd']]],
    ['a day that does not exist', { periodStart: noon, periodEnd: '2026-11-31T00:00:00Z' }, [['INVALID_DATE', 'query:periodEnd']]],
    ['an hour that does not exist', { periodStart: '2026-11-21T25:00:00Z', periodEnd: '2026-11-22T24:00:00Z' }, bothDates],
    ['a leap second', { periodStart: '2026-11-21T23:59:60Z', periodEnd: '2026-11-22T12:60:00Z' }, bothDates],
    [
      'a fraction finer than nanoseconds',
      { periodStart: noon, periodEnd: '2026-11-22T00:00:00.0000000001Z' },
      [['INVALID_DATE', 'query:periodEnd']],
    ],
    ['a timestamp without seconds', { periodStart: noon, periodEnd: '2026-11-22T00:00Z' }, [['INVALID_DATE', 'query:periodEnd']]],
    [
      'a period of less than a millisecond',
      { periodStart: noon, periodEnd: '2026-11-21T12:00:00.000999Z' },
      [['INVALID_PERIOD', 'query:periodEnd']],
    ],
  ])('rejects %s', async (_what, query, items) => {
    const { status, body } = await reportIn('default', query);
    expect([status, body.code]).toEqual([400, 'INVALID_DATA']);
    expect(body.details.errors.map((each: { code: string; field: string }) => [each.code, each.field])).toEqual(items);
  });

  // §D6-instants
  it.each(['', '.5', '.512', '.512999', '.512345678'])(
    'accepts a timestamp with the fraction "%s", truncated to milliseconds',
    async (fraction) => {
      const { status, body } = await reportIn('default', { periodStart: noon, periodEnd: `2026-11-22T00:00:00${fraction}Z` });
      expect([status, body.period.end]).toEqual([200, `2026-11-22T00:00:00.${fraction.slice(1, 4).padEnd(3, '0')}Z`]);
    },
  );

  it.each(['asset=BRL', 'owner[eq]=x', 'asset[is]=BRL'])('rejects the filter %s', async (filters) => {
    const { status, body } = await reportIn('default', { periodStart: noon, periodEnd: '2026-11-22T00:00:00Z', filters });
    expect([status, body.code]).toEqual([400, 'INVALID_FILTER_FORMAT']);
  });
});
