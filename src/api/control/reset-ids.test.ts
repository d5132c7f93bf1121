import { describe, expect, it } from 'vitest';
import { readSettings } from '../../server/options.js';
import { startServer } from '../../server/server.js';
import { useHarness } from '../../testing/harness.js';
import { describeWithPostgres, usePostgres } from '../../testing/postgres.js';
import { call } from '../../testing/process.js';
import { StorageDirectory } from '../../testing/storage.js';
import { fixtureIds, withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();
const reset = (world: string, body?: unknown) => harness.control('POST', '/reset', body, world);

/** Requests a withdrawal. @returns all ids and codes of the world, including those of the fixtures */
async function idsOf(world: string): Promise<string[]> {
  const { id } = await withdraw(harness, world);
  await harness.control('POST', '/clock/advance', { by: '1m' }, world);
  const { accounts, beneficiaries, operations, quotes, ledgerEntries } = harness.sandbox.world(world).state;
  expect(operations.has(id)).toBe(true);
  const generated = [...operations.values()].flatMap(({ transactions }) =>
    transactions.flatMap((each) =>
      ['id', 'uetr', 'endToEnd'].flatMap((field) => ((each as Record<string, unknown>)[field] as string) ?? []),
    ),
  );
  const own = [accounts, beneficiaries, operations, quotes, ledgerEntries].flatMap((table): string[] => [...table.keys()]);
  return [...own, ...generated];
}

describe('a reset', () => {
  it('repeats the ids of a new world, also after a reset with fresh ids', async () => {
    const world = await harness.world('same-ids');
    const first = await idsOf(world);
    await reset(world);
    expect(await idsOf(world)).toEqual(first);
    await reset(world, { ids: 'fresh' });
    await reset(world, { ids: 'same' });
    expect(await idsOf(world)).toEqual(first);
  });

  it('with fresh ids repeats no earlier id of the world, and gives the same ids in each run', async () => {
    const run = async () => {
      await harness.control('PUT', '/worlds/fresh-ids?ifExists=replace', { clock: { mode: 'FROZEN', now: '2026-11-21T12:00:00Z' } });
      const world = 'fresh-ids';
      const { customerId } = harness.sandbox.world(world).identity;
      const seen = [await idsOf(world)];
      for (let index = 0; index < 3; index++) {
        expect((await reset(world, { ids: 'fresh' })).status).toBe(200);
        seen.push(await idsOf(world));
      }
      expect(harness.sandbox.world(world).identity.customerId).toBe(customerId);
      return seen;
    };
    const seen = await run();
    expect(new Set(seen.map(({ length }) => length)).size).toBe(1);
    expect(new Set(seen.flat()).size).toBe(seen.flat().length);
    expect(await run()).toEqual(seen);
  });

  it('with fresh ids repeats no id of a snapshot or an imported state, which both continue their own series', async () => {
    const world = await harness.world('series');
    await harness.control('POST', '/snapshots', { name: 'first' }, world);
    const first = await idsOf(world);
    await reset(world, { ids: 'fresh' });
    const { body: exported } = await harness.control('GET', '/state', undefined, world);
    const second = await idsOf(world);
    await harness.control('POST', '/snapshots/first/restore', undefined, world);
    expect(await idsOf(world)).toEqual(first);
    await harness.control('PUT', '/state', exported, world);
    expect(await idsOf(world)).toEqual(second);
    await harness.control('POST', '/snapshots/first/restore', undefined, world);
    await reset(world, { ids: 'fresh' });
    const third = await idsOf(world);
    expect(third.filter((id) => first.includes(id) || second.includes(id))).toEqual([]);
    // The re-created world has used no fresh ids. The imported state has.
    await harness.control('PUT', '/worlds/series?ifExists=replace', { clock: { mode: 'FROZEN', now: '2026-11-21T12:00:00Z' } });
    await harness.control('PUT', '/state', exported, world);
    await reset(world, { ids: 'fresh' });
    expect((await idsOf(world)).filter((id) => second.includes(id))).toEqual([]);
  });

  it('with an invalid body is rejected and changes nothing', async () => {
    const world = await harness.world('other-ids');
    await withdraw(harness, world);
    const before = fixtureIds(harness, world);
    for (const body of [{ ids: 'new' }, { ids: 1 }, { id: 'fresh' }, ['fresh']]) {
      const refused = await reset(world, body);
      expect(refused, JSON.stringify(body)).toMatchObject({ status: 400, body: { code: 'INVALID_DATA' } });
    }
    expect(fixtureIds(harness, world)).toEqual(before);
    expect(harness.sandbox.world(world).state.quotes.size).toBeGreaterThan(0);
  });

  it('with fresh ids, sent twice at the same time, leaves a consistent world', async () => {
    const world = await harness.world('twice-ids');
    const statuses = await Promise.all([reset(world, { ids: 'fresh' }), reset(world, { ids: 'fresh' })]);
    expect(statuses.map(({ status }) => [200, 409, 503].includes(status))).toEqual([true, true]);
    const ids = await idsOf(world);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

/** Checks that fresh ids remain after a restart, and that the next reset with fresh ids does not repeat earlier ids. */
async function checkRestarts(data: string): Promise<void> {
  const start = () => startServer(readSettings(['--port', '0', '--data', data, '--log-level', 'silent'], {}));
  const headers = { 'x-sandbox-world': 'own' };
  const accountsOf = async (url: string) =>
    (await call(url, 'GET', '/_sandbox/state', { headers })).body.tables.accounts.map(({ id }: { id: string }) => id) as string[];
  const fresh = async (url: string) => {
    expect((await call(url, 'POST', '/_sandbox/reset', { headers, body: { ids: 'fresh' } })).status).toBe(200);
    return accountsOf(url);
  };
  const first = await start();
  expect((await call(first.url, 'PUT', '/_sandbox/worlds/own', { body: {} })).status).toBe(201);
  const seen = [...(await accountsOf(first.url))];
  const before = await fresh(first.url);
  seen.push(...before);
  await first.close();
  const second = await start();
  expect(await accountsOf(second.url)).toEqual(before);
  seen.push(...(await fresh(second.url)));
  expect((await call(second.url, 'POST', '/_sandbox/reset', { headers })).status).toBe(200);
  await second.close();
  const third = await start();
  // The last reset has restored the ids of a new world, but the next fresh ids are still new.
  expect(await accountsOf(third.url)).toEqual(seen.slice(0, before.length));
  seen.push(...(await fresh(third.url)));
  await third.close();
  expect(new Set(seen).size).toBe(seen.length);
}

describe('fresh ids', () => {
  it('remain after a restart from files', async () => {
    const directory = new StorageDirectory();
    await expect(checkRestarts(directory.path)).resolves.toBeUndefined();
    await directory.remove();
  });
});

describeWithPostgres('fresh ids in PostgreSQL', () => {
  const postgres = usePostgres();

  it('remain after a restart', async () => {
    const url = await postgres.server.database();
    await expect(checkRestarts(url)).resolves.toBeUndefined();
  }, 30_000);
});
