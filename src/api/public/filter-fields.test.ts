import { beforeAll, expect, it } from 'vitest';
import { filterable } from '../../contract/shared/filters.js';
import { filterOperators } from '../../domain/lists/condition.js';
import { valuesAt, type Value } from '../../domain/lists/fields.js';
import { useHarness } from '../../testing/harness.js';
import { withdraw } from '../../testing/withdrawals.js';
import { companyRequest, createReady } from '../../testing/onboarding.js';

const harness = useHarness();
const world = 'fields';
let ids: { readonly account: string; readonly subscription: string };

/** The lists by their names in the contract. */
const lists: [keyof typeof filterable, () => string][] = [
  ['requests', () => '/requests'], // First, because the tests below add more requests than fit on one page.
  ['timeline', () => '/timeline'],
  ['accounts', () => '/api/accounts'],
  ['accounts', () => '/accounts'],
  ['fundingInstructions', () => `/api/accounts/${ids.account}/fundingInstructions`],
  ['subscriptions', () => '/api/subscriptions'],
  ['subscriptions', () => '/subscriptions'],
  ['executionLogs', () => `/api/subscriptions/${ids.subscription}/executionLogs`],
  ['operations', () => '/operations'],
  ['beneficiaries', () => '/beneficiaries'],
  ['documents', () => '/documents'],
  ['quotes', () => '/quotes'],
  ['ledgerEntries', () => '/ledger'],
  ['deliveries', () => '/deliveries'],
  ['messages', () => '/inbox/in/messages'],
];

beforeAll(async () => {
  await harness.world(world);
  const onlyAccounts = { url: 'https://hooks.example.com/accounts', resources: [{ name: 'ACCOUNT' }], allowRetry: true };
  await harness.api('POST', '/api/subscriptions', { body: onlyAccounts }, world);
  const subscribed = { url: 'https://hooks.example.com/', includeAll: true };
  const { body: subscription } = await harness.api('POST', '/api/subscriptions', { body: subscribed }, world);
  const request = { ...companyRequest(), tags: [{ key: 'segment', value: 'retail' }] };
  ids = { account: await createReady(harness, world, request), subscription: subscription.id };
  await withdraw(harness, world);
  await harness.control('POST', '/clock/advance', { by: '1m' }, world);
  await harness.quiet(world);
  for (const text of ['one', 'two']) await harness.control('POST', '/inbox/in', { text }, world);
});

const period = 'periodStart=2026-01-01T00:00:00Z&periodEnd=2027-01-01T00:00:00Z';

async function listed(path: string, filter: string) {
  const page = path === '/timeline' ? 'limit=500' : 'limit=100';
  const query = `${path}?${path === '/api/reports' ? period : page}&filters=${encodeURIComponent(filter)}`;
  return path.startsWith('/api/') ? harness.api('GET', query, {}, world) : harness.control('GET', query, undefined, world);
}

/** Formats a value as a string without trailing zeros of decimals. */
const plain = (value: Value) =>
  value === null || value === undefined ? null : String(value).replace(/^(-?[0-9]+)(?:\.0+|(\.[0-9]*?)0+)$/, '$1$2');
const spelled = (value: string | null) => value?.replaceAll(/[,;|()\\]/g, '\\$&') ?? 'null';

/** Filter fields whose values are not in the items of the list, because they can be large. */
const notInItems: ReadonlySet<string> = new Set(['request.bodies']);

// §D5-fields
it.each(lists)('the list %s can be filtered by the value of each filter field', async (list, path) => {
  const { body } = await listed(path(), 'none[eq]=1');
  const { allowed } = body.details as { allowed: string[] };
  expect(allowed).toEqual(filterable[list].fields);
  const all = (await listed(path(), '')).body.data as unknown[];
  expect(all.length).toBeGreaterThan(1);
  for (const field of allowed) {
    if (notInItems.has(field)) continue;
    const valuesOf = (item: unknown) => valuesAt(item, field.split('.')).map(plain);
    for (const value of new Set(all.flatMap(valuesOf).slice(0, 12))) {
      const found = (await listed(path(), `${field}[eq]=${spelled(value)}`)).body.data as unknown[];
      expect(found, `${field} is ${value}`).toEqual(all.filter((item) => valuesOf(item).includes(value)));
    }
  }
});

