import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fractions } from './chance.js';
import { control, controlToken, makeWorld, type MadeWorld } from './nodes.js';
import { call, SandboxProcess } from './process.js';

/** The size of a run. */
export interface Extent {
  readonly worlds: number;
  /** Number of partners; each has an equal share of the worlds. */
  readonly partners: number;
  /** Number of clients that write at the same time. */
  readonly clients: number;
  readonly seed: number;
}

/** The measurements of a run, and its errors. */
export interface RunResult {
  readonly worlds: number;
  readonly acknowledged: number;
  /** Requests that were sent again, because a node stopped. */
  readonly repeated: number;
  /** Requests of the partner at its limit that were rejected. */
  readonly rejected: number;
  /** Longest time until a request succeeded, in milliseconds. */
  readonly longestMs: number;
  /** Memory of both nodes for each world that they have just created, in bytes. */
  readonly residentBytesPerWorld: number;
  /** The lost, doubled and refused requests. */
  readonly problems: readonly string[];
}

/** A partner's world, and the quotes that its clients know. */
interface Loaded extends MadeWorld {
  readonly partner: number;
  token: Promise<string> | null;
  accountId: string | null;
  readonly quotes: string[];
}

/** How often worlds are created at the same time, and the time between two attempts of a request, in milliseconds. */
const createdAtOnce = 4;
const retryMs = 100;

/** Number of problems after which a run ends. */
const maxProblems = 20;

/** Two nodes of one database that are restarted one after the other, while the clients of many worlds write. */
export class RollingRestart {
  readonly #extent: Extent;
  readonly #database: string;
  readonly #chance: () => number;
  readonly #nodes: SandboxProcess[] = [];
  readonly #worlds: Loaded[] = [];
  readonly #problems: string[] = [];
  #repeated = 0;
  #rejected = 0;
  #longestMs = 0;
  #residentBytesPerWorld = 0;
  #isOver = false;

  constructor(database: string, extent: Extent) {
    this.#database = database;
    this.#extent = extent;
    this.#chance = fractions(extent.seed);
  }

  async run(): Promise<RunResult> {
    try {
      for (let count = 0; count < 2; count += 1) this.#nodes.push(await this.#start());
      const before = this.#residentBytes();
      await this.#create();
      this.#residentBytesPerWorld = Math.round((this.#residentBytes() - before) / this.#extent.worlds);
      const [noisy, ...others] = this.#worlds;
      const working = Array.from({ length: this.#extent.clients }, () => this.#work(others));
      working.push(this.#exhaust(noisy!));
      for (let index = 0; index < this.#nodes.length; index += 1) await this.#restart(index);
      await this.#acknowledges(this.#extent.clients);
      this.#isOver = true;
      await Promise.all(working);
      await this.#check(others, noisy!);
    } finally {
      this.#isOver = true;
      await Promise.allSettled(this.#nodes.map((node) => node.end('SIGTERM')));
    }
    return {
      worlds: this.#extent.worlds,
      acknowledged: this.#acknowledged,
      repeated: this.#repeated,
      rejected: this.#rejected,
      longestMs: this.#longestMs,
      residentBytesPerWorld: this.#residentBytesPerWorld,
      problems: this.#problems,
    };
  }

  get #acknowledged(): number {
    return this.#worlds.reduce((sum, { quotes }) => sum + quotes.length, 0);
  }

  /** Returns the memory of both nodes. */
  #residentBytes(): number {
    const pids = this.#nodes.map(({ pid }) => pid).join();
    const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', pids], { encoding: 'utf8' });
    return stdout.split('\n').reduce((sum, line) => sum + Number(line) * 1024, 0);
  }

  #start(): Promise<SandboxProcess> {
    const { worlds } = this.#extent;
    const limits = [`--max-worlds=${worlds + 100}`, `--max-rows=${(worlds + 100) * 2000}`, '--world-idle=30s'];
    return SandboxProcess.start([`--data=${this.#database}`, `--control-token=${controlToken}`, '--log-level=warn', ...limits]);
  }

  async #create(): Promise<void> {
    const { worlds, partners } = this.#extent;
    let next = 0;
    const create = async () => {
      while (next < worlds) {
        const index = next++;
        const partner = index % partners;
        const made = await makeWorld(this.#url(), `partner-${partner}-world-${Math.floor(index / partners)}`);
        this.#worlds[index] = { ...made, partner, token: null, accountId: null, quotes: [] };
      }
    };
    await Promise.all(Array.from({ length: createdAtOnce }, create));
  }

  /** Stops a node as a deployment does, and starts it again, under load before, meanwhile and after. */
  async #restart(index: number): Promise<void> {
    await this.#acknowledges(this.#extent.clients);
    const [stopped] = this.#nodes.splice(index, 1);
    await stopped!.end('SIGTERM');
    await this.#acknowledges(this.#extent.clients);
    this.#nodes.splice(index, 0, await this.#start());
  }

  /** Waits until some more requests were acknowledged. */
  async #acknowledges(more: number): Promise<void> {
    for (const wanted = this.#acknowledged + more; this.#acknowledged < wanted;) await wait(20);
  }

  #url(): string {
    return this.#nodes[Math.floor(this.#chance() * this.#nodes.length)]!.url;
  }

