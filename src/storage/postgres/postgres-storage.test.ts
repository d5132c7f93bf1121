import { afterEach, beforeEach, expect, it } from 'vitest';
import { bareWorld, valuesOf } from '../../testing/storage.js';
import { describeWithPostgres, usePostgres } from '../../testing/postgres.js';
import { applyChanges, rowsOf, stateOf, type Change, type State } from '../../world/state.js';
import type { WorldLog } from '../../world/commit.js';
import { OwnedByOtherNode } from '../storage.js';
import { migrations } from './migrations.js';
import { PostgresStorage } from './postgres-storage.js';

/** A world of counters that a node has in memory. */
class Held {
  readonly state: State;
  readonly #log: WorldLog;
  #sequence: number;

  constructor(log: WorldLog, sequence: number, state: State) {
    this.state = state;
    this.#log = log;
    this.#sequence = sequence;
  }

  static async create(storage: PostgresStorage, name: string, ttlMs?: number): Promise<Held> {
    const state = bareWorld(name);
    const identity = { ...state.identity.get('identity')!, ...(ttlMs === undefined ? {} : { ttlMs }) };
    state.identity.set('identity', identity);
    return new Held(await storage.create(identity, rowsOf(state)), 0, state);
  }

  static async open(storage: PostgresStorage, name: string): Promise<Held> {
    const { log, sequence, rows } = (await storage.open(name))!;
    return new Held(log, sequence, await stateOf(rows));
  }

  get isReadOnly(): boolean {
    return this.#log.isReadOnly;
  }

  put(values: Readonly<Record<string, number | null>>, nextDueMs: number | null = null): Promise<void> {
    const changes = Object.entries(values).map(([id, value]): Change => ({
      table: 'counters',
      id,
      row: value === null ? null : { id, value },
    }));
    applyChanges(this.state, changes);
    return this.#log.append((this.#sequence += 1), changes, nextDueMs);
  }

  replace(values: Readonly<Record<string, number>>): Promise<void> {
    for (const id of this.state.counters.keys()) this.state.counters.delete(id);
    for (const [id, value] of Object.entries(values)) this.state.counters.set(id, { id, value });
    return this.#log.replace((this.#sequence += 1), rowsOf(this.state));
  }

  drop(): Promise<void> {
    return this.#log.drop((this.#sequence += 1));
  }

  release(): Promise<void> {
    return this.#log.release(null);
  }
}

