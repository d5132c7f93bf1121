import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableNames } from '../../world/tables.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdraw } from '../../testing/withdrawals.js';
import { quoteIn, request } from '../../testing/money.js';
import { companyRequest, createReady } from '../../testing/onboarding.js';
import { inLength } from '../../testing/long-run.js';

const harness = useHarness();
type Rows = Record<string, unknown>[];
interface Document {
  tables: Record<string, Rows>;
}

const effects = { REQUEST: { delay: { min: '1ms', max: '2ms' } }, DELIVERY: { delay: '1h', duplicate: 1, reorder: true } };
const inline = {
  extends: 'default',
  settings: { quoteTtl: '1m' },
  rules: [{ on: 'OPERATION', when: { 'intent.type': 'SWAP' }, steps: [] }],
};

/** Creates a world with rows in every table of an exported state. @returns the exported state */
async function fullWorld(world: string): Promise<Document> {
  await harness.world(world);
  const { accountIds } = fixtureIds(harness, world);
  await harness.control('PUT', '/scenario', { inline }, world);
  await harness.control('PUT', '/settings', { spread: '0.01', delays: { OPERATION: '3s' } }, world);
  await harness.control('PUT', '/inbox/in/responses', [{ status: 500 }, { status: 500 }], world);
  const resources = { includeAll: true, allowRetry: true };
  for (const url of ['http://localhost:9/', `http://localhost:4010/_sandbox/inbox/in?world=${world}`])
    await harness.api('POST', '/api/subscriptions', { body: { url, ...resources } }, world);
  await harness.api(
    'POST',
    '/api/beneficiaries',
    { body: pixBeneficiary(), headers: { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' } },
    world,
  );
  await harness.quiet(world);
  await harness.control('POST', '/faults', { on: 'DELIVERY', effect: effects.DELIVERY }, world);
  for (const amount of ['1.00', '1.12', '1.17']) await withdraw(harness, world, amount);
  const [accountId, other] = accountIds;
  const transfer = { sourceAccountId: accountId, targetAccountId: other, amount: { value: '1.00', asset: 'BRL' } };
  await request(harness, world, 'transfer', transfer);
  for (const [kind, sourceAsset, more] of [
    ['swap', 'USD', {}],
    ['deposit', 'BRL', { fundingInstruction: { rail: 'PIX_KEY' } }],
    ['deposit', 'USDC', { fundingInstruction: { rail: 'CRYPTO' } }],
  ] as const) {
    const { id } = await quoteIn(harness, world, { accountId: accountId!, sourceAsset, targetAsset: 'BRL', sourceAmount: '5.00' });
    expect((await request(harness, world, kind, { accountId, quoteId: id, ...more })).status).toBe(201);
  }
  await createReady(harness, world, companyRequest());
  // An import without the counts of the fault would apply the fault again, so the fault matches only requests that `live` does not send.
  const expiring = { on: 'REQUEST', when: { operationId: 'getOperation' }, times: 1, effect: { expireToken: true } };
  await harness.control('POST', '/faults', expiring, world);
  expect((await harness.api('GET', `/api/operations/${accountId}`, {}, world)).status).toBe(401);
  harness.forget(world);
  await harness.control('POST', '/clock/advance', { by: '4s' }, world);
  return (await harness.control('GET', '/state', undefined, world)).body as Document;
}

type Place = [table: string, index: number, path: (string | number)[]];

/** Returns the position of every value in every row. */
function places(document: Document): Place[] {
  const below = (value: unknown, path: (string | number)[]): (string | number)[][] =>
    typeof value === 'object' && value !== null
      ? [path, ...Object.entries(value).flatMap(([key, each]) => below(each, [...path, Array.isArray(value) ? Number(key) : key]))]
      : [path];
  return Object.entries(document.tables).flatMap(([table, rows]) =>
    rows.flatMap((row, index) =>
      below(row, [])
        .filter((path) => path.length > 0)
        .map((path): Place => [table, index, path]),
    ),
  );
}

/** Returns a copy of a document in which one value is replaced; removed if `value` is undefined. */
function altered(document: Document, [table, index, path]: Place, value: unknown): Document {
  const copy = structuredClone(document);
  let at = copy.tables[table]![index] as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as typeof at;
  const last = path.at(-1)!;
  if (value === undefined && Array.isArray(at)) at.splice(Number(last), 1);
  else if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** Reads and advances a world with requests that work for any valid state. Expects that none fails. */
async function live(world: string): Promise<void> {
  for (const list of ['operations', 'beneficiaries', 'documents', 'ledger', 'deliveries', 'quotes', 'faults', 'scenario', 'settings'])
    expect((await harness.control('GET', `/${list}`, undefined, world)).status).toBe(200);
  for (const { id } of (await harness.control('GET', '/operations?limit=100', undefined, world)).body.data as { id: string }[])
    expect((await harness.control('GET', `/why/${id}`, undefined, world)).status).toBe(200);
  for (const list of ['accounts', 'subscriptions'])
    expect((await harness.api('GET', `/api/${list}?limit=100`, {}, world)).status).toBe(200);
  const { periodStart, periodEnd } = { periodStart: '2026-01-01T00:00:00Z', periodEnd: '2027-01-01T00:00:00Z' };
  expect((await harness.api('GET', `/api/reports?periodStart=${periodStart}&periodEnd=${periodEnd}`, {}, world)).status).toBe(200);
  expect((await harness.control('POST', '/clock/advance', { by: '2d' }, world)).status).toBe(200);
  const document = (await harness.control('GET', '/state', undefined, world)).body;
  expect((await harness.control('PUT', '/state', document, world)).status).toBe(200);
}

const values = [undefined, null, '', 'text', '-1', '0.001', -1, 1.5, true, [], {}, ['text'], { id: 'text' }, '2026-11-21', 'FAILED'];

describe('a manually edited state', () => {
  it('can have rows in every table, and works after the import', async () => {
    const document = await fullWorld('whole');
    const empty = tableNames.filter(
      (name) => !['identity', 'clock', 'snapshots', 'snapshotParts'].includes(name) && !document.tables[name]?.length,
    );
    expect(empty).toEqual([]);
    expect((await harness.control('PUT', '/state', document, 'whole')).status).toBe(200);
    await live('whole');
  });

  it('gets counters that match its rows, even if its own counters are too low', async () => {
    const world = 'counted';
    const document = await fullWorld(world);
    const valuesOf = ({ tables }: Document) => new Map(tables['counters']!.map(({ id, value }) => [id as string, value as number]));
    const before = valuesOf(document);
    const exported = async () => (await harness.control('GET', '/state', undefined, world)).body as Document;
    expect((await harness.control('PUT', '/state', document, world)).status).toBe(200);
    expect(valuesOf(await exported())).toEqual(before);
    const low = { ...document, tables: { ...document.tables, counters: [{ id: 'ledgerEntry', value: 1 }] } };
    expect((await harness.control('PUT', '/state', low, world)).status).toBe(200);
    const raised = valuesOf(await exported());
    for (const name of [
      'account',
      'quote',
      'operation',
      'ledgerEntry',
      'fault',
      'uboId',
      'paymentInstructionId',
      'transactionId',
      'inboxCharacters',
    ])
      expect([name, raised.get(name)]).toEqual([name, before.get(name)]);
    const entries = document.tables['ledgerEntries']!;
    await withdraw(harness, world, '1.00');
    await harness.control('POST', '/clock/advance', { by: '10s' }, world);
    const { tables } = await exported();
    expect(tables['ledgerEntries']!.length).toBeGreaterThan(entries.length);
    expect(tables['ledgerEntries']!.slice(0, entries.length)).toEqual(entries);
  });

  it('is rejected for an unknown field in any table', async () => {
    const document = await fullWorld('strange');
    for (const table of Object.keys(document.tables)) {
      const { status, body } = await harness.control('PUT', '/state', altered(document, [table, 0, ['elephant']], 1), 'strange');
      const field = `body:tables.${table}[0].elephant`;
      expect({ status, errors: body.details.errors }).toMatchObject({ status: 400, errors: [{ code: 'UNKNOWN_FIELD', field }] });
    }
    const misspelt = altered(document, ['accounts', 0, ['owner', 'adress']], {});
    const { body } = await harness.control('PUT', '/state', misspelt, 'strange');
    expect(body.message).toMatch(/: owner\.adress: expected no such field; did you mean "address"\?$/);
    expect((await harness.control('GET', '/state', undefined, 'strange')).body).toEqual(document);
  });

  it('with any changed value is either rejected with table, row and field, or works after the import', async () => {
    const world = 'changed';
    const document = await fullWorld(world);
    const everywhere = places(document);
    const kinds = [...new Map(everywhere.map((place) => [`${place[0]} ${place[2].join('.').replace(/\d+/g, '#')}`, place])).values()];
    const outcomes = { refused: 0, taken: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constantFrom(...kinds), fc.constantFrom(...everywhere)),
        fc.constantFrom(...values),
        async (place, value) => {
          const { status, body } = await harness.control('PUT', '/state', altered(document, place, value), world);
          if (status === 200) {
            outcomes.taken += 1;
            await live(world);
            expect(harness.internalErrors).toEqual([]);
            return;
          }
          outcomes.refused += 1;
          expect([status, body.code]).toEqual([400, 'INVALID_DATA']);
          for (const { field, message } of body.details.errors) {
            expect(field).toMatch(/^body:tables\.[a-zA-Z]+(\[\d+\])?/);
            expect(message).toMatch(/[.?]$/);
          }
        },
      ),
      {
        numRuns: inLength(25, 2000),
        examples: [[everywhere.find(([table, , path]) => table === 'plans' && path[0] === 'steps' && path.length === 1)!, []]],
      },
    );
    expect(Math.min(outcomes.refused, outcomes.taken)).toBeGreaterThan(0);
  });
});

it.each([
  ['', '[""]'],
  ['.', '["."]'],
  ['a.b', 'a.b'],
])('an unknown row field with the name "%s" is rejected, and the error names the field', async (name, shown) => {
  const world = await harness.world(`named-${name.length}-${name === '.' ? 'dot' : 'other'}`);
  const document = (await harness.control('GET', '/state', undefined, world)).body as Document;
  const row = document.tables['accounts']![0]!;
  row[name] = 1;
  const { status, body } = await harness.control('PUT', '/state', document, world);
  expect([status, body.code]).toEqual([400, 'INVALID_DATA']);
  expect(body.details.errors).toMatchObject([{ code: 'UNKNOWN_FIELD', field: `body:tables.accounts[0].${shown}` }]);
  expect(body.message).toContain(`${shown}: expected no such field`);
});
