import { expect, it } from 'vitest';
import type { AuditEntry } from '../../contract/control/audit.js';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness({ isHosted: true, controlToken: 'operator' });
const operator = { authorization: 'Bearer operator' };

const make = async (name: string) => {
  const { body } = await harness.control('POST', '/worlds', { name }, '', { ...operator, 'x-forwarded-user': 'ada@example.com' });
  const { clientId, clientSecret } = body.credentials as Record<string, string>;
  return { clientId: clientId!, clientSecret: clientSecret!, partner: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` } };
};
const audit = async (query = '') => {
  const { status, body } = await harness.control('GET', `/audit?${query}`, undefined, '', operator);
  expect(status).toBe(200);
  return body as { data: AuditEntry[]; meta: { nextCursor: string | null } };
};
const linesOf = (entries: AuditEntry[]) =>
  entries.map(({ caller, operationId, world, status, code }) => [caller, operationId, world, status, code].join(' '));

it('the audit log shows who changed what, newest first, and neither bodies nor secrets', async () => {
  const { clientId, clientSecret, partner } = await make('acme');
  await harness.control('PUT', '/settings', { quoteTtl: '3m' }, 'acme', partner);
  await harness.control('GET', '/settings', undefined, 'acme', partner);
  await harness.control('DELETE', '/worlds/acme', undefined, 'acme', partner);
  await harness.control('POST', '/reset', undefined, 'acme', { authorization: 'Bearer guessed-token' });
  await harness.control('DELETE', `/worlds/${clientSecret}`, undefined, '', { ...operator, 'x-forwarded-for': clientSecret });
  const rotated = await harness.control('POST', '/worlds/acme/credentials', { grace: '0s' }, '', operator);
  await harness.control('DELETE', '/worlds/acme', undefined, '', operator);
  const { data } = await audit();
  expect(linesOf(data)).toEqual([
    'OPERATOR deleteWorld acme 204 ',
    'OPERATOR rotateCredentials acme 200 ',
    'OPERATOR deleteWorld  400 INVALID_DATA',
    'UNKNOWN resetWorld  401 CONTROL_TOKEN_REQUIRED',
    'PARTNER deleteWorld  403 NOT_PERMITTED',
    'PARTNER putSettings acme 200 ',
    'OPERATOR createWorld acme 201 ',
  ]);
  expect(data.map(({ credential }) => credential)).toEqual([
    expect.stringMatching(/^[0-9a-f]{8}$/),
    data[0]!.credential,
    data[0]!.credential,
    expect.stringMatching(/^[0-9a-f]{8}$/),
    clientId,
    clientId,
    data[0]!.credential,
  ]);
  expect(data.at(-1)).toMatchObject({ user: 'ada@example.com', at: '2026-11-21T12:00:00.000Z', path: '/_sandbox/worlds' });
  const text = JSON.stringify(data);
  for (const secret of [clientSecret, rotated.body.clientSecret, 'guessed-token', 'quoteTtl', '"operator"'])
    expect(text.includes(secret), secret).toBe(false);
});

it('the audit log has filters and pages', async () => {
  const { clientId, partner } = await make('globex');
  for (let count = 0; count < 3; count += 1) await harness.control('POST', '/reset', undefined, 'globex', partner);
  harness.realMs += 1000;
  const since = new Date(harness.realMs).toISOString();
  await harness.control('POST', '/reset', undefined, 'nowhere', partner);
  await make('initech');
  expect(linesOf((await audit('worldName=globex&operationId=resetWorld')).data)).toEqual(Array(3).fill('PARTNER resetWorld globex 200 '));
  expect((await audit(`credential=${clientId}`)).data).toHaveLength(4);
  expect(linesOf((await audit('minStatus=404&caller=PARTNER&limit=1')).data)).toEqual(['PARTNER resetWorld  404 RESOURCE_NOT_FOUND']);
  expect((await audit(`since=${since}`)).data).toHaveLength(2);
  expect((await audit(`worldName=globex&until=${since}`)).data).toHaveLength(4);
  const first = await audit('worldName=globex&limit=3');
  const second = await audit(`worldName=globex&limit=3&cursor=${first.meta.nextCursor}`);
  expect([first.data.length, linesOf(second.data), second.meta.nextCursor]).toEqual([3, ['OPERATOR createWorld globex 201 '], null]);
});

it.each(['cursor=d29ybGR-YQ', 'minStatus=99', 'caller=ME', 'since=yesterday', 'actor=x'])('GET /audit?%s is rejected', async (query) => {
  const { status, body } = await harness.control('GET', `/audit?${query}`, undefined, '', operator);
  expect([status, body.code]).toEqual([400, 'INVALID_DATA']);
});

it('a partner cannot read the audit log', async () => {
  const { partner } = await make('curious');
  expect(await harness.control('GET', '/audit', undefined, '', partner)).toMatchObject({ status: 403, body: { code: 'NOT_PERMITTED' } });
});

it('rejected callers fill at most 60 entries a minute; the others are counted', async () => {
  harness.realMs += 60_000;
  const guess = () => harness.control('POST', '/reset', undefined, '', { authorization: 'Bearer guessed-token' });
  for (let count = 0; count < 70; count += 1) await guess();
  const since = `since=${new Date(harness.realMs).toISOString()}`;
  const entries = async () => [...(await audit(`${since}&limit=100`)).data];
  expect(await entries()).toHaveLength(60);
  await make('after-guesses');
  expect((await entries())[0]).toMatchObject({ operationId: 'createWorld', omitted: 10 });
});
