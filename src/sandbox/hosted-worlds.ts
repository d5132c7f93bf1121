import { DomainError } from '../domain/errors.js';
import type { PostgresStorage } from '../storage/postgres/postgres-storage.js';
import { OwnedElsewhere } from '../storage/storage.js';
import type { World } from '../world/world.js';
import type { Sandbox } from './sandbox.js';

/** How often worlds are looked for in which something is due and that nobody owns, in milliseconds, and how many are taken at once. */
const waking = { everyMs: 1000, atOnce: 16 } as const;
/** How often idle worlds are looked for: so many times in the span after which a world is idle, and at least once in so many milliseconds. */
const sweeps = { perIdle: 10, everyMs: 60_000 } as const;

export interface HostedOptions {
  readonly sandbox: Sandbox;
  readonly storage: PostgresStorage;
  /** After how long without a call a world is let go, in milliseconds. */
  readonly idleMs: number;
  /** Told of faults of the program itself. */
  readonly onFault: (error: unknown, what: string) => void;
}

/** What is known of the use of a world that is held. */
interface Use {
  /** How many calls are under way. */
  calls: number;
  /** When the last one ended, by {@link performance.now}. */
  lastMs: number;
}

/** The worlds that this node holds of those that all nodes share: taken when they are called or due, and let go when they are idle. */
export class HostedWorlds {
  readonly #options: HostedOptions;
  readonly #coming = new Map<string, Promise<World | null>>();
  readonly #going = new Map<string, Promise<void>>();
  readonly #uses = new WeakMap<World, Use>();
  readonly #timers: NodeJS.Timeout[];
  #isWaking = false;
  readonly counts = { taken: 0, lost: 0, released: 0 };

  constructor(options: HostedOptions) {
    this.#options = options;
    const { storage, idleMs } = options;
    storage.tell({ lost: (name) => this.#lost(name), lostAll: () => this.#lostAll() });
    const wake = () => void this.#wake().catch((error: unknown) => storage.isReadOnly || options.onFault(error, 'waking of worlds'));
    this.#timers = [setInterval(wake, waking.everyMs), setInterval(() => this.#sweep(), Math.min(idleMs / sweeps.perIdle, sweeps.everyMs))];
    for (const timer of this.#timers) timer.unref();
  }

  /** How many worlds are held. */
  get owned(): number {
    return this.#options.sandbox.worlds.size;
  }

  /** Whether what is held may be told: else another node may have it by now. */
  get isOwner(): boolean {
    return this.#options.storage.isOwner;
  }

  /** Whether the database did not answer when it was asked last: who owns what cannot be known then. */
  get isDatabaseAway(): boolean {
    return this.#options.storage.isReadOnly;
  }

  /** The world of a name, which is taken if nobody owns it; null when there is none. @throws OwnedElsewhere, DomainError SERVICE_UNAVAILABLE */
  async take(name: string): Promise<World | null> {
    const { sandbox, storage } = this.#options;
    const held = sandbox.worlds.get(name);
    // Of one that stores nothing while the database is away, the reads go on.
    if (held && this.isOwner && (!held.isReadOnly || storage.isReadOnly)) return held;
    if (held) this.#drop(held);
    await this.#going.get(name);
    let coming = this.#coming.get(name);
    if (!coming) {
      coming = this.#takeUp(name).finally(() => this.#coming.delete(name));
      this.#coming.set(name, coming);
    }
    return coming;
  }

  /** Holds a world, which is not idle until the returned function is called. */
  use(world: World): () => void {
    const use = this.#useOf(world);
    use.calls += 1;
    return () => {
      use.calls -= 1;
      use.lastMs = performance.now();
    };
  }

  /** Takes no world any more, nor lets one go by itself. */
  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #takeUp(name: string): Promise<World | null> {
    const world = await this.#options.sandbox.takeUp(name);
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
    this.#options.sandbox.letGo(world);
  }

  #lost(name: string): void {
    const world = this.#options.sandbox.worlds.get(name);
    if (world?.isReadOnly) this.#drop(world);
  }

  #lostAll(): void {
    for (const world of this.#options.sandbox.worlds.values()) this.#drop(world);
  }

  /** Takes some of the worlds in which something is due and that nobody owns. */
  async #wake(): Promise<void> {
    const { storage } = this.#options;
    if (this.#isWaking || storage.isReadOnly) return;
    this.#isWaking = true;
    try {
      for (const name of await storage.due(waking.atOnce)) {
        await this.take(name).catch((error: unknown) => {
          const isTaken = error instanceof OwnedElsewhere || error instanceof DomainError;
          if (!isTaken) this.#options.onFault(error, `waking of world ${name}`);
        });
      }
    } finally {
      this.#isWaking = false;
    }
  }

  #sweep(): void {
    if (this.#options.storage.isReadOnly) return;
    for (const [name, world] of this.#options.sandbox.worlds) {
      if (!this.#isIdle(world)) continue;
      const going = this.#release(world).finally(() => this.#going.delete(name));
      this.#going.set(name, going);
    }
  }

  /** Whether nobody has called a world for a while and nothing is about to happen in it. A world that ends by itself is kept until then. */
  #isIdle(world: World): boolean {
    const { calls, lastMs } = this.#useOf(world);
    if (calls > 0 || performance.now() - lastMs < this.#options.idleMs) return false;
    if (world.isPinned || world.identity.ttlMs !== undefined) return false;
    const dueMs = world.nextDueMs;
    return dueMs === null || dueMs > Date.now() + this.#options.idleMs;
  }

  async #release(world: World): Promise<void> {
    this.counts.released += 1;
    const left = world.leave();
    this.#options.sandbox.letGo(world);
    // Whoever takes it next finds what was kept.
    await left.catch((error: unknown) => this.#options.onFault(error, `release of world ${world.identity.name}`));
  }
}
