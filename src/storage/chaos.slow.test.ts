import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fractions } from '../testing/chance.js';
import { call, connect, SandboxProcess, temporaryDirectory } from '../testing/process.js';
import { inLength } from '../testing/long-run.js';

/** Total number of kills. */
const kills = inLength(12, 1000);
/** Maximum number of kills for one data directory. */
const killsPerDirectory = inLength(6, 25);
const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1e6));

type Api = Awaited<ReturnType<typeof connect>>;

/** A request and its response, if any. */
interface Asked {
  readonly path: string;
  readonly body: unknown;
  answer: { text: string; made: readonly string[] } | null;
}

/** Returns the ids of all items in a list of a world. */
async function idsOf(url: string, list: 'quotes' | 'operations', world: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await call(url, 'GET', `/_sandbox/${list}?limit=100&world=${world}${page}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.meta.nextCursor;
  }
  return ids;
}

/** Returns the ids that a request created: the operation and its quote, or a quote. */
const madeBy = (body: { id: string; quote?: { id: string } }) => [body.id, ...(body.quote ? [body.quote.id] : [])];

/** Chooses when to kill a sandbox: under load, at a rotation or checkpoint, or during its start. */
function momentOf(chance: number): 'load' | 'rotation' | 'checkpoint' | 'recovery' {
  if (chance < 0.3) return 'recovery';
  if (chance < 0.5) return 'checkpoint';
  return chance < 0.6 ? 'rotation' : 'load';
}

/** A data directory, and all requests to the sandboxes that used it and were killed. */
class ChaosRun {
  readonly data = temporaryDirectory();
  readonly #chance: () => number;
  readonly #asked = new Map<string, Asked>();
  /** Idempotency keys of the requests to repeat at the next start: all since the last start. */
  #open = new Set<string>();
  #accountIds: string[] = [];
  /** Ids of the initial quotes and operations of the default world. */
  readonly #fixtures = new Set<string>();
  /** The large world, which is reset often: its possible numbers of quotes, with and without the last request. */
  #bulk = { fixtures: 0, quotes: [0], credentials: { clientId: '', clientSecret: '' } };
  /** Kills by moment, and how many of them left an unfinished file. */
  readonly moments = { load: 0, rotation: 0, checkpoint: 0, recovery: 0, unfinishedCheckpoints: 0, unfinishedLines: 0 };

  constructor(chance: () => number) {
    this.#chance = chance;
  }

  #args(): string[] {
    const durability = this.#chance() < 0.5 ? 'os' : 'fsync';
    return ['--data', this.data, '--log-level', 'error', '--scenario', 'instant', '--durability', durability];
  }

  /** Starts a sandbox and kills it during the start, or under load after checking its data. */
  async life(): Promise<void> {
    const moment = this.#accountIds.length === 0 ? 'load' : momentOf(this.#chance());
    this.moments[moment] += 1;
    if (moment === 'recovery') await SandboxProcess.interrupt(this.#args(), 30 + this.#chance() * 300);
    else {
      const sandbox = await SandboxProcess.start(this.#args());
      const api = await connect(sandbox.url);
      if (this.#accountIds.length === 0) await this.#settleIn(sandbox.url, api);
      await this.#recall(sandbox.url, api);
      const killed = new AbortController();
      const begun = moment === 'load' ? wait(this.#chance() * 100) : this.#changeOf(moment);
      const clients = [...Array.from({ length: 3 }, () => this.#trade(api, killed.signal)), this.#churn(sandbox.url, killed.signal)];
      await begun;
      await wait(this.#chance() * 10);
      await sandbox.end('SIGKILL');
      killed.abort();
      await Promise.all(clients);
    }
    if (existsSync(join(this.data, 'db.json.new'))) this.moments.unfinishedCheckpoints += 1;
    if (this.#segments().some((text) => !text.endsWith('\n'))) this.moments.unfinishedLines += 1;
  }

  /** Resolves when a journal segment is created (`rotation`), or a checkpoint is begun (`checkpoint`). */
  async #changeOf(moment: 'rotation' | 'checkpoint'): Promise<void> {
    const [directory, name] = moment === 'rotation' ? [join(this.data, 'journal'), /\.log$/] : [this.data, /^db\.json\.new$/];
    const watcher = watch(directory);
    const seen = new Promise<void>((resolve) =>
      watcher.on('change', (kind, file) => kind === 'rename' && name.test(String(file)) && resolve()),
    );
    await Promise.race([seen, wait(10_000, undefined, { ref: false })]);
    watcher.close();
  }

  #segments(): string[] {
    const directory = join(this.data, 'journal');
    if (!existsSync(directory)) return [];
    return readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
  }

  /** Creates a world so large that the journal of a few resets is long enough for a checkpoint. */
  async #settleIn(url: string, api: Api): Promise<void> {
    const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING');
    for (const list of ['quotes', 'operations'] as const) for (const id of await idsOf(url, list, 'default')) this.#fixtures.add(id);
    const { body: world } = await call(url, 'POST', '/_sandbox/worlds', { body: { name: 'bulk', scenario: 'manual' } });
    this.#bulk.credentials = world.credentials;
    const headers = { 'x-sandbox-world': 'bulk' };
    for (let name = 0; name < 12; name += 1) {
      assert.equal((await call(url, 'POST', '/_sandbox/snapshots', { body: { name: `s${name}` }, headers })).status, 201);
    }
    this.#bulk.quotes = [(await idsOf(url, 'quotes', 'bulk')).length];
    this.#bulk.fixtures = this.#bulk.quotes[0]!;
    this.#accountIds = accounts.data.map(({ id }: { id: string }) => id);
  }

  async #trade(api: Api, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const [accountId, targetAccountId] = this.#accountIds;
      const [path, body] =
        this.#chance() < 0.5
          ? ['/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '10.00' }]
          : ['/api/operations/transfer', { sourceAccountId: accountId, targetAccountId, amount: { value: '1.00', asset: 'BRL' } }];
      await this.#ask(api, randomUUID(), { path, body, answer: null });
    }
  }

  async #ask(api: Api, key: string, asked: Asked): Promise<void> {
    this.#asked.set(key, asked);
    this.#open.add(key);
    const answer = await api('POST', asked.path, asked.body, key).catch(() => null);
    if (answer) assert.equal(answer.status, 201, answer.text);
    if (answer) asked.answer = { text: answer.text, made: madeBy(answer.body) };
  }

  /** Resets the large world repeatedly, with new quotes in between. */
  async #churn(url: string, signal: AbortSignal): Promise<void> {
    const api = await connect(url, this.#bulk.credentials).catch(() => null);
    const { body: accounts } = (await api?.('GET', '/api/accounts').catch(() => null)) ?? { body: null };
    if (!api || !accounts) return;
    for (let turn = 0; !signal.aborted; turn += 1) {
      const before = this.#bulk.quotes.at(-1)!;
      const isReset = turn % 3 === 2;
      const after = isReset ? this.#bulk.fixtures : before + 1;
      this.#bulk.quotes = [before, after];
      const quote = { accountId: accounts.data[0].id, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' };
      const answer = await (
        isReset ? call(url, 'POST', '/_sandbox/reset', { headers: { 'x-sandbox-world': 'bulk' } }) : api('POST', '/api/quotes', quote)
      ).catch(() => null);
      if (!answer) return;
      assert.ok(answer.status < 300, answer.text);
      this.#bulk.quotes = [after];
    }
  }

  /** Repeats the requests since the last start. Requests that had a response must get an identical one. */
  async #recall(url: string, api: Api): Promise<void> {
    const open = [...this.#open];
    this.#open = new Set();
    const again = async (key: string) => {
      const asked = this.#asked.get(key)!;
      const { status, text, body, headers } = await api('POST', asked.path, asked.body, key);
      assert.equal(status, 201, text);
      if (asked.answer)
        assert.deepEqual([text, headers.get('x-idempotent-replay')], [asked.answer.text, 'true'], `${asked.path} under ${key}`);
      asked.answer = { text, made: madeBy(body) };
    };
    await Promise.all(open.map(again));
    const found = (await idsOf(url, 'quotes', 'bulk')).length;
    assert.ok(this.#bulk.quotes.includes(found), `${found} quotes, not ${this.#bulk.quotes.join(' or ')}`);
    this.#bulk.quotes = [found];
  }

  /** Starts a last time, and checks that each request took effect once and that the balances match the transfers. */
  async end(): Promise<void> {
    const sandbox = await SandboxProcess.start(this.#args());
    const api = await connect(sandbox.url);
    await this.#recall(sandbox.url, api);
    await call(sandbox.url, 'POST', '/_sandbox/clock/advance', { body: { untilIdle: true } });
    const made = [...this.#asked.values()].flatMap(({ answer }) => answer!.made);
    const found = [...(await idsOf(sandbox.url, 'quotes', 'default')), ...(await idsOf(sandbox.url, 'operations', 'default'))];
    assert.deepEqual(found.filter((id) => !this.#fixtures.has(id)).toSorted(), made.toSorted());
    assert.equal(new Set(made).size, made.length);
    const transfers = [...this.#asked.values()].filter(({ path }) => path.endsWith('transfer')).length;
    const { body: account } = await call(sandbox.url, 'GET', `/_sandbox/accounts/${this.#accountIds[0]}`);
    const held = account.balances.find(({ asset }: { asset: string }) => asset === 'BRL');
    assert.equal(held.value, `${1_250_000 - transfers}.00`);
    assert.equal(await sandbox.end('SIGTERM'), 0);
    await rm(this.data, { recursive: true });
  }
}

const directories = Math.ceil(kills / killsPerDirectory);

test(
  `${kills} SIGKILLs lose no acknowledged request, and leave none incomplete or duplicated (seed ${seed})`,
  { timeout: kills * 10_000 },
  async () => {
    const runs = Array.from({ length: directories }, (_, index) => new ChaosRun(fractions(seed + index)));
    const left = [...runs.entries()];
    const worker = async () => {
      for (let next = left.pop(); next; next = left.pop()) {
        const [index, run] = next;
        for (let life = index * killsPerDirectory; life < Math.min(kills, (index + 1) * killsPerDirectory); life += 1) await run.life();
        await run.end();
      }
    };
    await Promise.all([worker(), worker()]);
    const sum = (what: keyof ChaosRun['moments']) => runs.reduce((total, { moments }) => total + moments[what], 0);
    const moments = sum('load') + sum('rotation') + sum('checkpoint') + sum('recovery');
    expect(moments).toBe(kills);
    console.log(
      Object.keys(runs[0]!.moments)
        .map((what) => `${what} ${sum(what as keyof ChaosRun['moments'])}`)
        .join(', '),
    );
  },
);
