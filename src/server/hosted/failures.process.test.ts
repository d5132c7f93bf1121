import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { fractions } from '../../testing/chance.js';
import { control, controlToken, makeWorld, type MadeWorld } from '../../testing/nodes.js';
import type { TestPostgres } from '../../testing/postgres-server.js';
import { describeWithPostgres, usePostgres } from '../../testing/postgres.js';
import { call, SandboxProcess, startReceiver } from '../../testing/process.js';

/** How often something fails. `npm run test:nodes` has many rounds, and nodes that are paused for longer than a lease lasts. */
const rounds = Number(process.env['NODES_ROUNDS'] ?? 2);
const isLong = process.env['NODES_ROUNDS'] !== undefined;
const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1e6));
const pausedMs = 15_000;
/** How long a world may be away beyond the database's own absence, in milliseconds. */
const mostAwayMs = 12_000;
const thinkMs = 200;
/** How long a client waits for an answer, and for how long it then leaves the node alone, in milliseconds, as load balancers do. */
const patienceMs = 2000;
const avoidedMs = 10_000;
const worldNames = ['a', 'b', 'c', 'd', 'e', 'f'];

/** What can happen; in the short form one after another, without the pauses. */
const failures = ['kill', 'crash', 'stop', 'cut', 'pause', 'pause'] as const;

/** A transfer under its key, and the operation that it made once somebody has said so. */
interface Asked {
  readonly key: string;
  operationId: string | null;
}

/** A world under load, and what its client knows of it. */
interface Loaded {
  readonly world: MadeWorld;
  readonly accountIds: readonly string[];
  readonly startBalance: number;
  readonly token: string;
  readonly asked: Asked[];
  /** When it answered last with success, and the longest that it did not, by a clock that stands while the database is away. */
  lastMs: number;
  longestAwayMs: number;
}

/** Waits until something is so. @throws Error when that takes a minute */
async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const beganMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - beganMs > 60_000) throw new Error(`Not within a minute: ${what}.`);
    await wait(200);
  }
}

/** Nodes over one database that fail in turn, under writers that ask again until they are answered. */
class Course {
  readonly counts: Record<string, number> = {};
  readonly #database: string;
  readonly #server: TestPostgres;
  readonly #chance: () => number;
  readonly #nodes: SandboxProcess[] = [];
  readonly #loaded: Loaded[] = [];
  readonly #violations: string[] = [];
  /** What failed last, and the longest absence of a world after each, in milliseconds. */
  #failure = 'nothing';
  readonly #longest: Record<string, number> = {};
  readonly #over = new AbortController();
  #hooks!: Awaited<ReturnType<typeof startReceiver>>;
  #writers: Promise<void>[] = [];
  /** For how long the database was away so far, and since when it is now. */
  #absence: { totalMs: number; sinceMs: number | null } = { totalMs: 0, sinceMs: null };

  constructor(server: TestPostgres, database: string, chance: () => number) {
    this.#server = server;
    this.#database = database;
    this.#chance = chance;
  }

  async begin(): Promise<void> {
    this.#hooks = await startReceiver();
    for (let count = 0; count < 3; count += 1) this.#nodes.push(await this.#start());
    for (const name of worldNames) this.#loaded.push(await this.#load(await makeWorld(this.#url(), name)));
    this.#writers = this.#loaded.flatMap((loaded) => [this.#write(loaded), this.#write(loaded)]);
  }