describeWithPostgres('the PostgreSQL storage', () => {
  const postgres = usePostgres();
  let url: string;
  let opened: PostgresStorage[];
  beforeEach(async () => {
    url = await postgres.server.database();
    opened = [];
  });
  afterEach(() => Promise.all(opened.map((storage) => storage.close())));

  async function node(name = 'one'): Promise<PostgresStorage> {
    const storage = await PostgresStorage.open(url);
    await storage.announce(`http://${name}:4010`);
    opened.push(storage);
    return storage;
  }

  /** Closes a storage. @returns the values of a world that another node then reads */
  async function foundByAnother(storage: PostgresStorage, name: string) {
    await storage.close();
    opened = opened.filter((each) => each !== storage);
    return valuesOf(new Map([[name, (await Held.open(await node('another'), name)).state]]))[name];
  }

  it('stores commits of many worlds together, in order for each world', async () => {
    const storage = await node();
    const worlds = await Promise.all(['a', 'b', 'c'].map((name) => Held.create(storage, name)));
    await Promise.all(worlds.flatMap((world) => [world.put({ x: 1, y: 1 }), world.put({ x: 2 }), world.put({ y: null, z: 3 })]));
    expect(await foundByAnother(storage, 'b')).toEqual({ x: 2, z: 3 });
  });

  it('stores every string that JSON can contain', async () => {
    const storage = await node();
    const world = await Held.create(storage, 'a');
    const odd = '\u0000 \ud800 "\\" {,} \u2028 \'; DROP TABLE worlds; -- é 漢 😀 NULL';
    await world.put({ [odd]: 1 });
    await world.release();
    expect(await foundByAnother(storage, 'a')).toEqual({ [odd]: 1 });
  });

  it('replaces all rows, in order with earlier and later commits', async () => {
    const storage = await node();
    const world = await Held.create(storage, 'a');
    await Promise.all([
      world.put({ before: 1 }),
      world.replace({ base: 1 }),
      world.put({ after: 1 }),
      world.replace({ again: 1 }),
      world.put({ last: 1 }),
    ]);
    expect(await foundByAnother(storage, 'a')).toEqual({ again: 1, last: 1 });
  });

  it('drops a world permanently and frees its name and client id', async () => {
    const storage = await node();
    const world = await Held.create(storage, 'a');
    await world.put({ x: 1 });
    await expect(Held.create(storage, 'a')).rejects.toMatchObject({ code: 'RESOURCE_ALREADY_EXISTS' });
    await Promise.all([world.put({ x: 2 }), world.drop()]);
    expect([await storage.open('a'), await storage.find({ name: 'a' }), await storage.find({ clientId: 'client-a' })]).toEqual([
      null,
      null,
      null,
    ]);
    await (await Held.create(storage, 'a')).put({ y: 1 });
    expect(await foundByAnother(storage, 'a')).toEqual({ y: 1 });
  });

  it('finds a world by name or client id, and lists all worlds', async () => {
    const storage = await node();
    for (const name of ['b', 'a']) await Held.create(storage, name);
    const found = { name: 'b', clientId: 'client-b' };
    expect([await storage.find({ name: 'b' }), await storage.find({ clientId: 'client-b' })]).toEqual([found, found]);
    const heads: string[] = [];
    for await (const { name } of storage.heads()) heads.push(name);
    expect(heads).toEqual(['a', 'b']);
    expect(await storage.overview('a', {}, 10)).toMatchObject([{ identity: { name: 'b' }, rows: 3, bytes: null, verdict: 'INCONCLUSIVE' }]);
  });

  it('writes a checkpoint when the commits become larger than the rows, and deletes those commits', async () => {
    const storage = await node();
    const world = await Held.create(storage, 'a');
    const keys = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(4000)}`);
    for (const key of keys) await world.put({ [key]: 1 });
    await expect
      .poll(async () => Number((await postgres.server.query('SELECT count(*) FROM world_commits', url))[0]!['count']))
      .toBeLessThan(30);
    await world.put({ last: 1 });
    expect(await foundByAnother(storage, 'a')).toEqual({ ...Object.fromEntries(keys.map((key) => [key, 1])), last: 1 });
  });

  it('writes a checkpoint when it releases a world', async () => {
    const storage = await node();
    const world = await Held.create(storage, 'a');
    await world.put({ x: 1 });
    await world.release();
    const rows = await postgres.server.query('SELECT owner, row_count, (SELECT count(*) FROM world_commits) AS commits FROM worlds', url);
    expect(rows).toEqual([{ owner: null, row_count: 4, commits: '0' }]);
    await expect(world.put({ x: 2 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await Held.open(storage, 'a')).state.counters.get('x')?.value).toBe(1);
  });

  it('lets only one node at a time own a world', async () => {
    const [one, two] = [await node('one'), await node('two')];
    const world = await Held.create(one, 'a');
    await expect(two.open('a')).rejects.toEqual(new OwnedByOtherNode('http://one:4010'));
    await world.put({ x: 1 });
    await world.release();
    const taken = await Held.open(two, 'a');
    await expect(one.open('a')).rejects.toEqual(new OwnedByOtherNode('http://two:4010'));
    await taken.put({ x: 2 });
    expect(await foundByAnother(two, 'a')).toEqual({ x: 2 });
  });

  it('lets exactly one of many nodes acquire a free world', async () => {
    const first = await node('first');
    await (await Held.create(first, 'a')).release();
    const nodes = await Promise.all(['b', 'c', 'd', 'e'].map((name) => node(name)));
    const results = await Promise.allSettled(nodes.map((each) => each.open('a')));
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  });

  it('rejects commits of a node whose lease has expired, even if no other node owns the world', async () => {
    const storage = await node();
    const world = await Held.create(storage, 'a');
    await world.put({ x: 1 });
    await postgres.server.query(`UPDATE nodes SET lease_until = now() - interval '1 second'`, url);
    const lost: string[] = [];
    storage.tell({ lost: (name) => lost.push(name), lostAll: () => lost.push('all') });
    await expect(world.put({ x: 2 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([world.isReadOnly, lost]).toEqual([true, ['a']]);
    expect((await Held.open(await node('two'), 'a')).state.counters.get('x')?.value).toBe(1);
  });

  it('rejects commits of a node that lost a world, without affecting other worlds in the statement', async () => {
    const [one, two] = [await node('one'), await node('two')];
    const [a, b] = [await Held.create(one, 'a'), await Held.create(one, 'b')];
    await postgres.server.query(`UPDATE worlds SET owner = NULL WHERE name = 'a'`, url);
    const taken = await Held.open(two, 'a');
    const results = await Promise.allSettled([a.put({ x: 1 }), b.put({ x: 1 }), a.put({ y: 1 })]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
    await taken.put({ z: 1 });
    expect(await foundByAnother(two, 'a')).toEqual({ z: 1 });
  });

  it.each<[string, string, (world: Held) => Promise<void>]>([
    ['a commit', 'epoch = epoch + 1', (world) => world.put({ late: 1 })],
    ['a commit', `owner = 'another'`, (world) => world.put({ late: 1 })],
    ['a commit', 'sequence = sequence + 1', (world) => world.put({ late: 1 })],
    ['a replacement', 'epoch = epoch + 1', (world) => world.replace({ late: 1 })],
    ['a replacement', 'sequence = sequence + 1', (world) => world.replace({ late: 1 })],
    ['a deletion', 'epoch = epoch + 1', (world) => world.drop()],
    ['a checkpoint', 'epoch = epoch + 1', (world) => world.release()],
  ])('rejects %s after another node has set %s', async (_what, change, act) => {
    const world = await Held.create(await node(), 'a');
    await world.put({ x: 1 });
    await postgres.server.query(`UPDATE worlds SET ${change}`, url);
    const stored = () =>
      postgres.server.query(
        `SELECT sequence, base, (SELECT json_agg(line ORDER BY sequence) FROM world_commits) AS commits,
           (SELECT count(*) FROM world_rows r WHERE r.base = w.base) AS parts FROM worlds w`,
        url,
      );
    const before = await stored();
    await expect(act(world)).rejects.toThrow(/could not be stored|no longer owned/);
    expect(await stored()).toEqual(before);
  });

  it('does not release a world that another node owns', async () => {
    const world = await Held.create(await node(), 'a');
    await postgres.server.query(`UPDATE worlds SET epoch = epoch + 1, owner = 'another'`, url);
    await world.release();
    expect(await postgres.server.query('SELECT owner FROM worlds', url)).toEqual([{ owner: 'another' }]);
  });

  /** Closes all connections when a statement waits for a lock. */
  async function cutWhenBlocked(): Promise<void> {
    await expect
      .poll(async () => (await postgres.server.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).length)
      .toBe(1);
    await postgres.server.cut(url);
  }

  it('returns a retryable error when the connection is lost while a world is opened', async () => {
    const storage = await node();
    const world = await Held.create(storage, 'a');
    await world.put({ x: 1 });
    await world.release();
    const locked = await postgres.server.connect(url);
    await locked.query('BEGIN; LOCK TABLE world_rows IN ACCESS EXCLUSIVE MODE');
    const opening = storage.open('a').catch((error: unknown) => error);
    await cutWhenBlocked();
    expect(await opening).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect.poll(() => storage.isReadOnly).toBe(false);
    expect((await Held.open(storage, 'a')).state.counters.get('x')?.value).toBe(1);
  });

  it('stores when a world is due: at its expiry, or earlier for a timer', async () => {
    const storage = await node();
    const inMinutes = (minutes: number) => Date.now() + minutes * 60_000;
    const due = async (name: string) => {
      const [row] = await postgres.server.query(`SELECT next_due_at FROM worlds WHERE name = '${name}'`, url);
      const dueMs = (row!['next_due_at'] as Date | null)?.getTime();
      return dueMs === undefined ? null : Math.ceil((dueMs - Date.now()) / 60_000);
    };
    await (await Held.create(storage, 'ending', 60_000)).put({ x: 1 });
    await (await Held.create(storage, 'ending-before', 60_000)).put({ x: 1 }, inMinutes(90));
    await (await Held.create(storage, 'due-before', 3_600_000)).put({ x: 1 }, inMinutes(20));
    await (await Held.create(storage, 'staying')).put({ x: 1 });
    await Held.create(storage, 'untouched', 60_000);
    expect(await Promise.all(['ending', 'ending-before', 'due-before', 'staying', 'untouched'].map(due))).toEqual([1, 1, 20, null, 1]);
  });

  it('acquires a world again after a commit with unknown result', async () => {
    const storage = await node();
    const world = await Held.create(storage, 'a');
    await world.put({ x: 1 });
    const lost = new Promise<string>((resolve) => storage.tell({ lost: resolve, lostAll: () => undefined }));
    const locked = await postgres.server.connect(url);
    await locked.query(`BEGIN; SELECT 1 FROM worlds WHERE name = 'a' FOR UPDATE`);
    const doubtful = Promise.allSettled([world.put({ y: 1 }), world.put({ z: 1 })]);
    await cutWhenBlocked();
    expect((await doubtful).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(world.isReadOnly).toBe(true);
    expect(await lost).toBe('a');
    await expect.poll(() => storage.isReadOnly).toBe(false);
    const taken = await Held.open(storage, 'a');
    await taken.put({ last: 1 });
    expect(await foundByAnother(storage, 'a')).toEqual({ x: 1, last: 1 });
  });

  it('does not acquire a world if the lease expires while the world is read', async () => {
    const storage = await node();
    await (await Held.create(storage, 'a')).release();
    const locked = await postgres.server.connect(url);
    await locked.query('BEGIN; LOCK TABLE world_rows IN ACCESS EXCLUSIVE MODE');
    const opening = storage.open('a').catch((error: unknown) => error);
    const nodeIds = async () => (await postgres.server.query('SELECT id FROM nodes', url)).map(({ id }) => id);
    const [before] = await nodeIds();
    await postgres.server.query(`UPDATE nodes SET lease_until = now() - interval '1 second'`, url);
    await expect.poll(nodeIds, { timeout: 10_000 }).not.toContain(before);
    await locked.query('COMMIT');
    expect(await opening).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await locked.end();
    expect((await Held.open(storage, 'a')).state.counters.size).toBe(0);
  });

  it('renews its lease while all other statements wait for a lock', async () => {
    const storage = await node();
    await (await Held.create(storage, 'a')).release();
    const lease = async () => Number((await postgres.server.query('SELECT extract(epoch FROM lease_until) AS s FROM nodes', url))[0]!['s']);
    const locked = await postgres.server.connect(url);
    await locked.query('BEGIN; LOCK TABLE worlds IN ACCESS EXCLUSIVE MODE');
    const before = await lease();
    let areOver = false;
    const takes = Promise.allSettled(Array.from({ length: 30 }, () => storage.open('a'))).finally(() => (areOver = true));
    await expect.poll(lease, { timeout: 10_000 }).toBeGreaterThan(before);
    expect(areOver).toBe(false);
    await locked.end();
    await takes;
  });

  it('creates a secret once for concurrent callers', async () => {
    const [one, two] = [await node('one'), await node('two')];
    const made = await Promise.all([one.secret('key', () => Promise.resolve('a')), two.secret('key', () => Promise.resolve('b'))]);
    expect(new Set(made).size).toBe(1);
    expect(await one.secret('key', () => Promise.reject(new Error('not asked')))).toBe(made[0]);
  });

  it('rejects tables of a later version, with an error without the password', async () => {
    await (await node()).secret('key', () => Promise.resolve('x'));
    await postgres.server.query('UPDATE sandbox_schema SET version = 99', url);
    const refused = node('two');
    await expect(refused).rejects.toThrow(`have version 99, but this program knows only versions up to ${migrations.length}.`);
    await expect(refused).rejects.not.toThrow(/secret/);
  });

  it('deletes leases that expired long ago', async () => {
    await node();
    await postgres.server.query(
      `INSERT INTO nodes (id, url, lease_until) VALUES ('crashed', '', now() - interval '2 hours'), ('paused', '', now() - interval '10 minutes')`,
      url,
    );
    await node('two');
    const left = (await postgres.server.query('SELECT id FROM nodes', url)).map((row) => row['id']);
    expect([left.length, left.includes('crashed'), left.includes('paused')]).toEqual([3, false, true]);
  });

  it('lets many nodes start concurrently on an empty database', async () => {
    expect((await Promise.all(['a', 'b', 'c', 'd'].map((name) => node(name)))).length).toBe(4);
  });
});

it('the error for an unusable database contains its URL without the password, and the fix', async () => {
  const opening = PostgresStorage.open('postgres://sandbox:secret@127.0.0.1:1/worlds');
  await expect(opening).rejects.toThrow(
    /postgres:\/\/127\.0\.0\.1:1\/worlds cannot be used: .*ECONNREFUSED.* Start the database, correct the URL/,
  );
  await expect(opening).rejects.not.toThrow(/secret/);
});
