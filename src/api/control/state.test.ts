import { describe, expect, it } from 'vitest';
import { runSync } from '../../domain/interruptible.js';
import { captureState } from '../../world/document/capture.js';
import { checkLength, documentText } from '../../world/document/state-document.js';
import { useHarness } from '../../testing/harness.js';
import { pixBeneficiary, withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();
const exported = async (world: string) => (await harness.control('GET', '/state', undefined, world)).body;
const advance = (world: string, by: string) => harness.control('POST', '/clock/advance', { by }, world);
const subscribe = (world: string) =>
  harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/hooks', includeAll: true } }, world);

describe('a snapshot', () => {
  it('restores the whole state of the world, including pending timers and world time', async () => {
    const world = await harness.world('snapshots');
    await subscribe(world);
    const { id } = await withdraw(harness, world);
    await advance(world, '1s');
    expect(await harness.control('POST', '/snapshots', { name: 'half-way' }, world)).toMatchObject({
      status: 201,
      body: { name: 'half-way', createdAt: '2026-11-21T12:00:01.000Z' },
    });
    const before = await exported(world);
    const finish = async () => {
      harness.attempts.length = 0;
      const next = await withdraw(harness, world);
      const { body } = await advance(world, '1m');
      return { next, body, attempts: harness.attempts.map((each) => each.body), state: await exported(world) };
    };
    const first = await finish();
    expect(first.state.tables.operations.find((each: { id: string }) => each.id === id).states).toHaveLength(3);
    expect((await harness.control('POST', '/snapshots/half-way/restore', undefined, world)).status).toBe(200);
    expect(await exported(world)).toEqual(before);
    const second = await finish();
    const scrub = (value: unknown) => JSON.stringify(value).replace(/(req|ctl)_[A-Za-z0-9_-]{21}/g, '');
    expect(scrub(second.state.tables.operations)).toBe(scrub(first.state.tables.operations));
    expect(second.attempts).toEqual(first.attempts);
    expect(second.body).toEqual(first.body);
    expect(second.next).toEqual(first.next);
  });

  it('remains after a reset, can be listed and deleted, and has a unique name', async () => {
    const world = await harness.world('named-snapshots');
    await harness.control('POST', '/snapshots', { name: 'one' }, world);
    expect(await harness.control('POST', '/snapshots', { name: 'one' }, world)).toMatchObject({
      status: 409,
      body: { code: 'RESOURCE_ALREADY_EXISTS' },
    });
    await harness.control('POST', '/reset', undefined, world);
    const listed = await harness.control('GET', '/snapshots', undefined, world);
    expect(listed.body.data).toEqual([{ name: 'one', createdAt: '2026-11-21T12:00:00.000Z' }]);
    expect((await harness.control('GET', '/snapshots')).body.data).toEqual([]);
    expect((await harness.control('DELETE', '/snapshots/one', undefined, world)).status).toBe(204);
    for (const [method, path] of [
      ['DELETE', '/snapshots/one'],
      ['POST', '/snapshots/one/restore'],
    ] as const) {
      expect((await harness.control(method, path, undefined, world)).status).toBe(404);
    }
  });

  it('causes new attempts of its pending webhooks when it is restored, and the results of attempts in progress are ignored', async () => {
    const world = await harness.world('pending', { scenario: 'manual' });
    await subscribe(world);
    const release: (() => void)[] = [];
    harness.attempts.length = 0;
    harness.receive = () => new Promise((resolve) => release.push(() => resolve({ httpStatus: 200, error: null })));
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    await harness.control('POST', '/snapshots', { name: 'pending' }, world);
    await harness.control('POST', '/snapshots/pending/restore', undefined, world);
    harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
    for (const each of release) each();
    await harness.quiet(world);
    expect(harness.attempts.map((each) => each.headers['x-message-id'])).toEqual([
      harness.attempts[0]!.headers['x-message-id'],
      harness.attempts[0]!.headers['x-message-id'],
    ]);
    expect((await exported(world)).tables.executionLogs).toHaveLength(1);
  });
});

describe('an exported state', () => {
  it('can be imported into another world, which keeps its name, credentials and customer', async () => {
    const from = await harness.world('from');
    const to = await harness.world('to', { fixtures: 'empty' });
    await subscribe(from);
    const { id } = await withdraw(harness, from);
    const document = await exported(from);
    const identity = harness.sandbox.world(to).identity;
    expect((await harness.control('PUT', '/state', document, to)).status).toBe(200);
    expect(harness.sandbox.world(to).identity).toEqual(identity);
    const moved = await harness.api('GET', `/api/operations/${id}`, {}, to);
    expect(moved.body.customerId).toBe(identity.customerId);
    expect(JSON.stringify(await exported(to))).not.toContain(document.customerId);
    await advance(to, '1m');
    expect((await harness.api('GET', `/api/operations/${id}`, {}, to)).body.currentState.status).toBe('COMPLETED');
    expect((await harness.api('GET', `/api/operations/${id}`, {}, from)).body.currentState.status).toBe('REQUESTED');
  });

  it('can have a manually edited world time, which the imported world uses', async () => {
    const world = await harness.world('written');
    const document = await exported(world);
    const now = '2031-05-05T05:05:05Z';
    const answer = await harness.control('PUT', '/state', { ...document, clock: { mode: 'FROZEN', now } }, world);
    expect([answer.status, answer.body.clock.now]).toEqual([200, '2031-05-05T05:05:05.000Z']);
    const finer = { mode: 'FROZEN', now: '2031-05-05T05:05:05.1234567891Z' };
    expect((await harness.control('PUT', '/state', { ...document, clock: finer }, world)).body.details.errors).toMatchObject([
      { code: 'INVALID_DATE', field: 'body:clock.now' },
    ]);
  });

  it('has a size limit that is checked at export, so that every export can be imported', async () => {
    const world = harness.sandbox.world(await harness.world('measured'));
    const capture = captureState(world.state, world.nowMs());
    const length = Buffer.byteLength([...documentText(capture)].join(''));
    expect(() => runSync(checkLength(capture, length))).not.toThrow();
    expect(() => runSync(checkLength(capture, length - 1))).toThrow(`has ${length} bytes`);
  });

  it('includes inbox messages with any header names', async () => {
    const world = await harness.world('odd-headers');
    const headers = { constructor: 'a', 'x-deep': 'b' };
    for (const [name, value] of [...Object.entries(headers), ['__proto__', 'c'] as const])
      await harness.control('POST', '/inbox/odd', 'x', world, { [name]: value, 'content-type': 'text/plain' });
    const before = await exported(world);
    expect(before.tables.inboxMessages).toHaveLength(3);
    expect((await harness.control('PUT', '/state', before, world)).status).toBe(200);
    expect(await exported(world)).toEqual(before);
  });

  it('must have `customerId` and `companyId` before `tables`, and a supported `version`', async () => {
    const world = await harness.world('headless');
    const { customerId, companyId, version, clock, tables } = await exported(world);
    const put = async (document: unknown) => {
      const { status, body } = await harness.control('PUT', '/state', document, world);
      return [status, ...(body.details?.errors ?? []).map((each: { field: string; code: string }) => `${each.field} ${each.code}`)];
    };
    expect(await put({ clock, companyId, customerId, tables, version })).toEqual([200]);
    expect(await put({ version, clock, tables, customerId, companyId })).toEqual([
      400,
      'body:customerId REQUIRED',
      'body:companyId REQUIRED',
    ]);
    expect(await put({ version: 9, customerId, companyId, clock, tables })).toEqual([400, 'body:version INVALID_ENUM']);
    expect(await put({ customerId, companyId, tables, version: 9 })).toEqual([400, 'body:version INVALID_ENUM', 'body:clock REQUIRED']);
    expect(await put({ version, customerId: '0', companyId, clock, tables })).toEqual([400, 'body:customerId INVALID_UUID']);
    expect(await put({ version, customerId, companyId, clock })).toEqual([400, 'body:tables REQUIRED']);
    expect(await put('')).toEqual([400, 'body MALFORMED_JSON']);
  });

  it('is rejected with its first hundred invalid rows, without reading the rest', async () => {
    const world = await harness.world('wrong-rows');
    const document = await exported(world);
    const tables = { ...document.tables, accounts: Array.from({ length: 1000 }, () => ({})) };
    const { status, body } = await harness.control('PUT', '/state', { ...document, tables }, world);
    expect([status, body.details.errors.length, body.details.errors[99].field]).toEqual([400, 100, 'body:tables.accounts[99].id']);
  });

  const posting = (amount: string) => ({ account: 'control', asset: 'BRL', amount });
  const entry = {
    id: '7d44f1e0-0000-4000-8000-000000000000',
    seq: 99,
    at: '2026-11-21T12:00:00.000Z',
    operationId: null,
    causeId: 'hand',
    postings: [posting('1.00')],
  };
  const balance = { id: 'a/BRL', account: 'a', asset: 'BRL', value: '1.00' };
  const count = { id: 'a', value: 1 };
  const scenario = { id: 'scenario', name: 'default', inline: null, since: '2026-11-21T12:00:00.000Z' };
  it.each([
    ['an unknown table', { nothing: [] }, 'nothing', 'Unknown table nothing; expected one of scenario, '],
    ['a row without an id', { accounts: [{}] }, 'accounts[0].id', 'accounts[0]: the row has no id.'],
    ['a repeated id', { counters: [count, count] }, 'counters[1].id', 'counters/a: id: two rows have this id.'],
    [
      'a field of the wrong type',
      { counters: [{ ...count, value: '1' }] },
      'counters[0].value',
      'counters/a: value: expected a number; got "1".',
    ],
    [
      'a scenario that does not exist',
      { scenario: [{ ...scenario, name: 'instnt' }] },
      'scenario[0].name',
      'scenario/scenario: name: the scenario instnt does not exist. Did you mean instant?',
    ],
    [
      'an inline scenario with an unknown parent',
      { scenario: [{ ...scenario, inline: { scenario: 'mine', summary: 'Mine.', extends: 'nothing', rules: [] } }] },
      'scenario[0].inline.extends',
      /^scenario\/scenario: inline\.extends: expected the name of an available scenario \(.*\); got "nothing"\.$/,
    ],
    ['no scenario', { scenario: [] }, 'scenario', 'the world has no scenario.'],
    ['a missing account', { accounts: [] }, 'ubos[0].accountId', /^ubos\/.*: accountId: references accounts\/.*, which does not exist\.$/],
    ['a job without its plan', { plans: [] }, 'jobs[0].subject', /^jobs\/step-1: subject: references plans\/.*, which does not exist\.$/],
    ['postings out of balance', { ledgerEntries: [entry] }, 'ledgerEntries[0].postings', /: the postings in BRL do not sum to zero\.$/],
    [
      'an amount with a wrong scale',
      { ledgerEntries: [{ ...entry, postings: [posting('1.00'), posting('-1')] }] },
      'ledgerEntries[0].postings[1].amount',
      /: BRL has 2 decimal places; got "-1"\.$/,
    ],
    [
      'a balance that differs from the sum of its postings',
      { balances: [balance] },
      'balances[0].value',
      'balances/a/BRL: value: 1.00 is not the sum of its ledger entries.',
    ],
  ])('with %s is rejected, and the error names table, row and field', async (what, tables, field, message) => {
    const world = await harness.world(`bad-${what.replaceAll(' ', '-')}`);
    await withdraw(harness, world);
    const document = await exported(world);
    const answer = await harness.control('PUT', '/state', { ...document, tables: { ...document.tables, ...tables } }, world);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_DATA' } });
    const found = answer.body.details.errors.find((each: { field: string }) => each.field === `body:tables.${field}`);
    expect(found?.message).toMatch(message);
    expect(await exported(world)).toEqual(document);
  });
});

describe('the differences between two states', () => {
  const compare = (query: Record<string, string>, world: string) =>
    harness.control('GET', `/state/differences?${new URLSearchParams(query).toString()}`, undefined, world);

  it('are the rows that were added, removed and changed since a snapshot', async () => {
    const world = await harness.world('differences');
    const { id } = await withdraw(harness, world, '10.00');
    const fault = { on: 'REQUEST', times: 1, effect: { status: 503 } };
    const { body: armed } = await harness.control('POST', '/faults', fault, world);
    await harness.control('POST', '/snapshots', { name: 'before' }, world);
    expect((await compare({ from: 'snapshot:before' }, world)).body).toEqual({ tables: [], rows: [], omitted: 0 });
    await harness.control('DELETE', `/faults/${armed.id}`, undefined, world);
    await harness.control('POST', `/operations/${id}/process`, {}, world);
    const next = await withdraw(harness, world, '20.00');
    const { body } = await compare({ from: 'snapshot:before' }, world);
    expect(body.tables).toContainEqual({ table: 'operations', added: 1, removed: 0, changed: 1 });
    expect(body.rows).toContainEqual({ table: 'operations', id: next.id, change: 'ADDED', fields: [] });
    expect(body.rows).toContainEqual({ table: 'faults', id: armed.id, change: 'REMOVED', fields: [] });
    const changed = body.rows.find((each: { id: string; table: string }) => each.id === id && each.table === 'operations');
    expect(changed.change).toBe('CHANGED');
    expect(changed.fields).toContainEqual({ path: 'states.1', from: null, to: expect.stringContaining('"PROCESSING"') });
    await harness.control('POST', '/snapshots', { name: 'after' }, world);
    expect((await compare({ from: 'snapshot:before', to: 'snapshot:after' }, world)).body).toEqual(body);
    const reverse = (await compare({ from: 'snapshot:after', to: 'snapshot:before' }, world)).body;
    expect(reverse.tables).toContainEqual({ table: 'operations', added: 0, removed: 1, changed: 1 });
  });

  it('can be those between two worlds, of which at most 200 rows are listed', async () => {
    const [one, other] = [await harness.world('one-side'), await harness.world('other-side')];
    const { body } = await compare({ from: `world:${one}`, to: `world:${other}` }, one);
    const count = body.tables.reduce(
      (sum: number, { added, removed, changed }: Record<string, number>) => sum + added! + removed! + changed!,
      0,
    );
    expect(body.rows.length).toBe(Math.min(200, count));
    expect(body.omitted).toBe(count - body.rows.length);
  });

  it.each([
    [{ from: 'snapshot:missing' }, 404, 'RESOURCE_NOT_FOUND'],
    [{ from: 'world:missing' }, 404, 'RESOURCE_NOT_FOUND'],
    [{ from: 'before' }, 400, 'INVALID_DATA'],
    [{}, 400, 'INVALID_DATA'],
  ])('need two states that exist: %j', async (query, status, code) => {
    expect(await compare(query as Record<string, string>, 'default')).toMatchObject({ status, body: { code } });
  });
});