  async #work(worlds: readonly Loaded[]): Promise<void> {
    while (!this.#isOver) {
      const world = worlds[Math.floor(this.#chance() * worlds.length)]!;
      const key = randomUUID();
      const authorization = `Bearer ${await (world.token ??= this.#token(world))}`;
      world.accountId ??= (await this.#send(world, 'GET', '/api/accounts?sortOrder=ASCENDING', { authorization })).data![0]!.id;
      const body = { accountId: world.accountId, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '10.00' };
      const { id } = await this.#send(world, 'POST', '/api/quotes', { authorization, 'x-idempotency-key': key }, body);
      world.quotes.push(id!);
    }
  }

  async #token(world: Loaded): Promise<string> {
    return (await this.#send(world, 'POST', '/api/oauth/client/token', {}, world.credentials)).accessToken!;
  }

  /** Sends a request to any node, again with the same key until a node accepts it. */
  async #send(world: Loaded, method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Accepted> {
    for (const beganMs = performance.now(); ;) {
      const answer = await call(this.#url(), method, path, { headers, ...(body === undefined ? {} : { body }) }).catch(() => null);
      if (answer && answer.status < 300) {
        this.#longestMs = Math.max(this.#longestMs, Math.round(performance.now() - beganMs));
        return answer.body as Accepted;
      }
      if (answer && answer.status !== 503) this.#problems.push(`${world.name}: ${method} ${path} got ${answer.status} ${answer.text}`);
      if (this.#problems.length > maxProblems) throw new Error(this.#problems.join('\n'));
      this.#repeated += 1;
      await wait(retryMs);
    }
  }

  /** Reads one world as fast as possible, so that its limit rejects requests: those of other worlds must not be rejected. */
  async #exhaust(world: Loaded): Promise<void> {
    const token = this.#token(world);
    const read = async () => {
      while (!this.#isOver) {
        const answer = await call(this.#url(), 'GET', '/api/operations?limit=100', {
          headers: { authorization: `Bearer ${await token}` },
        }).catch(() => null);
        if (answer?.status === 429) this.#rejected += 1;
        if (answer?.status !== 200) await wait(retryMs);
      }
    };
    await Promise.all(Array.from({ length: 16 }, read));
  }

  /** Compares the worlds with what their clients know. @param unused a world without new quotes, which shows those of the fixtures */
  async #check(worlds: readonly Loaded[], unused: Loaded): Promise<void> {
    const fixtures = (await this.#quotesIn(unused)).length;
    for (const world of worlds) {
      const { name, quotes } = world;
      if (quotes.length === 0) continue;
      const stored = await this.#quotesIn(world);
      const known = new Set(stored);
      const lost = quotes.filter((id) => !known.has(id));
      if (lost.length > 0) this.#problems.push(`${name}: ${lost.length} acknowledged quotes are lost.`);
      const count = stored.length - fixtures;
      if (count !== quotes.length) this.#problems.push(`${name}: ${count} quotes instead of ${quotes.length}.`);
    }
  }

  /** Returns the ids of all quotes of a world. */
  async #quotesIn({ name }: Loaded): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await control(this.#url(), 'GET', `/quotes?limit=100&cursor=${cursor}`, { world: name });
      ids.push(...(body.data as { id: string }[]).map(({ id }) => id));
      cursor = body.meta.nextCursor as string | null;
    }
    return ids;
  }
}

/** The fields of responses that the clients read. */
interface Accepted {
  readonly id?: string;
  readonly accessToken?: string;
  readonly data?: readonly { readonly id: string }[];
}
