import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fractions } from './chance.js';
import type { TestResponse } from './calls.js';
import { Writers, type Loaded } from './node-writers.js';
import { control, controlToken, makeWorld, type MadeWorld } from './nodes.js';
import type { TestPostgres } from './postgres-server.js';
import { call, SandboxProcess, startReceiver, tokenFor } from './process.js';

const pausedMs = 15_000;
/** Maximum unavailability of a world in addition to that of the database, in milliseconds. */
const mostAwayMs = 12_000;
const worldNames = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The possible failures; a pause is twice as likely. */
const failures = ['kill', 'crash', 'stop', 'cut', 'pause', 'pause'] as const;

/** Waits until a condition is true. @throws Error after a minute */
async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const beganMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - beganMs > 60_000) throw new Error(`Not within a minute: ${what}.`);
    await wait(200);
  }
}

/** Number of failures, and the seed of all random choices. */
export interface FailingNodesOptions {
  readonly rounds: number;
  readonly seed: number;
  /** True to choose each failure at random; otherwise all kinds of failures occur in turn. */
  readonly isLong: boolean;
}

/** Nodes of one database that fail one after another, while writers retry until they get a response. */
export class FailingNodes {
  readonly counts: Record<string, number> = {};
  readonly #database: string;
  readonly #server: TestPostgres;
  readonly #options: FailingNodesOptions;
  readonly #chance: () => number;
  readonly #nodes: SandboxProcess[] = [];
  readonly #loaded: Loaded[] = [];
  readonly #problems: string[] = [];
  /** The last failure. */
  #failure = 'nothing';
  /** Longest unavailability of a world after each kind of failure, in milliseconds. */
  readonly #longest: Record<string, number> = {};
  /** Longest unavailability of a world since the last failure, in milliseconds. */
  #longestMs = 0;
  #hooks!: Awaited<ReturnType<typeof startReceiver>>;
  readonly #writers: Writers;
  /** Total unavailability of the database, and the start of the current outage; null without one. In milliseconds. */
  #absence: { totalMs: number; sinceMs: number | null } = { totalMs: 0, sinceMs: null };

