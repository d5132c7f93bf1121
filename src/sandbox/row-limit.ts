import { DomainError } from '../domain/errors.js';
import { rowCount, type State } from '../world/state.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { World } from '../world/world.js';
import type { WorldLimits } from './options.js';

/** Maximum number of bytes that one request may store (approximate), so that no request delays others noticeably. */
export const maxAppendBytes = 4 * 1024 * 1024;

/** Number of rows, and their approximate bytes as JSON. */
interface Size {
  readonly rows: number;
  readonly bytes: number;
}

const mib = 1024 * 1024;

/** Limits the rows and bytes of all worlds together and of each single world. */
export class RowLimit {
  readonly #maximum: Size;
  readonly #ofWorld: Omit<WorldLimits, 'waits'> | undefined;
  readonly #sizes = new Map<World, Size>();
  #rows = 0;
  #bytes = 0;

  /** @param ofWorld limits of each world. Default: only `maximum` for all worlds together */
  constructor(maximum: Size, ofWorld?: Omit<WorldLimits, 'waits'>) {
    this.#maximum = maximum;
    this.#ofWorld = ofWorld;
  }

  /** Measures the rows and bytes of a world. Call it after each commit. */
  count(world: World): void {
    this.#note(world, { rows: world.rowCount, bytes: world.weight });
  }

  /** Stops counting a world. */
  forget(world: World): void {
    this.#note(world, { rows: 0, bytes: 0 });
    this.#sizes.delete(world);
  }

  /** Checks how many rows a change adds, exactly only if the upper bound exceeds a limit. @throws DomainError RATE_LIMIT_EXCEEDED */
  admitChange(world: World, uow: UnitOfWork): void {
    const { rows, subscriptions } = this.#ofWorld ?? { rows: Infinity, subscriptions: Infinity };
    if (world.rowCount + uow.puts > rows && uow.growth > 0) this.#admitRows(world.rowCount + uow.growth);
    const subscribed = uow.sizeOf('subscriptions');
    if (subscribed > subscriptions && subscribed > world.state.subscriptions.size) throw this.#tooManySubscriptions();
    if (this.#rows + uow.puts > this.#maximum.rows) this.#admitAllRows(uow.growth);
  }

  /**
   * Checks the bytes of a change that is already applied to the world in memory.
   * @param appended number of bytes of the changed rows
   * @param growth number of bytes by which the world has grown
   * @throws DomainError RATE_LIMIT_EXCEEDED
   */
  admitBytes(world: World, appended: number, growth: number): void {
    if (appended > maxAppendBytes)
      throw new DomainError(
        'RATE_LIMIT_EXCEEDED',
        `This request would store ${appended} bytes; the maximum of one request is ${maxAppendBytes}. Send less, or delete subscriptions that receive its events.`,
        { maximumBytes: maxAppendBytes, bytes: appended },
      );
    if (growth <= 0) return;
    this.#admitWorldBytes(world.weight);
    this.#admitAllBytes(world.weight - (this.#sizes.get(world)?.bytes ?? 0));
  }

  /**
   * Checks a state that will replace that of a world. @param bytes of its rows and of the snapshots @throws DomainError RATE_LIMIT_EXCEEDED
   */
  admitWorld(state: State, bytes: number): void {
    this.#admitRows(rowCount(state));
    this.#admitWorldBytes(bytes);
    if (this.#ofWorld && state.subscriptions.size > this.#ofWorld.subscriptions) throw this.#tooManySubscriptions();
  }

  /** @throws DomainError RATE_LIMIT_EXCEEDED if additional rows or bytes exceed a limit */
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
    const message = `A world can have at most ${this.#ofWorld.rows} rows. Reset the world with POST /_sandbox/reset.`;
    throw new DomainError('RATE_LIMIT_EXCEEDED', message, { setting: 'SANDBOX_WORLD_ROWS', maximum: this.#ofWorld.rows });
  }

  #admitWorldBytes(bytes: number): void {
    if (!this.#ofWorld || bytes <= this.#ofWorld.bytes) return;
    const { bytes: maximum } = this.#ofWorld;
    const message = `The rows of a world, snapshots included, can take at most ${maximum / mib} MiB. Delete snapshots, or reset the world with POST /_sandbox/reset.`;
    throw new DomainError('RATE_LIMIT_EXCEEDED', message, { setting: 'SANDBOX_WORLD_MIB', maximumBytes: maximum });
  }

  #tooManySubscriptions(): DomainError {
    const maximum = this.#ofWorld!.subscriptions;
    const message = `A world can have at most ${maximum} subscriptions. Delete one with DELETE /_sandbox/subscriptions/{subscriptionId}.`;
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

  /** Returns the error for an exceeded limit of all worlds together. Names the largest world, unless each world has its own limits. */
  #full(setting: string, unit: keyof Size, maximum: number, of: (size: Size) => number, facts: Record<string, number>): DomainError {
    if (this.#ofWorld)
      return new DomainError('RATE_LIMIT_EXCEEDED', 'This node has no room for more rows. Its operator can raise the limit.');
    let [largest, most] = ['', 0];
    for (const [{ identity }, size] of this.#sizes) if (of(size) > most) [largest, most] = [identity.name, of(size)];
    const total = unit === 'rows' ? this.#rows : this.#bytes;
    return new DomainError(
      'RATE_LIMIT_EXCEEDED',
      `The worlds have ${total} ${unit}; ${setting} allows ${maximum}. The largest world is "${largest}" (${most} ${unit}). Reset or delete this world, or raise the limit.`,
      { setting, ...facts, largest: { world: largest, [unit]: most }, way: `POST /_sandbox/reset?world=${largest}` },
    );
  }
}