  /** Has something fail, mends it, and waits until every world answers again. */
  async round(number: number): Promise<void> {
    await wait(500 + this.#chance() * 1500);
    const failure = failures[isLong ? Math.floor(this.#chance() * failures.length) : number]!;
    this.#count(failure);
    this.#failure = failure;
    const index = Math.floor(this.#chance() * this.#nodes.length);
    const node = this.#nodes[index]!;
    if (failure === 'cut') await this.#server.cut(this.#database);
    if (failure === 'crash') await this.#crash();
    if (failure === 'pause') {
      process.kill(node.pid, 'SIGSTOP');
      await wait(pausedMs);
      process.kill(node.pid, 'SIGCONT');
    }
    if (failure === 'kill' || failure === 'stop') {
      await node.end(failure === 'kill' ? 'SIGKILL' : 'SIGTERM');
      await wait(this.#chance() * 2000);
      this.#nodes[index] = await this.#start();
    }
    const mendedMs = this.#clock();
    await until('every world answers', () => this.#loaded.every(({ lastMs }) => lastMs > mendedMs));
    const faults = this.#nodes.flatMap(({ output }) => output.filter((line) => line.includes('fault')).slice(-3));
    assert.deepEqual(this.#violations, [], `after ${failure}: ${faults.join('')}`);
  }

  /** Lets everything come to rest: each request has happened once, the money is where it belongs, and every webhook has come. @returns the longest that a world was away, in milliseconds */
  async end(): Promise<number> {
    this.#over.abort();
    await Promise.all(this.#writers);
    const longest = Math.max(...this.#loaded.map(({ longestAwayMs }) => longestAwayMs));
    const asked = this.#loaded.reduce((sum, each) => sum + each.asked.length, 0);
    console.log(
      `${asked} transfers, ${JSON.stringify(this.counts)}, the longest absence of a world in ms ${JSON.stringify(this.#longest)}`,
    );
    assert.deepEqual(this.#violations, []);
    for (const loaded of this.#loaded) await this.#judge(loaded);
    for (const node of this.#nodes.splice(0)) assert.equal(await node.end('SIGTERM'), 0);
    await this.#hooks.close();
    return longest;
  }

  /** Ends whatever still runs. */
  abandon(): void {
    this.#over.abort();
    for (const node of this.#nodes.splice(0)) void node.end('SIGKILL'); // It may have ended already.
  }

  async #judge({ world: { name: world }, asked, accountIds, startBalance }: Loaded): Promise<void> {
    const made = asked.map(({ operationId }) => operationId!);
    assert.equal(new Set(made).size, made.length, `two requests of world ${world} made one operation`);
    const found = await this.#operations(world);
    const fixtures = new Set(this.#fixtures.get(world));
    const own = found.filter(({ id }) => !fixtures.has(id));
    assert.deepEqual(own.map(({ id }) => id).toSorted(), made.toSorted(), `operations of world ${world}`);
    const isSettled = ({ id, status }: { id: string; status: string }) => fixtures.has(id) || status === 'COMPLETED';
    await until(`world ${world} has completed all`, async () => (await this.#operations(world)).every(isSettled));
    assert.equal(await this.#balance(world, accountIds[0]!), startBalance - made.length, `money of world ${world}`);
    const events = made.flatMap((id) => [`${id} OPERATION_REQUESTED`, `${id} OPERATION_COMPLETED`]);
    await until(`all webhooks of world ${world} have come`, () => {
      const messages = this.#messages();
      return events.every((event) => messages.has(event));
    });
    for (const [event, ids] of this.#messages()) assert.equal(ids.size, 1, `${event} came under ${[...ids].join(' and ')}`);
  }

  /** The ids of the messages that came, by resource and type of event. */
  #messages(): Map<string, Set<string>> {
    const messages = new Map<string, Set<string>>();
    for (const { headers, body } of this.#hooks.received) {
      const { id } = JSON.parse(body) as { id: string };
      const event = `${id} ${String(headers['x-event-type'])}`;
      messages.set(event, (messages.get(event) ?? new Set()).add(String(headers['x-message-id'])));
    }
    return messages;
  }

  /** Nodes that did not answer, and until when they are not asked. */
  readonly #avoided = new Map<string, number>();
  readonly #fixtures = new Map<string, string[]>();

  async #operations(world: string): Promise<{ id: string; status: string }[]> {
    const all: { id: string; status: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await this.#look(`/operations?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, world);
      for (const { id, currentState } of body.data) all.push({ id, status: currentState.status });
      cursor = body.meta.nextCursor;
    }
    return all;
  }

  async #crash(): Promise<void> {
    this.#absence.sinceMs = performance.now();
    await this.#server.crash();
    await wait(this.#chance() * 5000);
    await this.#server.launch();
    this.#absence = { totalMs: this.#absence.totalMs + performance.now() - this.#absence.sinceMs, sinceMs: null };
  }

  #clock(): number {
    const now = this.#absence.sinceMs ?? performance.now();
    return now - this.#absence.totalMs;
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  #start(): Promise<SandboxProcess> {
    return SandboxProcess.start(['--data', this.#database, '--control-token', controlToken, '--log-level', 'error', '--world-idle', '1m']);
  }

  /** Any of the nodes, as a load balancer takes one: none that did not answer of late. */
  #url(): string {
    const good = this.#nodes.filter(({ url }) => (this.#avoided.get(url) ?? 0) < performance.now());
    const choice = good.length > 0 ? good : this.#nodes;
    return choice[Math.floor(this.#chance() * choice.length)]!.url;
  }

  async #load(world: MadeWorld): Promise<Loaded> {
    const url = this.#url();
    const { body } = await call(url, 'POST', '/api/oauth/client/token', { body: world.credentials });
    const token = body.accessToken as string;
    const headers = { authorization: `Bearer ${token}`, 'x-idempotency-key': randomUUID() };
    const made = await call(url, 'POST', '/api/subscriptions', { headers, body: { url: this.#hooks.url, includeAll: true } });
    assert.equal(made.status, 201, made.text);
    const { body: accounts } = await call(url, 'GET', '/api/accounts?sortOrder=ASCENDING', { headers });
    const accountIds = accounts.data.map(({ id }: { id: string }) => id) as string[];
    this.#fixtures.set(
      world.name,
      (await this.#operations(world.name)).map(({ id }) => id),
    );
    const startBalance = await this.#balance(world.name, accountIds[0]!);
    return { world, accountIds, startBalance, token, asked: [], lastMs: this.#clock(), longestAwayMs: 0 };
  }

  /** Asks any node about a world; one that closes an idle connection at that moment is asked again. */
  #look(path: string, world: string) {
    const ask = () => control(this.#url(), 'GET', path, { world });
    return ask().catch(ask);
  }

  async #balance(world: string, accountId: string): Promise<number> {
    const { body } = await this.#look(`/accounts/${accountId}`, world);
    return Number(body.balances.find(({ asset }: { asset: string }) => asset === 'BRL').value);
  }

  /** Makes transfers, each asked for again under its key, at any node, until it is made; what was made has to be there. */
  async #write(loaded: Loaded): Promise<void> {
    while (!this.#over.signal.aborted) {
      const asked: Asked = { key: randomUUID(), operationId: null };
      loaded.asked.push(asked);
      while (asked.operationId === null) {
        await this.#ask(loaded, asked);
        if (asked.operationId === null) await wait(100);
      }
      const read = await this.#call('GET', `/api/operations/${asked.operationId}`, loaded, {});
      if (read && read.status !== 200 && read.status !== 503)
        this.#violations.push(`${loaded.world.name}: read ${read.status} ${read.text}`);
      await wait(thinkMs * (0.5 + this.#chance()));
    }
  }

  async #ask(loaded: Loaded, asked: Asked): Promise<void> {
    const [sourceAccountId, targetAccountId] = loaded.accountIds;
    const body = { sourceAccountId, targetAccountId, amount: { value: '1.00', asset: 'BRL' } };
    const answer = await this.#call('POST', '/api/operations/transfer', loaded, { body, key: asked.key });
    if (!answer || answer.status === 503) return this.#count('again');
    if (answer.status !== 201) {
      this.#violations.push(`${loaded.world.name}: ${answer.status} ${answer.text}`);
      await wait(1000);
      return;
    }
    asked.operationId = answer.body.id as string;
    const now = this.#clock();
    const awayMs = now - loaded.lastMs;
    loaded.longestAwayMs = Math.max(loaded.longestAwayMs, awayMs);
    this.#longest[this.#failure] = Math.max(this.#longest[this.#failure] ?? 0, Math.round(awayMs));
    loaded.lastMs = now;
  }

  /** Calls any node; null when it does not answer. */
  async #call(method: string, path: string, { token }: Loaded, { body, key }: { body?: unknown; key?: string }) {
    const headers = { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'x-idempotency-key': key }) };
    const url = this.#url();
    const avoid = () => {
      this.#avoided.set(url, performance.now() + avoidedMs);
      return null;
    };
    const late = new Promise((resolve) => setTimeout(resolve, patienceMs).unref()).then(avoid);
    const answered = call(url, method, path, { headers, ...(body === undefined ? {} : { body }) }).catch(() => null);
    return Promise.race([answered, late]);
  }
}

describeWithPostgres('several nodes over one PostgreSQL', () => {
  const postgres = usePostgres();

  it(
    `lose nothing and double nothing while they fail, ${rounds} times (seed ${seed})`,
    { timeout: 120_000 + rounds * 90_000 },
    async () => {
      const course = new Course(postgres.server, await postgres.server.database(), fractions(seed));
      await course.begin();
      try {
        for (let round = 0; round < rounds; round += 1) await course.round(round);
        expect(await course.end()).toBeLessThan(mostAwayMs);
      } finally {
        course.abandon();
      }
    },
  );
});