it('the timeline can be filtered by a text in the bodies of requests', async () => {
  const found = async (text: string) => (await listed('/timeline', `request.bodies[like]=${text}`)).body.data as { request?: unknown }[];
  expect(await found('"value":"retail"')).toMatchObject([{ kind: 'REQUEST', request: { operationId: 'createAccount' } }]);
  expect(await found('in no body of this world')).toEqual([]);
});

it('every list and the report document their filter fields, operators and a valid example', async () => {
  const { body: ofApi } = await harness.api('GET', '/openapi.json');
  const { body: ofControl } = await harness.control('GET', '/openapi.json');
  const queries = [ofApi, ofControl].flatMap(({ paths }) =>
    Object.entries<Record<string, { parameters?: FiltersParameter[] }>>(paths).flatMap(([path, { get }]) =>
      // The counts take the filters of the list that they count.
      path === '/_sandbox/counts/{list}'
        ? []
        : (get?.parameters ?? []).filter(({ name }) => name === 'filters').map((parameter) => ({ path, parameter })),
    ),
  );
  expect(queries).toHaveLength(lists.length + 1);
  for (const { path, parameter } of queries) {
    const example = parameter.examples.success.value;
    const at = path.replace('/_sandbox', '').replace('{accountId}', ids.account).replace('{subscriptionId}', ids.subscription);
    const { status } = await listed(at.replace('{inboxName}', 'in'), example);
    expect([path, example, status]).toEqual([path, example, 200]);
    const { fields } = Object.values(filterable).find((list) => list.example === example)!;
    for (const word of [...fields, ...filterOperators]) expect(parameter.description, path).toContain(`\`${word}\``);
  }
});

interface FiltersParameter {
  readonly name: string;
  readonly description: string;
  readonly examples: { readonly success: { readonly value: string } };
}

it('finds a name however its accents are written', async () => {
  const place = 'accents';
  await harness.world(place);
  const written = 'Jose\u0301 Exportac\u0327a\u0303o Ltda';
  const { body: account } = await harness.api('POST', '/api/accounts', { body: companyRequest({ legalName: written }) }, place);
  expect(account.owner.legalName).toBe(written);
  const filters = ['[eq]=José Exportação Ltda', '[like]=josé exp', '[text]=EXPORTAÇÃO', '[in]=x|José Exportação Ltda', '[like]=jose\u0301'];
  for (const filter of filters) {
    const { body } = await harness.api('GET', `/api/accounts?filters=${encodeURIComponent(`owner.legalName${filter}`)}`, {}, place);
    expect([filter, body.data.map(({ id }: { id: string }) => id)]).toEqual([filter, [account.id]]);
  }
});

it.each([
  ['/api/accounts?filters=owner.legalName[like]=%ED%A0%80', 'filters'],
  ['/api/accounts?limit=%C3&cursor=a', 'limit'],
  ['/api/accounts?limit=1%80', 'limit'],
  ['/api/reports?periodStart=%FF', 'periodStart'],
])('rejects a query whose bytes are not UTF-8: %s', async (path, name) => {
  const { status, body } = await harness.api('GET', path, {}, world);
  expect([status, body.details.errors.map(({ field, code }: { field: string; code: string }) => [field, code])]).toEqual([
    400,
    [[`query:${name}`, 'INVALID_FORMAT']],
  ]);
  expect((await harness.control('GET', `/accounts?filters=owner.legalName[like]=%E9`, undefined, world)).status).toBe(400);
});

it('accepts a percent sign and UTF-8 in a query', async () => {
  for (const value of ['100%', '%zz', 'Jos%C3%A9%20%F0%9F%98%80', 'a+b'])
    expect((await harness.api('GET', `/api/accounts?filters=owner.legalName[like]=${value}`, {}, world)).status).toBe(200);
});
