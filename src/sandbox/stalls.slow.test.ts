import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { useHarness } from '../testing/harness.js';
import { fixtureIds } from '../testing/withdrawals.js';
import { turnsDuring } from '../testing/turns.js';

const harness = useHarness();
/** Minimum number of turns of the event loop during work that is done in parts. Blocking work allows fewer. */
const enough = 5;

/** Requests transfers in a world with a frozen clock, so that their steps are due together. */
async function requestTransfers(world: string, count: number): Promise<void> {
  const { accountIds } = fixtureIds(harness, world);
  const body = { sourceAccountId: accountIds[0], targetAccountId: accountIds[1], amount: { value: '1.00', asset: 'BRL' } };
  for (let made = 0; made < count; made += 1) await harness.api('POST', '/api/operations/transfer', { body }, world);
}

const reportPath = '/api/reports?periodStart=2026-11-21T12:00:00Z&periodEnd=2026-12-01T00:00:00Z';
const transfers = 500;

describe('jobs that are due together', () => {
  beforeAll(async () => {
    await harness.world('due');
    await requestTransfers('due', transfers);
    const { body } = await harness.control('GET', '/state', undefined, 'due');
    for (const copy of ['moved', 'advanced', 'reset']) await harness.control('PUT', '/state', body, await harness.world(copy));
  });

  it('let other work run, while requests to their world wait until all have run', async () => {
    await harness.control('PUT', '/clock', { mode: 'RUNNING' }, 'due');
    harness.realMs += 60_000;
    const order: string[] = [];
    const own = harness.api('GET', reportPath, {}, 'due').finally(() => order.push('own'));
    const second = harness.control('GET', '/clock', undefined, 'due').finally(() => order.push('second'));
    const other = harness.api('GET', '/api/accounts').finally(() => order.push('other'));
    const { turns, value } = await turnsDuring(own);
    expect(turns).toBeGreaterThan(enough);
    expect(value.body.totals[0]).toMatchObject({ asset: 'BRL', inflows: { count: transfers } });
    expect((await second).body.pendingTimers).toBe(0);
    await other;
    expect(order[0]).toBe('other');
  });

  it('have the same results and order as in an advance of the clock', async () => {
    await harness.control('POST', '/clock/advance', { by: 'PT1H' }, 'moved');
    /** Returns the newest operations and ledger entries. Replaces operation ids by numbers, because ids differ between worlds. */
    const seen = async (world: string) => {
      const read = async (list: string) => (await harness.control('GET', `/${list}?limit=100`, undefined, world)).body.data;
      const operations: { id: string; states: unknown }[] = await read('operations');
      const entries: { at: string; operationId: string }[] = await read('ledger');
      const places = operations.map(({ id }) => id);
      return {
        states: operations.map(({ states }) => states),
        entries: entries.map((each) => [each.at, places.indexOf(each.operationId)]),
      };
    };
    expect(await seen('due')).toEqual(await seen('moved'));
  });

  it('let other work run while an advance of the clock runs them', async () => {
    const { turns, value } = await turnsDuring(harness.control('POST', '/clock/advance', { by: 'PT1H' }, 'advanced'));
    expect(turns).toBeGreaterThan(enough);
    expect(value.body.fired).toHaveLength(2 * transfers);
  });

  it('are dropped when their world is reset before they have run', async () => {
    await harness.api('GET', '/api/accounts', {}, 'reset'); // The check of a new token would delay the request below.
    await harness.control('PUT', '/clock', { mode: 'RUNNING' }, 'reset');
    harness.realMs += 60_000;
    const world = harness.sandbox.world('reset');
    expect(world.state.jobs.size).toBe(transfers);
    const overtaken = harness.api('GET', reportPath, {}, 'reset');
    await nextTurn();
    await Promise.all([harness.sandbox.reset(world), overtaken]);
    expect((await overtaken).status).toBe(503);
    expect(world.state.jobs.size).toBe(0);
    expect((await harness.api('GET', reportPath, {}, 'reset')).status).toBe(200);
  });
});