  constructor(server: TestPostgres, database: string, options: FailingNodesOptions) {
    this.#server = server;
    this.#database = database;
    this.#options = options;
    this.#chance = fractions(options.seed);
    this.#writers = new Writers({
      urls: () => this.#nodes.map(({ url }) => url),
      chance: this.#chance,
      clock: () => this.#clock(),
      answered: (awayMs) => {
        this.#longestMs = Math.max(this.#longestMs, Math.round(awayMs));
        this.#longest[this.#failure] = Math.max(this.#longest[this.#failure] ?? 0, Math.round(awayMs));
      },
      refused: () => this.#count('again'),
      problem: (what) => this.#problem(what),
    });
  }

  async begin(): Promise<void> {
    this.#hooks = await startReceiver();
    for (let count = 0; count < 3; count += 1) this.#nodes.push(await this.#start());
    for (const name of worldNames) this.#loaded.push(await this.#load(await makeWorld(this.#writers.url(), name)));
    for (const loaded of [...this.#loaded, ...this.#loaded]) this.#writers.begin(loaded);
  }

  /** Causes a failure, repairs it, waits until every world responds, and prints the result. Problems are collected until the end. */
  async round(number: number): Promise<void> {
    await wait(500 + this.#chance() * 1500);
    const { rounds, isLong } = this.#options;
    const failure = failures[isLong ? Math.floor(this.#chance() * failures.length) : number % failures.length]!;
    this.#count(failure);
    this.#failure = failure;
    this.#longestMs = 0;
    const known = this.#problems.length;
    try {
      await this.#fail(failure);
      const mendedMs = this.#clock();
      await until('every world answers', () => this.#loaded.every(({ lastMs }) => lastMs > mendedMs));
    } catch (error) {
      this.#problem((error as Error).message);
    }
    const balance = await this.#balanceOfAll().catch((error: unknown) => {
      this.#problem((error as Error).message);
      return { made: NaN, lost: NaN, doubled: NaN };
    });
    console.log(
      `round ${number + 1} of ${rounds}: ${failure.padEnd(5)}  longest absence ${String(this.#longestMs).padStart(5)} ms  ` +
        `made ${balance.made}  lost ${balance.lost}  doubled ${balance.doubled}`,
    );
    for (const problem of this.#problems.slice(known)) console.log(`  ${problem}`);
    if (this.#problems.length === known) return;
    const faults = this.#nodes.flatMap(({ output }) => output.filter((line) => line.includes('fault')).slice(-3));
    if (faults.length > 0) console.log(`  output of the nodes: ${faults.join('  ')}`);
  }

  async #fail(failure: (typeof failures)[number]): Promise<void> {
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
  }

  /**
   * Counts the operations in the worlds (`made`), acknowledged operations that are missing (`lost`), and operations beyond the number of
   * requests (`doubled`). Approximate while the writers run.
   */
  async #balanceOfAll(): Promise<{ made: number; lost: number; doubled: number }> {
    const balance = { made: 0, lost: 0, doubled: 0 };
    for (const { world, asked, fixtures, seen } of this.#loaded) {
      const acknowledged = asked.flatMap(({ operationId }) => operationId ?? []);
      for (const { id } of await this.#operations(world.name, 'DESCENDING', seen)) seen.add(id);
      const made = seen.size - fixtures.size;
      balance.made += made;
      balance.lost += acknowledged.filter((id) => !seen.has(id)).length;
      balance.doubled += Math.max(0, made - asked.length);
    }
    if (balance.lost + balance.doubled > 0) this.#problem(`lost ${balance.lost}, doubled ${balance.doubled}`);
    return balance;
  }

  /**
   * Ends the writers. Checks that each request took effect once, that the balances are correct, and that every webhook arrives.
   * @returns all problems
   */
  async end(): Promise<readonly string[]> {
    await this.#writers.end();
    const asked = this.#loaded.reduce((sum, each) => sum + each.asked.length, 0);
    this.#failure = 'the end';
    for (const loaded of this.#loaded) await this.#judge(loaded).catch((error: unknown) => this.#problem((error as Error).message));
    for (const node of this.#nodes.splice(0)) {
      const code = await node.end('SIGTERM');
      if (code !== 0) this.#problem(`a node ended with ${code}`);
    }
    await this.#hooks.close();
    const { rounds, seed } = this.#options;
    const away = Object.values(this.#longest);
    if (Math.max(...away) >= mostAwayMs) this.#problem(`a world was away for ${Math.max(...away)} ms`);
    console.log(
      `${rounds} rounds with seed ${seed}: ${asked} transfers, ${JSON.stringify(this.counts)}, the longest absence of a world in ms ` +
        `${JSON.stringify(this.#longest)}, ${this.#problems.length} problems${this.#problems.map((each) => `\n  ${each}`).join('')}`,
    );
    return this.#problems;
  }

  #problem(what: string): void {
    this.#problems.push(`after ${this.#failure}: ${what}`);
  }

  /** Stops all writers and nodes that still run. */
  abandon(): void {
    void this.#writers.end();
    for (const node of this.#nodes.splice(0)) void node.end('SIGKILL'); // The process may have ended already.
  }

  async #judge({ world: { name: world }, asked, fixtures, accountIds, startBalance }: Loaded): Promise<void> {
    const made = asked.map(({ operationId }) => operationId!);
    assert.equal(new Set(made).size, made.length, `two requests of world ${world} made one operation`);
    const found = await this.#operations(world);
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

  /** Returns the ids of the received messages, by resource and event type. */
  #messages(): Map<string, Set<string>> {
    const messages = new Map<string, Set<string>>();
    for (const { headers, body } of this.#hooks.received) {
      const { id } = JSON.parse(body) as { id: string };
      const event = `${id} ${String(headers['x-event-type'])}`;
      messages.set(event, (messages.get(event) ?? new Set()).add(String(headers['x-message-id'])));
    }
    return messages;
  }

  /** Returns the operations of a world up to the first one in `known`. */
  async #operations(
    world: string,
    sortOrder = 'ASCENDING',
    known: ReadonlySet<string> = new Set(),
  ): Promise<{ id: string; status: string }[]> {
    const all: { id: string; status: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await this.#look(
        `/operations?limit=100&sortOrder=${sortOrder}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        world,
      );
      for (const { id, currentState } of body.data) {
        if (known.has(id)) return all;
        all.push({ id, status: currentState.status });
      }
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

  async #load(world: MadeWorld): Promise<Loaded> {
    const url = this.#writers.url();
    const token = await tokenFor(url, world.credentials);
    const headers = { authorization: `Bearer ${token}`, 'x-idempotency-key': randomUUID() };
    const made = await call(url, 'POST', '/api/subscriptions', { headers, body: { url: this.#hooks.url, includeAll: true } });
    assert.equal(made.status, 201, made.text);
    const { body: accounts } = await call(url, 'GET', '/api/accounts?sortOrder=ASCENDING', { headers });
    const accountIds = accounts.data.map(({ id }: { id: string }) => id) as string[];
    const fixtures = new Set((await this.#operations(world.name)).map(({ id }) => id));
    const startBalance = await this.#balance(world.name, accountIds[0]!);
    return { world, accountIds, startBalance, token, asked: [], fixtures, seen: new Set(fixtures), lastMs: this.#clock() };
  }

  /** Sends a request about a world to random nodes, until one responds with 200. */
  async #look(path: string, world: string): Promise<TestResponse> {
    let answer: TestResponse | null = null;
    await until(`world ${world} is shown`, async () => {
      answer = await control(this.#writers.url(), 'GET', path, { world }).catch(() => null);
      return answer?.status === 200;
    });
    return answer!;
  }

  async #balance(world: string, accountId: string): Promise<number> {
    const { body } = await this.#look(`/accounts/${accountId}`, world);
    return Number(body.balances.find(({ asset }: { asset: string }) => asset === 'BRL').value);
  }
}
