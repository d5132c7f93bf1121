import { DomainError } from '../domain/errors.js';
import type { PostgresStorage } from '../storage/postgres/postgres-storage.js';
import { OwnedByOtherNode } from '../storage/storage.js';
import type { World } from '../world/world.js';
import type { Sandbox } from './sandbox.js';

/** Interval in milliseconds at which the node looks for worlds with due timers and no owner, and maximum of worlds to acquire each time. */
const waking = { everyMs: 1000, atOnce: 16 } as const;
/** Interval in milliseconds at which changed evidence is stored: what a failing node loses of it. */
const evidenceMs = 5000;
/** Number of checks for idle worlds during the idle time, and the maximum interval between checks in milliseconds. */
const sweeps = { perIdle: 10, everyMs: 60_000 } as const;

export interface HostedOptions {
  readonly sandbox: Sandbox;
  readonly storage: PostgresStorage;
  /** Time without a request after which a world is released, in milliseconds. */
  readonly idleMs: number;
  /** Called on internal errors. */
  readonly onInternalError: (error: unknown, what: string) => void;
}

/** Use of a world by requests on this node. */
interface Use {
  /** Number of open requests. */
  calls: number;
  /** End of the last request, from `performance.now()`. */
  lastMs: number;
}

/** The worlds that this node owns. The node acquires a world that is requested or has a due timer, and releases idle worlds. */
export class HostedWorlds {
  readonly #options: HostedOptions;
  readonly #coming = new Map<string, Promise<World | null>>();
  readonly #going = new Map<string, Promise<void>>();
  readonly #uses = new WeakMap<World, Use>();
  readonly #timers: NodeJS.Timeout[];
  #isWaking = false;
  #isStoring = false;
  readonly counts = { taken: 0, lost: 0, released: 0 };

  constructor(options: HostedOptions) {
    this.#options = options;
    const { storage, idleMs } = options;
    storage.tell({ lost: (name) => this.#lost(name), lostAll: () => this.#lostAll() });
    const wake = () =>
      void this.#wake().catch((error: unknown) => storage.isReadOnly || options.onInternalError(error, 'wake-up of worlds'));
    this.#timers = [setInterval(wake, waking.everyMs), setInterval(() => this.#sweep(), Math.min(idleMs / sweeps.perIdle, sweeps.everyMs))];
    this.#timers.push(setInterval(() => void this.#storeEvidence(), evidenceMs));
    for (const timer of this.#timers) timer.unref();
  }

  /** Number of owned worlds. */
  get owned(): number {
    return this.#options.sandbox.worlds.size;
  }

  /** True while the lease of this node is valid. Without a valid lease, other nodes may own these worlds. */
  get isOwner(): boolean {
    return this.#options.storage.isOwner;
  }

  /** True if the last database query failed. It is then unknown which node owns which worlds. */
  get isDatabaseAway(): boolean {
    return this.#options.storage.isReadOnly;
  }

  /**
   * Returns a world, and acquires it if no node owns it; null if there is no such world. @throws OwnedByOtherNode, DomainError
   * SERVICE_UNAVAILABLE
   */
  async take(name: string): Promise<World | null> {
    const { sandbox, storage } = this.#options;
    const held = sandbox.worlds.get(name);
    // While the database is down, an owned world still serves reads.
    if (held && this.isOwner && (!held.isReadOnly || storage.isReadOnly)) return held;
    if (held) this.#drop(held);
    await this.#going.get(name);
    let coming = this.#coming.get(name);
    if (!coming) {
      coming = this.#acquire(name).finally(() => this.#coming.delete(name));
      this.#coming.set(name, coming);
    }
    return coming;
  }

  /** Prevents a world from becoming idle until the returned function is called. */
  use(world: World): () => void {
    const use = this.#useOf(world);
    use.calls += 1;
    return () => {
      use.calls -= 1;
      use.lastMs = performance.now();
    };
  }

  /** Stops the automatic acquisition and release of worlds. */
  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #acquire(name: string): Promise<World | null> {
    const world = await this.#options.sandbox.acquire(name);
    if (world) this.counts.taken += 1;
    return world;
  }

  #useOf(world: World): Use {
    let use = this.#uses.get(world);
    if (!use) this.#uses.set(world, (use = { calls: 0, lastMs: performance.now() }));
    return use;
  }

  #drop(world: World): void {
    this.counts.lost += 1;
    this.#options.sandbox.release(world);
  }

  #lost(name: string): void {
    const world = this.#options.sandbox.worlds.get(name);
    if (world?.isReadOnly) this.#drop(world);
  }

  #lostAll(): void {
    for (const world of this.#options.sandbox.worlds.values()) this.#drop(world);
  }

  /** Acquires some worlds with due timers and no owner. */
  async #wake(): Promise<void> {
    const { storage } = this.#options;
    if (this.#isWaking || storage.isReadOnly) return;
    this.#isWaking = true;
    try {
      for (const name of await storage.due(waking.atOnce)) {
        await this.take(name).catch((error: unknown) => {
          const isTaken = error instanceof OwnedByOtherNode || error instanceof DomainError;
          if (!isTaken) this.#options.onInternalError(error, `wake-up of world ${name}`);
        });
      }
    } finally {
      this.#isWaking = false;
    }
  }

  async #storeEvidence(): Promise<void> {
    const { sandbox, storage } = this.#options;
    if (this.#isStoring || storage.isReadOnly) return;
    this.#isStoring = true;
    await sandbox.storeEvidence().finally(() => (this.#isStoring = false));
  }

  #sweep(): void {
    if (this.#options.storage.isReadOnly) return;
    for (const [name, world] of this.#options.sandbox.worlds) {
      if (!this.#isIdle(world)) continue;
      const going = this.#release(world).finally(() => this.#going.delete(name));
      this.#going.set(name, going);
    }
  }

  /** Whether a world had no recent request and has no timer that is due soon. False for a world with a `ttl`, which is deleted instead. */
  #isIdle(world: World): boolean {
    const { calls, lastMs } = this.#useOf(world);
    if (calls > 0 || performance.now() - lastMs < this.#options.idleMs) return false;
    if (world.isPinned || world.identity.ttlMs !== undefined) return false;
    const dueMs = world.nextDueMs;
    return dueMs === null || dueMs > Date.now() + this.#options.idleMs;
  }

  async #release(world: World): Promise<void> {
    this.counts.released += 1;
    const { sandbox } = this.#options;
    const stored = sandbox.storeEvidence([world], true);
    const left = world.leave(stored);
    sandbox.release(world);
    // A failure is only reported: the next owner loads the stored state.
    await left.catch((error: unknown) => this.#options.onInternalError(error, `release of world ${world.identity.name}`));
  }
}
