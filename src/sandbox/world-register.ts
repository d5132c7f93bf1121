import { DomainError, notFound } from '../domain/errors.js';
import type { World } from '../world/world.js';
import { WorldExpiry } from './expiry.js';
import type { WorldLimits } from './options.js';
import { RowLimit } from './row-limit.js';

/** How much a sandbox may hold. */
interface Limits {
  readonly maxWorlds: number;
  /** The rows of all worlds together. */
  readonly maxRows: number;
  /** How many bytes the rows of all worlds may take together; no bound if absent. */
  readonly maxBytes?: number;
  readonly worldLimits?: WorldLimits;
}

/** The worlds that there are, by name and by client; their rows are counted and their time to live runs while they are in it. */
export class WorldRegister {
  readonly rows: RowLimit;
  readonly expiry: WorldExpiry;
  readonly #maxWorlds: number;
  readonly #worlds = new Map<string, World>();
  readonly #clients = new Map<string, World>();
  /** The names of worlds that are being made. */
  readonly #coming = new Set<string>();

  /** @param end deletes a world whose time to live is over */
  constructor({ maxWorlds, maxRows, maxBytes, worldLimits }: Limits, end: (world: World) => void) {
    this.#maxWorlds = maxWorlds;
    this.rows = new RowLimit({ rows: maxRows, bytes: maxBytes ?? Infinity }, worldLimits);
    this.expiry = new WorldExpiry(end);
  }

  /** All worlds by name, oldest first. */
  get worlds(): ReadonlyMap<string, World> {
    return this.#worlds;
  }

  /** @throws DomainError RESOURCE_NOT_FOUND */
  world(name: string): World {
    const world = this.#worlds.get(name);
    if (!world) throw notFound('world', { name }, this.#worlds.keys());
    return world;
  }

  ofClient(clientId: string): World | undefined {
    return this.#clients.get(clientId);
  }

  has(world: World): boolean {
    return this.#worlds.get(world.identity.name) === world;
  }

  /** Whether a world of this name is being made. */
  isComing(name: string): boolean {
    return this.#coming.has(name);
  }

  /** @throws DomainError RESOURCE_NOT_FOUND when a world is gone */
  check(world: World): void {
    if (!this.has(world)) throw notFound('world', { name: world.identity.name });
  }

  /**
   * Keeps a name, and room for one world more, while that is made.
   * @throws DomainError RESOURCE_ALREADY_EXISTS, RATE_LIMIT_EXCEEDED when there are too many
   */
  async reserve<T>(name: string, make: () => Promise<T>): Promise<T> {
    if (this.#worlds.has(name) || this.#coming.has(name))
      throw new DomainError(
        'RESOURCE_ALREADY_EXISTS',
        `There is a world named ${name} already. PUT /_sandbox/worlds/${name} makes it anew.`,
        { resource: 'World', name },
      );
    if (this.#worlds.size + this.#coming.size >= this.#maxWorlds) {
      const maximum = this.#maxWorlds;
      throw new DomainError('RATE_LIMIT_EXCEEDED', `There are ${maximum} worlds already. Delete some.`, { maximum });
    }
    this.#coming.add(name);
    try {
      return await make();
    } finally {
      this.#coming.delete(name);
    }
  }

  add(world: World): void {
    const { name, clientId } = world.identity;
    this.#worlds.set(name, world);
    this.#clients.set(clientId, world);
    this.rows.count(world);
    this.expiry.begin(world);
  }

  remove(world: World): void {
    const { name, clientId } = world.identity;
    this.expiry.forget(world);
    this.#worlds.delete(name);
    this.#clients.delete(clientId);
    this.rows.forget(world);
  }
}