describe('other work runs during', () => {
  const rows = 2000;

  beforeAll(async () => {
    await harness.world('full');
    await requestTransfers('full', 1);
    await harness.control('POST', '/clock/advance', { by: 'PT1M' }, 'full');
    const { operations } = harness.sandbox.world('full').state;
    const settled = [...operations.values()].at(-1)!;
    for (let made = 1; made <= rows; made += 1) {
      const id = randomUUID();
      operations.set(id, { ...settled, id, seq: settled.seq + made });
    }
  });

  it('a list whose filter matches no item', async () => {
    const { turns, value } = await turnsDuring(harness.control('GET', '/operations?filters=id[eq]=none', undefined, 'full'));
    expect(turns).toBeGreaterThan(enough);
    expect(value.body).toEqual({ data: [], meta: { previousCursor: null, nextCursor: null, total: 0 } });
  });

  it('a report', async () => {
    const { turns, value } = await turnsDuring(harness.api('GET', reportPath, {}, 'full'));
    expect(turns).toBeGreaterThan(enough);
    expect(value.body.totals[0]).toMatchObject({ asset: 'BRL', inflows: { count: rows + 1 } });
  });

  it('an export and its import', async () => {
    const { turns, value } = await turnsDuring(harness.control('GET', '/state', undefined, 'full'));
    expect(turns).toBeGreaterThan(enough);
    expect(value.body.tables.operations.length).toBeGreaterThan(rows);
    const { tables } = value.body;
    const wrong = {
      ...value.body,
      tables: { ...tables, balances: [{ ...tables.balances[0], value: '0.01' }, ...tables.balances.slice(1)] },
    };
    const refused = await turnsDuring(harness.control('PUT', '/state', wrong, 'full'));
    expect([refused.turns > enough, refused.value.status]).toEqual([true, 400]);
    const taken = await harness.control('PUT', '/state', value.body, await harness.world('imported'));
    expect(taken.body.tables.operations.length).toBe(tables.operations.length);
  });

  it('the import of a document that is not valid JSON', async () => {
    const text = JSON.stringify((await harness.control('GET', '/state', undefined, 'full')).body);
    const { turns, value } = await turnsDuring(harness.control('PUT', '/state', text.slice(0, -1), 'full'));
    expect(turns).toBeGreaterThan(enough);
    expect([value.status, value.body.details.errors[0].code]).toEqual([400, 'MALFORMED_JSON']);
  });

  it('a snapshot and its restore', async () => {
    // Compared as text, because the comparison of so many objects takes seconds.
    const stateOf = async () => JSON.stringify((await harness.control('GET', '/state', undefined, 'full')).body);
    const before = await stateOf();
    const taken = await turnsDuring(harness.control('POST', '/snapshots', { name: 'all' }, 'full'));
    expect([taken.turns > enough, taken.value.status]).toEqual([true, 201]);
    const parts = [...harness.sandbox.world('full').state.snapshotParts.values()];
    expect(parts.filter(({ table }) => table === 'operations').length).toBeGreaterThan(enough);
    await requestTransfers('full', 1);
    const restored = await turnsDuring(harness.control('POST', '/snapshots/all/restore', undefined, 'full'));
    expect([restored.turns > enough, restored.value.status]).toEqual([true, 200]);
    expect((await stateOf()) === before).toBe(true);
  });

  it('the deletion of a subscription with all its deliveries', async () => {
    await harness.world('subscribed');
    const subscribe = { body: { url: 'http://localhost:9/', includeAll: true, allowRetry: true } };
    const ids: string[] = [];
    for (let count = 0; count < 2; count += 1) ids.push((await harness.api('POST', '/api/subscriptions', subscribe, 'subscribed')).body.id);
    await requestTransfers('subscribed', transfers);
    await harness.quiet('subscribed');
    harness.receive = () => Promise.resolve({ httpStatus: 500, error: null });
    await requestTransfers('subscribed', 1); // The failed deliveries of this transfer are scheduled for a retry.
    await harness.quiet('subscribed');
    const { state } = harness.sandbox.world('subscribed');
    const tables = ['deliveries', 'executionLogs', 'jobs', 'outbox'] as const;
    const sizes = () => tables.map((table) => state[table].size);
    const [deliveries, logs, jobs] = sizes();
    const { turns, value } = await turnsDuring(harness.control('DELETE', `/subscriptions/${ids[0]!}`, undefined, 'subscribed'));
    expect([turns >= enough, value.status]).toEqual([true, 204]);
    expect(sizes()).toEqual([deliveries! / 2, logs! / 2, jobs! - 1, 0]);
    expect([...state.deliveries.values()].filter(({ subscriptionId }) => subscriptionId !== ids[1])).toEqual([]);
    expect([...state.subscriptions.keys()]).toEqual([ids[1]]);
  });
});
