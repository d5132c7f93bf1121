import { beforeAll, expect, it } from 'vitest';
import { valuesAt, type Value } from '../domain/lists/fields.js';
import { useHarness, withdraw } from '../testing/harness.js';
import { companyRequest, createReady } from '../testing/onboarding.js';

const harness = useHarness();
const world = 'fields';
let ids: { readonly account: string; readonly subscription: string };

/** Each list, and how many fields it can be filtered by. */
const lists: [string, number, () => string][] = [
  ['accounts', 15, () => '/api/accounts'],
  ['funding instructions', 2, () => `/api/accounts/${ids.account}/fundingInstructions`],
  ['subscriptions', 6, () => '/api/subscriptions'],
  ['execution logs', 7, () => `/api/subscriptions/${ids.subscription}/executionLogs`],
  ['operations', 19, () => '/operations'],
  ['beneficiaries', 14, () => '/beneficiaries'],
  ['documents', 13, () => '/documents'],
  ['quotes', 10, () => '/quotes'],
  ['ledger entries', 7, () => '/ledger'],
  ['deliveries', 11, () => '/deliveries'],
  ['messages', 3, () => '/inbox/in/messages'],
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

async function listed(path: string, filter: string) {
  const query = `${path}?limit=100&filters=${encodeURIComponent(filter)}`;
  return path.startsWith('/api/') ? harness.api('GET', query, {}, world) : harness.control('GET', query, undefined, world);
}

/** As a text, and without the zeros that decimals end with. */
const plain = (value: Value) =>
  value === null || value === undefined ? null : String(value).replace(/^(-?[0-9]+)(?:\.0+|(\.[0-9]*?)0+)$/, '$1$2');
const spelled = (value: string | null) => value?.replaceAll(/[,;|()\\]/g, '\\$&') ?? 'null';

// §D5-fields
it.each(lists)('%s are filtered by what they show under the name of each field', async (_name, count, path) => {
  const { body } = await listed(path(), 'none[eq]=1');
  const { allowed } = body.details as { allowed: string[] };
  expect(allowed).toHaveLength(count);
  const all = (await listed(path(), '')).body.data as unknown[];
  expect(all.length).toBeGreaterThan(1);
  for (const field of allowed) {
    const valuesOf = (item: unknown) => valuesAt(item, field.split('.')).map(plain);
    for (const value of new Set(all.flatMap(valuesOf).slice(0, 12))) {
      const found = (await listed(path(), `${field}[eq]=${spelled(value)}`)).body.data as unknown[];
      expect(found, `${field} is ${value}`).toEqual(all.filter((item) => valuesOf(item).includes(value)));
    }
  }
});
