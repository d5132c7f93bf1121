import { DomainError, notFound, worldExists } from '../domain/errors.js';
import type { World } from '../world/world.js';
import { WorldExpiry } from './expiry.js';
import type { WorldLimits } from './options.js';
import { RowLimit } from './row-limit.js';

/** The limits of a sandbox. */
interface Limits {
  readonly maxWorlds: number;
  /** Maximum number of rows of all worlds together. */
  readonly maxRows: number;
  /** Maximum number of bytes of the rows of all worlds. Default: no limit. */
  readonly maxBytes?: number;
  readonly worldLimits?: WorldLimits;
}

/** All loaded worlds by name and client id. Counts their rows and deletes worlds whose time to live has ended. */
export class WorldRegister {
  readonly rows: RowLimit;
  readonly expiry: WorldExpiry;
  readonly #maxWorlds: number;
  readonly #worlds = new Map<string, World>();
  readonly #clients = new Map<string, World>();
  /** The worlds that are being created, by name. */
  readonly #coming = new Map<string, Promise<unknown>>();

  /** @param end deletes a world whose time to live has ended */
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

  /** Whether a world with this name is being created. */
  isComing(name: string): boolean {
    return this.#coming.has(name);
  }

  /** Returns the world with this name, after its creation if that is in progress; undefined if it does not exist on this node. */
  async arrival(name: string): Promise<World | undefined> {
    await this.#coming.get(name)?.catch(() => undefined);
    return this.#worlds.get(name);
  }

  /** @throws DomainError RESOURCE_NOT_FOUND if the world is deleted */
  check(world: World): void {
    if (!this.has(world)) throw notFound('world', { name: world.identity.name });
  }

  /**
   * Reserves a name, which counts as one world, while `make` runs.
   * @throws DomainError RESOURCE_ALREADY_EXISTS, RATE_LIMIT_EXCEEDED at the maximum
   */
  async reserve<T>(name: string, make: () => Promise<T>): Promise<T> {
    if (this.#worlds.has(name) || this.#coming.has(name)) throw worldExists(name);
    if (this.#worlds.size + this.#coming.size >= this.#maxWorlds) {
      const maximum = this.#maxWorlds;
      throw new DomainError('RATE_LIMIT_EXCEEDED', `The maximum of ${maximum} worlds is reached. Delete a world.`, { maximum });
    }
    const made = make();
    this.#coming.set(name, made);
    try {
      return await made;
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
