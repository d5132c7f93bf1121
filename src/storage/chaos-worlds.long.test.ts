import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request as send } from 'node:http';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fractions } from '../testing/chance.js';
import { call, SandboxProcess, temporaryDirectory, tokenFor } from '../testing/process.js';
import { inLength } from '../testing/long-run.js';

/** Number of rounds. Each round resets, restores, imports or re-creates the world during open requests. */
const rounds = inLength(15, 1000);
/** Share of the rounds in which the sandbox is killed. */
const killShare = inLength(0.15, 0.25);
const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1e6));

/** A write request with its idempotency key. `begunAt` and `endedAt` order the starts and ends that the test has seen. */
interface Write {
  readonly key: string;
  readonly isTransfer: boolean;
  readonly begunAt: number;
  endedAt: number;
  /** Null before the response. */
  status: number | null;
}

/** The content of a world that the test checks. */
interface Holding {
  readonly keys: readonly string[];
  readonly quotes: number;
  readonly operations: number;
  readonly held: string;
  readonly clock: string;
}

/** Returns the account ids in a state, oldest first. */
function accountIdsIn({ tables }: { tables: { accounts: { id: string; seq: number }[] } }): string[] {
  return tables.accounts.toSorted((a, b) => a.seq - b.seq).map(({ id }) => id);
}

/** Sends a request without its body. @returns a function that sends the body and resolves with the status; null if there is no response */
async function begun(url: string, method: string, path: string, headers: Record<string, string>, body: unknown) {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  const outgoing = send(url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': length, expect: '100-continue' },
  });
  const status = new Promise<number | null>((resolve) => {
    outgoing.on('response', (answer) => answer.resume().on('close', () => resolve(answer.statusCode!))).on('error', () => resolve(null));
  });
  const isMet = new Promise<void>((resolve) => outgoing.once('continue', resolve));
  outgoing.flushHeaders();
  await Promise.race([isMet, status]);
  return () => (outgoing.end(text), status);
}

/** A test run in which two worlds get write requests: `raced` is reset, restored, imported or re-created meanwhile, `calm` is not. */
class ChaosRun {
  readonly counts = { reset: 0, restore: 0, import: 0, recreate: 0, kills: 0, held: 0, writes: 0, cutShort: 0 };
  readonly #data = temporaryDirectory();
  readonly #chance: () => number;
  #sandbox!: SandboxProcess;
  #moment = 0;
  /** Sent requests whose resources the world may contain. */
  #writes: Write[] = [];
  readonly #calm: Write[] = [];
  #start!: { document: unknown; holding: Holding };
  readonly #accountIds = { raced: [] as string[], calm: [] as string[] };

  constructor(chance: () => number) {
    this.#chance = chance;
  }

  async begin(): Promise<void> {
    await this.#launch();
    await this.#make('calm');
    await this.#make('raced');
    const { body: document } = await this.#control('GET', '/state', 'raced');
    this.#start = { document, holding: await this.#look('raced') };
    this.#accountIds.raced = accountIdsIn(document);
    this.#accountIds.calm = accountIdsIn((await this.#control('GET', '/state', 'calm')).body);
  }

