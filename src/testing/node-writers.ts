import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { MadeWorld } from './nodes.js';
import { call } from './process.js';

const thinkMs = 200;
/** After how long without an answer it is looked whether the node lives, and how long that may take, in milliseconds. */
const patienceMs = 2000;
const probeMs = 500;
/** For how long a node that does not live is left alone, in milliseconds, as load balancers do. */
const avoidedMs = 10_000;

/** A transfer under its key, and the operation that it made once somebody has said so. */
interface Asked {
  readonly key: string;
  operationId: string | null;
}

/** A world under load, and what its client knows of it. */
export interface Loaded {
  readonly world: MadeWorld;
  readonly accountIds: readonly string[];
  readonly startBalance: number;
  readonly token: string;
  readonly asked: Asked[];
  /** The operations that it had from the start. */
  readonly fixtures: ReadonlySet<string>;
  /** The operations that it was found to have. */
  readonly seen: Set<string>;
  /** When it answered last with success, by a clock that stands while the database is away. */
  lastMs: number;
}

/** What writers need of whoever has the nodes fail. */
export interface WritersHost {
  /** Where the nodes are reached. */
  urls(): readonly string[];
  /** A number from 0 to 1. */
  chance(): number;
  /** Milliseconds by a clock that stands while the database is away. */
  clock(): number;
  /** Told that a world has answered with success after it had not for a while. */
  answered(awayMs: number): void;
  /** Told that a call has to be made again. */
  refused(): void;
  /** Told of an answer that should not be. */
  problem(what: string): void;
}

/** Clients that make transfers at any node, and ask again until each is made. */
export class Writers {
  readonly #host: WritersHost;
  readonly #over = new AbortController();
  readonly #running: Promise<void>[] = [];
  /** Nodes that did not answer, and until when they are not asked. */
  readonly #avoided = new Map<string, number>();

  constructor(host: WritersHost) {
    this.#host = host;
  }

  /** Has one more client write to a world. */
  begin(loaded: Loaded): void {
    this.#running.push(this.#write(loaded));
  }

  /** Lets each finish what it is at. */
  async end(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#running);
  }

  /** Any of the nodes, as a load balancer takes one: none that did not answer of late. */
  url(): string {
    const urls = this.#host.urls();
    const good = urls.filter((url) => (this.#avoided.get(url) ?? 0) < performance.now());
    const choice = good.length > 0 ? good : urls;
    return choice[Math.floor(this.#host.chance() * choice.length)]!;
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
      if (read && read.status !== 200 && read.status !== 503) this.#host.problem(`${loaded.world.name}: read ${read.status} ${read.text}`);
      await wait(thinkMs * (0.5 + this.#host.chance()));
    }
  }

  async #ask(loaded: Loaded, asked: Asked): Promise<void> {
    const [sourceAccountId, targetAccountId] = loaded.accountIds;
    const body = { sourceAccountId, targetAccountId, amount: { value: '1.00', asset: 'BRL' } };
    const answer = await this.#call('POST', '/api/operations/transfer', loaded, { body, key: asked.key });
    if (!answer || answer.status === 503) return this.#host.refused();
    if (answer.status !== 201) {
      this.#host.problem(`${loaded.world.name}: ${answer.status} ${answer.text}`);
      await wait(1000);
      return;
    }
    asked.operationId = answer.body.id as string;
    const nowMs = this.#host.clock();
    this.#host.answered(nowMs - loaded.lastMs);
    loaded.lastMs = nowMs;
  }

  /** Calls any node; null when it does not answer, and does not live any more. */
  async #call(method: string, path: string, { token }: Loaded, { body, key }: { body?: unknown; key?: string }) {
    const headers = { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'x-idempotency-key': key }) };
    const url = this.url();
    const answered = call(url, method, path, { headers, ...(body === undefined ? {} : { body }) }).catch(() => null);
    for (;;) {
      const answer = await within(patienceMs, answered);
      if (answer !== undefined) return answer;
      const live = await within(
        probeMs,
        call(url, 'GET', '/_sandbox/health/live').catch(() => null),
      );
      if (live) continue;
      this.#avoided.set(url, performance.now() + avoidedMs);
      return null;
    }
  }
}

/** What something comes to, if that is soon enough; else undefined. */
async function within<T>(ms: number, coming: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  const late = wait(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([coming, late]);
  } finally {
    over.abort();
  }
}
