import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { JWK } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestResponse } from '../testing/calls.js';
import { Harness, sharedTokenKey } from '../testing/harness.js';
import { fixtureIds, withdrawalBody } from '../testing/withdrawals.js';
import { ReferenceModel, type WriteRequest } from '../testing/reference-model.js';
import { StorageDirectory } from '../testing/storage.js';
import { FileStorage } from '../storage/file/file-storage.js';
import { inLength } from '../testing/long-run.js';

const numRuns = inLength(4, 1000);

const account = fc.constantFrom(0, 1);
const amount = fc.oneof(fc.integer({ min: 1, max: 300_000 }), fc.constant(900_000));
const pick = fc.nat({ max: 40 });

/** A request that may be sent. A withdrawal uses one of the existing quotes. */
const wanted = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('quote' as const), account, amount }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('withdrawal' as const), account, quote: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('transfer' as const), account, amount }) },
);

const action = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('ask' as const), wanted }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('repeat' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('misuse' as const), pick, wanted }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(0, 500, 1000, 2000, 3000, 29_000, 30_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.constant(25 * 3_600_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('force' as const), pick, to: fc.constantFrom('COMPLETED' as const, 'FAILED' as const) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), wanted, turns: fc.nat({ max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

let tokenKey: JWK;
beforeAll(async () => {
  tokenKey = await sharedTokenKey();
});

const directories: StorageDirectory[] = [];
afterAll(async () => {
  for (const each of directories) await each.remove();
});

/** Runs a sandbox with file storage, and compares it with a model of the expected behaviour. */
class Story {
  #directory = new StorageDirectory();
  #harness!: Harness;
  #model!: ReferenceModel;
  #accounts: string[] = [];
  /** The ids in the sandbox of the quotes and operations of the model, in the order of the model. */
  readonly #ids = { quotes: [] as string[], operations: [] as string[] };
  readonly #asked: { key: string; wanted: WriteRequest; body: unknown }[] = [];
  #fixtures = { quotes: 0, operations: 0 };

  async begin(): Promise<void> {
    await this.#open();
    await this.#harness.control('PUT', '/clock', { mode: 'FROZEN' });
    const { state } = this.#harness.sandbox.world('default');
    this.#accounts = [...state.accounts.keys()].slice(0, 2);
    this.#fixtures = { quotes: state.quotes.size, operations: state.operations.size };
    this.#model = new ReferenceModel(this.#harness.realMs, await this.#balances());
  }

  async act(step: Action): Promise<void> {
    if (step.do === 'ask') await this.#ask(randomUUID(), this.#possible(step.wanted));
    else if (step.do === 'repeat' || step.do === 'misuse') {
      const earlier = this.#asked[step.pick % Math.max(1, this.#asked.length)];
      if (earlier) await this.#ask(earlier.key, step.do === 'repeat' ? earlier.wanted : this.#possible(step.wanted));
    } else if (step.do === 'advance') {
      await this.#harness.control('POST', '/clock/advance', { by: `PT${step.ms / 1000}S` });
      this.#model.advance(step.ms);
      this.#harness.forget('default');
    } else if (step.do === 'force') {
      const index = step.pick % Math.max(1, this.#ids.operations.length);
      if (this.#ids.operations[index] === undefined) return;
      const verb = step.to === 'COMPLETED' ? 'complete' : 'fail';
      const { status } = await this.#harness.control('POST', `/operations/${this.#ids.operations[index]}/${verb}`);
      assert.equal(status, this.#model.force(index, step.to) ? 200 : 422);
    } else if (step.do === 'stop') {
      await this.#harness.sandbox.close();
      await this.#open();
      await this.check();
    } else await this.#crash(this.#possible(step.wanted), step.turns);
  }

  /** Returns the wanted request; a request for a quote instead of a withdrawal if there is no quote yet. */
  #possible(want: WriteRequest): WriteRequest {
    if (want.kind !== 'withdrawal') return want;
    const { length } = this.#model.quotes;
    return length > 0 ? { ...want, quote: want.quote % length } : { kind: 'quote', account: want.account, amount: 5 };
  }

  #send(key: string, want: WriteRequest): Promise<TestResponse> {
    const accountId = this.#accounts[want.account]!;
    const value = 'amount' in want ? `${want.amount}.00` : '';
    const post = (path: string, body: unknown) => this.#harness.api('POST', path, { key, body });
    if (want.kind === 'quote') return post('/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: value });
    const target = this.#accounts[1 - want.account];
    if (want.kind === 'transfer')
      return post('/api/operations/transfer', { sourceAccountId: accountId, targetAccountId: target, amount: { value, asset: 'BRL' } });
    const { approved } = fixtureIds(this.#harness);
    return post('/api/operations/withdrawal', withdrawalBody(accountId, this.#ids.quotes[want.quote]!, approved));
  }

  /** Returns the further possible error codes for a quote that expired a day ago or earlier: the sandbox may have deleted the quote. */
  #codesOfGone(want: WriteRequest): string[] {
    const expiresAt = want.kind === 'withdrawal' ? this.#model.quotes[want.quote]!.expiresAt : Infinity;
    return this.#model.now - expiresAt >= 86_400_000 ? ['RESOURCE_NOT_FOUND'] : [];
  }

  async #ask(key: string, want: WriteRequest): Promise<void> {
    const { status, body, headers } = await this.#send(key, want);
    const { outcome, isReplay } = this.#model.ask(key, want);
    const asked = this.#asked.find((each) => each.key === key);
    if ('code' in outcome) assert.ok([outcome.code, ...this.#codesOfGone(want)].includes(body.code), `${body.code}, not ${outcome.code}`);
    else {
      assert.equal(status, 201, JSON.stringify(body));
      const ids = this.#ids[want.kind === 'quote' ? 'quotes' : 'operations'];
      assert.equal((ids[outcome.made] ??= body.id), body.id);
      if (want.kind === 'quote') assert.equal(Date.parse(body.expiresAt), this.#model.quotes[outcome.made]!.expiresAt);
    }
    if (isReplay && asked) {
      assert.equal(headers.get('x-idempotent-replay'), 'true');
      assert.deepEqual(body, asked.body);
    } else if (asked && !('code' in outcome && outcome.code === 'IDEMPOTENCY_CONFLICT')) Object.assign(asked, { wanted: want, body });
    else if (!asked) this.#asked.push({ key, wanted: want, body });
  }

  /** Simulates a crash during a request, then repeats the request, which must take effect once. */
  async #crash(want: WriteRequest, turns: number): Promise<void> {
    const key = randomUUID();
    const [old, dying] = [this.#harness, this.#send(key, want).catch(() => null)];
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    this.#directory = this.#directory.afterCrash();
    await dying;
    await old.sandbox.close();
    await this.#open();
    await this.check(true);
    await this.#send(key, want); // This response is lost too.
    await this.#ask(key, want);
  }

  async #open(): Promise<void> {
    directories.push(this.#directory);
    const storage = await FileStorage.open(this.#directory.path, { minJournalBytes: 30_000 });
    this.#harness = await new Harness().open(tokenKey, { storage });
  }

  async #balances(): Promise<number[]> {
    const answers = await Promise.all(this.#accounts.map((id) => this.#harness.control('GET', `/accounts/${id}`)));
    return answers.map(({ body }) => Number(body.balances.find(({ asset }: { asset: string }) => asset === 'BRL').value));
  }

  /** Compares the sandbox with the model. @param isUnsure whether one request may or may not have taken effect */
  async check(isUnsure = false): Promise<void> {
    assert.deepEqual(await this.#balances(), this.#model.balances);
    for (const [index, { states }] of this.#model.operations.entries()) {
      const { body } = await this.#harness.api('GET', `/api/operations/${this.#ids.operations[index]}`);
      assert.deepEqual(
        body.states.map(({ status }: { status: string }) => status),
        states,
      );
    }
    const { state } = this.#harness.sandbox.world('default');
    const transfers = this.#model.operations.filter(({ to }) => to !== null).length;
    const { operations, quotes } = this.#model;
    // The sandbox may delete unused quotes a day after they expired.
    const kept = quotes.filter(({ consumed, expiresAt }) => consumed || this.#model.now - expiresAt < 86_400_000).length;
    const rows = [
      { count: state.operations.size - this.#fixtures.operations, least: operations.length, most: operations.length },
      { count: state.quotes.size - this.#fixtures.quotes, least: kept + transfers, most: quotes.length + transfers },
    ];
    for (const { count, least, most } of rows)
      assert.ok(count >= least && count <= most + (isUnsure ? 1 : 0), `${count} rows, not ${least} to ${most}`);
    assert.deepEqual(this.#harness.internalErrors, []);
  }

  async end(): Promise<void> {
    await this.check();
    await this.#harness.sandbox.close();
  }
}

test(
  'random requests at random times, with crashes, have the effects that a simple model predicts',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 40 }), async (steps) => {
        const story = new Story();
        await story.begin();
        for (const step of steps) await story.act(step);
        await story.end();
      }),
      { numRuns },
    );
    expect(directories.length).toBeGreaterThan(numRuns);
  },
  numRuns * 5000,
);
