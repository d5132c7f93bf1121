import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();
const many = (length: number, item: unknown) => Array.from({ length }, () => item);
const scenario = (fields: object) => ({ inline: { rules: [{ on: 'OPERATION', steps: [], ...fields }] } });

describe('a list that is too long', () => {
  it.each([
    ['assets', '/api/accounts', (length: number) => ({ assets: many(length, {}), owner: 1 }), 'body:assets', 20],
    [
      'resources',
      '/api/subscriptions',
      (length: number) => ({ url: 'https://hooks.example.com/', resources: many(length, {}) }),
      'body:resources',
      3,
    ],
    [
      'events',
      '/api/subscriptions',
      (length: number) => ({ url: 'https://hooks.example.com/', resources: [{ name: 'OPERATION', events: many(length, 1) }] }),
      'body:resources[0].events',
      7,
    ],
  ])('is rejected without errors about its items: %s', async (_name, path, bodyOf, field, maximum) => {
    const { body } = await harness.api('POST', path, { body: bodyOf(maximum + 1) });
    expect(body.details.errors[0]).toMatchObject({ code: 'OUT_OF_RANGE', field, params: { maximum } });
    expect(body.details.errors.filter((each: { field: string }) => each.field.startsWith(`${field}[`))).toEqual([]);
    const fitting = await harness.api('POST', path, { body: bodyOf(maximum) });
    expect(fitting.body.details.errors.filter((each: { field: string }) => each.field === field)).toEqual([]);
  });
});

describe('a request with more than 100 errors', () => {
  it('gets the first 100 errors in contract order, and the number of omitted errors', async () => {
    const when = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f${index}`, []]));
    const { status, body } = await harness.control('PUT', '/scenario', scenario({ when, steps: 1 }));
    expect([status, body.code, body.message]).toEqual([400, 'INVALID_DATA', '151 fields of the request are invalid.']);
    expect(body.details.errors).toHaveLength(100);
    expect(body.details.omitted).toBe(51);
    const few = await harness.control('PUT', '/scenario', scenario({ steps: 1 }));
    expect(Object.keys(few.body.details)).toEqual(['errors', 'help']);
  });
});

describe('an error about very long input', () => {
  const long = 'k'.repeat(100_000);

  it.each([
    ['a name', () => harness.control('PUT', '/scenario', { name: long })],
    ['a field', () => harness.control('POST', '/deliveries/flush', { [long]: 1 })],
  ])('quotes only the beginning of the input: %s', async (_what, send) => {
    const { status, body } = await send();
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(body)).toContain('kkk');
    expect(JSON.stringify(body).length).toBeLessThan(20_000);
  });
});

describe('the reason of a forced status', () => {
  it('has details of at most 4,096 characters, because they are stored', async () => {
    const world = await harness.world('reasons', { scenario: 'manual' });
    const { id } = await withdraw(harness, world);
    const fail = (length: number) => {
      const reason = { code: 'TOLD', message: 'Told.', details: { text: 'x'.repeat(length - '{"text":""}'.length) } };
      return harness.control('POST', `/operations/${id}/fail`, { reason }, world);
    };
    const refused = await fail(4097);
    expect(refused.body.details?.errors).toMatchObject([{ code: 'OUT_OF_RANGE', field: 'body:reason.details', params: { maximum: 4096 } }]);
    expect((await fail(4096)).status).toBe(200);
  });
});

it.each(['toString', '__proto__', { toString: 1 }, ['BRL']])('a quote with the invalid asset %j is rejected', async (asset) => {
  const body = { accountId: 'x', sourceAsset: asset, targetAsset: asset, sourceAmount: '1.00' };
  expect((await harness.api('POST', '/api/quotes', { body })).status).toBe(400);
});