  async end(): Promise<void> {
    const holding = await this.#look('calm');
    const { keys } = holding;
    const acknowledged = this.#calm.filter(({ status }) => status === 201).map(({ key }) => key);
    assert.deepEqual(
      acknowledged.filter((key) => !keys.includes(key)),
      [],
      'writes of the calm world are lost',
    );
    this.#checkSums('the calm world', holding, new Map(this.#calm.map((write) => [write.key, write])));
    assert.equal(await this.#sandbox.end('SIGTERM'), 0);
    await rm(this.#data, { recursive: true });
  }

  /** Resets, restores, imports or re-creates the world during open requests, and checks the effects of the requests. */
  async round(): Promise<void> {
    const isKilled = this.#chance() < killShare;
    const how = (['reset', 'restore', 'import', 'recreate'] as const)[Math.floor(this.#chance() * 4)]!;
    this.counts[how] += 1;
    const stop = new AbortController();
    const [token, calmToken] = [await this.#token('raced'), await this.#token('calm')];
    const writers = [
      ...Array.from({ length: 3 }, () => this.#write('raced', token, stop.signal)),
      this.#write('calm', calmToken, stop.signal),
    ];
    await wait(this.#chance() * 15);
    const held = await this.#hold(token);
    const changeBegunAt = (this.#moment += 1);
    const change = this.#change(how).catch(() => null);
    let answer: number | null = null;
    if (isKilled) {
      this.counts.kills += 1;
      await wait(this.#chance() * 8);
      await this.#sandbox.end('SIGKILL');
      answer = await change;
    } else {
      answer = await change;
      assert.ok(answer !== null && answer < 300, `${how}: ${answer}`);
    }
    const changeEndedAt = (this.#moment += 1);
    const refused = await Promise.all(held.map(({ release }) => release()));
    if (!isKilled) {
      this.counts.held += held.length;
      const expected = { public: 503, control: 409 };
      assert.deepEqual(
        refused,
        held.map(({ plane }) => expected[plane]),
        `requests started before the ${how}`,
      );
      await this.#write('raced', await this.#token('raced'), AbortSignal.timeout(5));
    }
    stop.abort();
    await Promise.all(writers);
    if (isKilled) await this.#launch();
    await this.#judge(`${how}${isKilled ? ' and a kill' : ''}`, answer === null ? null : { changeBegunAt, changeEndedAt }, changeBegunAt);
  }

  async #judge(what: string, change: { changeBegunAt: number; changeEndedAt: number } | null, begunAt: number): Promise<void> {
    const { body: worlds } = await call(this.#sandbox.url, 'GET', '/_sandbox/worlds');
    const isThere = worlds.data.some(({ name }: { name: string }) => name === 'raced');
    const holding = isThere ? await this.#look('raced') : null;
    const keys = new Set(holding?.keys);
    assert.equal(keys.size, holding?.keys.length ?? 0, 'a write occurs twice');
    const known = new Map(this.#writes.map((write) => [write.key, write]));
    for (const key of keys) {
      const write = known.get(key);
      assert.ok(write, `${what}: a write of an earlier world exists`);
      assert.ok(write.status === null || write.status === 201, `${what}: a write with response ${write.status} exists`);
    }
    const settled = this.#writes.filter(({ status, endedAt }) => status === 201 && endedAt < begunAt);
    const kept = settled.filter(({ key }) => keys.has(key)).length;
    if (change) {
      assert.equal(kept, 0, `${what}: writes of an earlier world exist`);
      for (const { key, status, begunAt: at } of this.#writes)
        assert.ok(status !== 201 || at < change.changeEndedAt || keys.has(key), `${what}: a later acknowledged write is lost`);
    } else {
      assert.ok(kept === 0 || kept === settled.length, `${what}: ${kept} of ${settled.length} writes exist`);
      if (settled.length > 0 && kept === 0) this.counts.cutShort += 1;
    }
    if (holding) this.#checkSums(what, holding, known);
    this.#writes = this.#writes.filter(({ key }) => keys.has(key));
    if (!isThere) await this.#make('raced');
    else if (!change) await this.#snapshot();
  }

  /** Checks that each existing write created one quote, each transfer one operation, and that the balances match the transfers. */
  #checkSums(what: string, { keys, quotes, operations, held, clock }: Holding, known: ReadonlyMap<string, Write>): void {
    const { holding: start } = this.#start;
    const transfers = keys.filter((key) => known.get(key)!.isTransfer).length;
    const expected = [start.quotes + keys.length, start.operations + transfers, (Number(start.held) - transfers).toFixed(2), start.clock];
    assert.deepEqual([quotes, operations, held, clock], expected, `${what}: differs from the acknowledged writes`);
  }

  async #look(world: string): Promise<Holding> {
    const { body } = await this.#control('GET', '/state', world);
    const { idempotency, quotes, operations, balances } = body.tables;
    const account = `customer:${accountIdsIn(body)[0]}`;
    const held = balances.find((each: { account: string; asset: string }) => each.account === account && each.asset === 'BRL').value;
    const keys = idempotency.map(({ id }: { id: string }) => id);
    return { keys, quotes: quotes.length, operations: operations.length, held, clock: body.clock.mode };
  }

  async #launch(): Promise<void> {
    this.#sandbox = await SandboxProcess.start([
      '--data',
      this.#data,
      '--log-level',
      'error',
      '--scenario',
      'instant',
      '--keep-idempotency-keys',
      '1000000',
    ]);
  }

  async #control(method: string, path: string, world: string, body?: unknown) {
    return call(this.#sandbox.url, method, `/_sandbox${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: { 'x-sandbox-world': world },
    });
  }

  /** Creates a world with a snapshot of its initial state. */
  async #make(name: string): Promise<number> {
    const made = await this.#control('POST', '/worlds', name, { name, scenario: 'instant' });
    assert.equal(made.status, 201, made.text);
    if (name === 'raced') await this.#snapshot();
    return made.status;
  }

  /** Creates the initial snapshot if a kill prevented it. */
  async #snapshot(): Promise<void> {
    const { body } = await this.#control('GET', '/snapshots', 'raced');
    if (body.data.some(({ name }: { name: string }) => name === 'start')) return;
    if (this.#writes.length > 0) await this.#control('POST', '/reset', 'raced');
    this.#writes = [];
    assert.equal((await this.#control('POST', '/snapshots', 'raced', { name: 'start' })).status, 201);
  }

  async #token(world: string): Promise<string> {
    const { body } = await this.#control('GET', `/worlds/${world}`, world);
    return tokenFor(this.#sandbox.url, body.credentials);
  }

  /** Resets, restores, imports or re-creates the world. @returns the status of the last response */
  async #change(how: 'reset' | 'restore' | 'import' | 'recreate'): Promise<number> {
    if (how === 'reset') return (await this.#control('POST', '/reset', 'raced')).status;
    if (how === 'restore') return (await this.#control('POST', '/snapshots/start/restore', 'raced')).status;
    if (how === 'import') return (await this.#control('PUT', '/state', 'raced', this.#start.document)).status;
    const { status } = await this.#control('DELETE', '/worlds/raced', 'raced');
    return status === 204 ? this.#make('raced') : status;
  }

  /** Sends writes to a world, one after the other, until `signal` aborts. */
  async #write(world: 'raced' | 'calm', token: string, signal: AbortSignal): Promise<void> {
    const into = world === 'calm' ? this.#calm : this.#writes;
    while (!signal.aborted) {
      const isTransfer = this.#chance() < 0.5;
      const write: Write = { key: randomUUID(), isTransfer, begunAt: (this.#moment += 1), endedAt: Infinity, status: null };
      into.push(write);
      const [path, body] = this.#bodyOf(isTransfer, world);
      const headers = { authorization: `Bearer ${token}`, 'x-idempotency-key': write.key };
      const answer = await call(this.#sandbox.url, 'POST', path, { body, headers }).catch(() => null);
      if (!answer) return;
      write.endedAt = this.#moment += 1;
      write.status = answer.status;
      this.counts.writes += 1;
      assert.ok([201, 401, 503].includes(answer.status), answer.text);
      if (answer.status !== 201) return; // The world was deleted or replaced.
    }
  }

  #bodyOf(isTransfer: boolean, world: 'raced' | 'calm'): [path: string, body: unknown] {
    const [accountId, targetAccountId] = this.#accountIds[world];
    if (!isTransfer) return ['/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' }];
    return ['/api/operations/transfer', { sourceAccountId: accountId, targetAccountId, amount: { value: '1.00', asset: 'BRL' } }];
  }

  /** Starts requests to both APIs without sending their bodies. */
  async #hold(token: string): Promise<{ plane: 'public' | 'control'; release: () => Promise<number | null> }[]> {
    const { url } = this.#sandbox;
    const publicly = (isTransfer: boolean) => {
      const write: Write = { key: randomUUID(), isTransfer, begunAt: this.#moment, endedAt: Infinity, status: 503 };
      this.#writes.push(write);
      const headers = { authorization: `Bearer ${token}`, 'x-idempotency-key': write.key };
      const [path, body] = this.#bodyOf(isTransfer, 'raced');
      return begun(url, 'POST', path, headers, body);
    };
    const amount = { value: '5.00', asset: 'BRL' };
    const steering = [
      ['POST', `/accounts/${this.#accountIds.raced[0]}/credit`, { amount }],
      ['PUT', '/clock', { mode: 'FROZEN' }],
      ['PUT', '/state', { ...(this.#start.document as object), clock: { mode: 'FROZEN', now: '2030-01-01T00:00:00.000Z' } }],
      ['POST', '/snapshots', { name: 'late' }],
    ] as const;
    const open = [
      ...[true, false].map(async (isTransfer) => ({ plane: 'public' as const, release: await publicly(isTransfer) })),
      ...steering.map(async ([method, path, body]) => ({
        plane: 'control' as const,
        release: await begun(url, method, `/_sandbox${path}`, { 'x-sandbox-world': 'raced' }, body),
      })),
    ];
    const held = await Promise.all(open);
    // A world begins its requests in order: the response to this request shows that it has begun those above.
    await this.#control('GET', '/clock', 'raced');
    return held;
  }
}

test(
  `${rounds} resets, restores, imports and re-creations of a world, some with a SIGKILL, lose or duplicate no request (seed ${seed})`,
  { timeout: rounds * 10_000 },
  async () => {
    const run = new ChaosRun(fractions(seed));
    await run.begin();
    for (let round = 0; round < rounds; round += 1) await run.round();
    await run.end();
    const { reset, restore, import: imported, recreate } = run.counts;
    expect(reset + restore + imported + recreate).toBe(rounds);
    console.log(Object.entries(run.counts).flat().join(' '));
  },
);
