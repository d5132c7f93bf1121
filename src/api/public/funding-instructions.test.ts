import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds } from '../../testing/withdrawals.js';

const harness = useHarness();

interface Listed {
  readonly asset: string;
  readonly rail: string;
  readonly network?: string;
}

const short = ({ asset, rail, network }: Listed) => [asset, rail, network].filter(Boolean).join(' ');

async function list(world: string, accountId: string, query = '') {
  return harness.api('GET', `/api/accounts/${accountId}/fundingInstructions${query}`, {}, world);
}

describe('funding instructions', () => {
  // §2.10-by-rail §2.10-list §D7-funding-rails
  it('list every rail of every active asset, in a fixed order', async () => {
    const world = await harness.world('all-rails');
    const { accountIds } = fixtureIds(harness, world);
    const first = await list(world, accountIds[0]!, '?sortOrder=ASCENDING&limit=100');
    expect(first.status).toBe(200);
    expect(first.body.data.map(short)).toEqual([
      'BRL PIX_KEY',
      'BRL PIX_STATIC_QR_CODE',
      'BRL TED',
      'BRL BOLETO',
      'USDT CRYPTO ETHEREUM',
      'USDT CRYPTO TRON',
      'USD WIRE',
      'USD ACH',
      'USD SWIFT',
    ]);
    const second = await list(world, accountIds[1]!);
    expect(second.body.data.map(short)).toEqual([
      'EUR SWIFT',
      'EUR SEPA',
      'BRL BOLETO',
      'BRL TED',
      'BRL PIX_STATIC_QR_CODE',
      'BRL PIX_KEY',
    ]);
  });

  // §D7-funding-rails
  it('are empty for an account without active assets', async () => {
    const { accountIds } = fixtureIds(harness);
    const { body } = await list('default', accountIds[3]!);
    expect(body).toEqual({ data: [], meta: { previousCursor: null, nextCursor: null, total: 0 } });
  });

  // §D5-fields
  it.each([
    ['asset[eq]=USD', ['USD WIRE', 'USD ACH', 'USD SWIFT']],
    ['rail[in]=TED|SWIFT', ['BRL TED', 'USD SWIFT']],
    ['asset[eq]=BRL;rail[like]=pix', ['BRL PIX_KEY', 'BRL PIX_STATIC_QR_CODE']],
  ])('can be filtered by %s', async (filters, expected) => {
    const { accountId } = fixtureIds(harness);
    const { body } = await list('default', accountId, `?sortOrder=ASCENDING&filters=${encodeURIComponent(filters)}`);
    expect(body.data.map(short)).toEqual(expected);
  });

  it('cannot be filtered by other fields', async () => {
    const { accountId } = fixtureIds(harness);
    const { status, body } = await list('default', accountId, `?filters=${encodeURIComponent('network[eq]=TRON')}`);
    expect([status, body.code, body.details.field]).toEqual([400, 'INVALID_FILTER_FORMAT', 'network']);
  });

  // §2.10-list
  it('are paged', async () => {
    const { accountId } = fixtureIds(harness);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await list('default', accountId, `?sortOrder=ASCENDING&limit=4&cursor=${cursor}`);
      seen.push(...body.data.map(short));
      cursor = body.meta.nextCursor;
    }
    const all = await list('default', accountId, '?sortOrder=ASCENDING');
    expect(seen).toEqual(all.body.data.map(short));
  });

  it('stay identical over time and after a reset, and differ in a world with another name', async () => {
    const world = await harness.world('stable');
    const { accountId } = fixtureIds(harness, world);
    const first = await list(world, accountId);
    await harness.control('POST', '/clock/advance', { by: 'PT45M' }, world);
    expect((await list(world, accountId)).body).toEqual(first.body);
    await harness.control('POST', '/reset', undefined, world);
    expect((await list(world, accountId)).body).toEqual(first.body);
    const other = await harness.world('stable-other');
    const elsewhere = await list(other, fixtureIds(harness, other).accountId);
    const values = (data: Record<string, string>[]) => data.map((each) => each['key'] ?? each['accountNumber'] ?? each['walletAddress']);
    expect(values(elsewhere.body.data)).not.toEqual(values(first.body.data));
  });

  it('require an existing account', async () => {
    const { status, body } = await list('default', '0b6f4a3e-5d0c-4d7e-9a51-6d2f8a4c1e77');
    expect([status, body.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });
});
