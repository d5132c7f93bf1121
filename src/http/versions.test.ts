import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startServer } from '../server/server.js';
import { readSettings } from '../server/options.js';
import { useHarness } from '../testing/harness.js';
import { fixtureIds } from '../testing/withdrawals.js';
import type { Version } from './versions.js';

type Fields = Record<string, unknown>;

/** An older version, for these tests alone: quotes named the account `account`, and amounts were numbers; errors had no details. */
const old: Version = {
  name: '0',
  requestIn: (operationId, body) => {
    if (operationId !== 'createQuote') return body;
    const { account, sourceAmount, ...others } = body as Fields;
    return { ...others, accountId: account, sourceAmount: typeof sourceAmount === 'number' ? sourceAmount.toFixed(2) : sourceAmount };
  },
  responseOut: (operationId, body) => {
    if ('code' in (body as Fields)) return { error: (body as Fields)['code'] };
    if (operationId !== 'createQuote') return body;
    const { expiresAt, sourceAmount, ...others } = body as Fields & { expiresAt: string; sourceAmount: { value: string } };
    return { ...others, validUntil: Date.parse(expiresAt), sourceAmount: Number(sourceAmount.value) };
  },
};
const harness = useHarness({ versions: [{ name: '1' }, old] });

describe('a version', () => {
  const oldHeaders = { 'x-service-version': '0' };
  const call = (body: unknown, headers: Record<string, string>, key: string = randomUUID(), world = 'default') =>
    harness.api('POST', '/api/quotes', { key, body, headers }, world);

  // §9-changes
  it('renames fields and changes types both ways', async () => {
    const { accountId } = fixtureIds(harness);
    const answer = await call({ account: accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: 12.5 }, oldHeaders);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-service-version')).toBe('0');
    expect(answer.body).toMatchObject({ sourceAmount: 12.5, targetAmount: { value: '12.50' }, validUntil: harness.realMs + 30_000 });
    expect(answer.body).not.toHaveProperty('expiresAt');
  });

  // §9-changes
  it('shapes refusals too: those of the shape, of a rule, and of the route', async () => {
    const asked = { account: randomUUID(), sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: 1 };
    expect((await call({}, oldHeaders)).body).toEqual({ error: 'INVALID_DATA' });
    expect((await call(asked, oldHeaders)).body).toEqual({ error: 'RESOURCE_NOT_FOUND' });
    const replayed = randomUUID();
    await call(asked, oldHeaders, replayed);
    const again = await call(asked, oldHeaders, replayed);
    expect([again.body, again.headers.get('x-idempotent-replay')]).toEqual([{ error: 'RESOURCE_NOT_FOUND' }, 'true']);
  });

  it('replays in its own words', async () => {
    const { accountId } = fixtureIds(harness);
    const key = randomUUID();
    const body = { account: accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: 3 };
    const first = await call(body, oldHeaders, key);
    expect((await call(body, oldHeaders, key)).body).toEqual(first.body);
  });

  // §D3-fingerprint
  it('is part of what makes two requests the same', async () => {
    const { accountId } = fixtureIds(harness);
    const key = randomUUID();
    const body = { account: accountId, accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '3.00' };
    expect((await call(body, {}, key)).status).toBe(201);
    expect((await call(body, oldHeaders, key)).body).toEqual({ error: 'IDEMPOTENCY_CONFLICT' });
    expect((await call(body, { 'x-service-version': 'unknown' }, key)).headers.get('x-idempotent-replay')).toBe('true');
  });

  // §9-header §9-default §D4-header
  it.each([
    ['missing', undefined, '1'],
    ['blank', ' ', '1'],
    ['unknown', '99', '1'],
    ['the default', '1', '1'],
    ['another', '0', '0'],
  ])('that is %s is served by the right one', async (_name, header, served) => {
    const answer = await harness.api('GET', '/api/accounts', header === undefined ? {} : { headers: { 'x-service-version': header } });
    expect([answer.status, answer.headers.get('x-service-version')]).toEqual([200, served]);
  });
});

describe('the default version', () => {
  const older = useHarness({ versions: [{ name: '1' }, old], defaultVersion: '0' });
  // §9-default
  it('is the operator’s', async () => {
    expect((await older.api('GET', '/api/accounts')).headers.get('x-service-version')).toBe('0');
    expect((await older.api('GET', '/api/accounts', { headers: { 'x-service-version': '1' } })).headers.get('x-service-version')).toBe('1');
  });

  // §D4-operator
  it('has to exist', async () => {
    const settings = readSettings(['--port', '0', '--data', 'memory', '--default-version', '7', '--log-level', 'silent'], {});
    await expect(startServer(settings)).rejects.toThrow('There is no API version "7"; there is 1.');
  });
});
