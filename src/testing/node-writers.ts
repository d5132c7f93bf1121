import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { MadeWorld } from './nodes.js';
import { call } from './process.js';

const thinkMs = 200;
/** Time without a response after which a node's health is checked, in milliseconds. */
const patienceMs = 2000;
/** Timeout of the health check, in milliseconds. */
const probeMs = 500;
/** Time for which an unhealthy node is avoided, as by a load balancer, in milliseconds. */
const avoidedMs = 10_000;

/** A transfer with its idempotency key, and the id of its operation; null before a response. */
interface Asked {
  readonly key: string;
  operationId: string | null;
}

/** A world under load, and the knowledge of its client. */
export interface Loaded {
  readonly world: MadeWorld;
  readonly accountIds: readonly string[];
  readonly startBalance: number;
  readonly token: string;
  readonly asked: Asked[];
  /** Ids of the operations in its fixtures. */
  readonly fixtures: ReadonlySet<string>;
  /** Ids of the operations that were found in the world. */
  readonly seen: Set<string>;
  /** Time of the last successful response, on a clock that stops while the database is unavailable. */
  lastMs: number;
}

/** The environment of the writers. */
export interface WritersHost {
  /** Returns the URLs of the nodes. */
  urls(): readonly string[];
  /** Returns a number from 0 to 1. */
  chance(): number;
  /** Milliseconds on a clock that stops while the database is unavailable. */
  clock(): number;
  /** Called when a world responds successfully after a pause. */
  answered(awayMs: number): void;
  /** Called when a request must be retried. */
  refused(): void;
  /** Called with an unexpected response. */
  problem(what: string): void;
}

/** Clients that request transfers at any node and retry until each succeeds. */
export class Writers {
  readonly #host: WritersHost;
  readonly #over = new AbortController();
  readonly #running: Promise<void>[] = [];
  /** Nodes without a response, and the end of the time in which they are avoided. */
  readonly #avoided = new Map<string, number>();

  constructor(host: WritersHost) {
    this.#host = host;
  }

  /** Starts another client for a world. */
  begin(loaded: Loaded): void {
    this.#running.push(this.#write(loaded));
  }

  /** Waits until each client has finished its current transfer. */
  async end(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#running);
  }

  /** Returns the URL of a node like a load balancer: not of a node that recently failed to respond. */
  url(): string {
    const urls = this.#host.urls();
    const good = urls.filter((url) => (this.#avoided.get(url) ?? 0) < performance.now());
    const choice = good.length > 0 ? good : urls;
    return choice[Math.floor(this.#host.chance() * choice.length)]!;
  }

  /** Requests transfers at any node and retries each with its idempotency key until it succeeds. Acknowledged operations must exist. */
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

  /** Calls any node; null if it does not respond and is not alive. */
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

/** Returns the result of a promise; undefined after the timeout. */
async function within<T>(ms: number, coming: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  const late = wait(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([coming, late]);
  } finally {
    over.abort();
  }
}
