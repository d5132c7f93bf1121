import { DomainError } from '../domain/errors.js';
import { rowCount, type Change, type State } from '../world/state.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import { weightOf } from '../world/weight.js';
import type { World } from '../world/world.js';
import type { WorldLimits } from './options.js';

/** How many bytes one request may store, about. So much is encoded and written without a noticeable wait of others. */
export const maxAppendBytes = 4 * 1024 * 1024;

/** How many rows there are, and about how many bytes they take as JSON. */
interface Size {
  readonly rows: number;
  readonly bytes: number;
}

const mib = 1024 * 1024;

/** Bounds the rows of all worlds together, and of each world, in number and in bytes. */
export class RowLimit {
  readonly #maximum: Size;
  readonly #ofWorld: Omit<WorldLimits, 'waits'> | undefined;
  readonly #sizes = new Map<World, Size>();
  #rows = 0;
  #bytes = 0;

  /** @param ofWorld how much one world may have; default: as much as all */
  constructor(maximum: Size, ofWorld?: Omit<WorldLimits, 'waits'>) {
    this.#maximum = maximum;
    this.#ofWorld = ofWorld;
  }

  /** Measures a world again, after each of its commits. */
  count(world: World): void {
    this.#note(world, { rows: world.rowCount, bytes: world.weight });
  }

  /** Counts a world no longer. */
  forget(world: World): void {
    this.#note(world, { rows: 0, bytes: 0 });
    this.#sizes.delete(world);
  }

  /** Admits the rows that a change of a world adds, which are only counted where the most that they can be is too many. @throws DomainError RATE_LIMIT_EXCEEDED */
  admitChange(world: World, uow: UnitOfWork): void {
    const { rows, subscriptions } = this.#ofWorld ?? { rows: Infinity, subscriptions: Infinity };
    if (world.rowCount + uow.puts > rows && uow.growth > 0) this.#admitRows(world.rowCount + uow.growth);
    const subscribed = uow.sizeOf('subscriptions');
    if (subscribed > subscriptions && subscribed > world.state.subscriptions.size) throw this.#tooManySubscriptions();
    if (this.#rows + uow.puts > this.#maximum.rows) this.#admitAllRows(uow.growth);
  }

  /**
   * Admits the bytes of a change that a world has already taken.
   * @param growth by how many bytes the world has grown with it
   * @throws DomainError RATE_LIMIT_EXCEEDED
   */
  admitBytes(world: World, changes: readonly Change[], growth: number): void {
    let appended = 0;
    for (const { row } of changes) if (row !== null) appended += weightOf(row);
    if (appended > maxAppendBytes)
      throw new DomainError(
        'RATE_LIMIT_EXCEEDED',
        `This request would store ${appended} bytes; one request stores at most ${maxAppendBytes}. Make it smaller, or delete subscriptions that its events go to.`,
        { maximumBytes: maxAppendBytes, bytes: appended },
      );
    if (growth <= 0) return;
    this.#admitWorldBytes(world.weight);
    this.#admitAllBytes(world.weight - (this.#sizes.get(world)?.bytes ?? 0));
  }

  /** Admits the state that replaces that of a world. @param bytes those of its rows and of the snapshots of the world @throws DomainError RATE_LIMIT_EXCEEDED */
  admitWorld(state: State, bytes: number): void {
    this.#admitRows(rowCount(state));
    this.#admitWorldBytes(bytes);
    if (this.#ofWorld && state.subscriptions.size > this.#ofWorld.subscriptions) throw this.#tooManySubscriptions();
  }

  /** @throws DomainError RATE_LIMIT_EXCEEDED if there is no room for so many rows and bytes more */
  admit(rows: number, bytes: number): void {
    this.#admitAllRows(rows);
    this.#admitAllBytes(bytes);
  }

  #note(world: World, size: Size): void {
    const before = this.#sizes.get(world);
    this.#rows += size.rows - (before?.rows ?? 0);
    this.#bytes += size.bytes - (before?.bytes ?? 0);
    this.#sizes.set(world, size);
  }

  #admitRows(rows: number): void {
    if (!this.#ofWorld || rows <= this.#ofWorld.rows) return;
    const message = `A world has at most ${this.#ofWorld.rows} rows. POST /_sandbox/reset takes it back to what it was created as.`;
    throw new DomainError('RATE_LIMIT_EXCEEDED', message, { setting: 'SANDBOX_WORLD_ROWS', maximum: this.#ofWorld.rows });
  }

  #admitWorldBytes(bytes: number): void {
    if (!this.#ofWorld || bytes <= this.#ofWorld.bytes) return;
    const { bytes: maximum } = this.#ofWorld;
    const message = `The rows of a world take at most ${maximum / mib} MiB, snapshots included. Delete snapshots, or POST /_sandbox/reset takes it back to what it was created as.`;
    throw new DomainError('RATE_LIMIT_EXCEEDED', message, { setting: 'SANDBOX_WORLD_MIB', maximumBytes: maximum });
  }

  #tooManySubscriptions(): DomainError {
    const maximum = this.#ofWorld!.subscriptions;
    const message = `A world has at most ${maximum} subscriptions. DELETE /_sandbox/subscriptions/{subscriptionId} ends one.`;
    return new DomainError('RATE_LIMIT_EXCEEDED', message, { setting: 'SANDBOX_WORLD_SUBSCRIPTIONS', maximum });
  }

  #admitAllRows(added: number): void {
    const { rows: maximum } = this.#maximum;
    if (added > 0 && this.#rows + added > maximum)
      throw this.#full('SANDBOX_MAX_ROWS', 'rows', maximum, (size) => size.rows, { maximum, rows: this.#rows });
  }

  #admitAllBytes(added: number): void {
    const { bytes: maximum } = this.#maximum;
    if (added > 0 && this.#bytes + added > maximum)
      throw this.#full('SANDBOX_MAX_MIB', 'bytes', maximum, (size) => size.bytes, { maximumBytes: maximum, bytes: this.#bytes });
  }

  /** The refusal when all worlds together have too much of something. */
  #full(setting: string, unit: keyof Size, maximum: number, of: (size: Size) => number, facts: Record<string, number>): DomainError {
    if (this.#ofWorld) return new DomainError('RATE_LIMIT_EXCEEDED', 'This node has no room for more rows. Its operator can give it more.');
    let [largest, most] = ['', 0];
    for (const [{ identity }, size] of this.#sizes) if (of(size) > most) [largest, most] = [identity.name, of(size)];
    const total = unit === 'rows' ? this.#rows : this.#bytes;
    return new DomainError(
      'RATE_LIMIT_EXCEEDED',
      `All worlds together have ${total} ${unit}, and ${setting} allows ${maximum}. The world "${largest}" has most, ${most}: reset or delete it, or allow more.`,
      { setting, ...facts, largest: { world: largest, [unit]: most }, way: `POST /_sandbox/reset?world=${largest}` },
    );
  }
}
