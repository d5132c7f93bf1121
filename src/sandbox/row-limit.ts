import { DomainError } from '../domain/errors.js';
import { rowCount, type State } from '../world/state.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { World } from '../world/world.js';
import type { WorldLimits } from './options.js';

/** How many rows all worlds have together, and how many they may. */
export class RowLimit {
  readonly #maximum: number;
  readonly #ofWorld: Pick<WorldLimits, 'rows' | 'subscriptions'> | undefined;
  readonly #counts = new Map<World, number>();
  #total = 0;

  /** @param ofWorld how many one world may have, and of them subscriptions; as many as all unless told otherwise */
  constructor(maximum: number, ofWorld?: Pick<WorldLimits, 'rows' | 'subscriptions'>) {
    this.#maximum = maximum;
    this.#ofWorld = ofWorld;
  }

  /** Counts the rows of a world anew, after each of its commits. */
  count(world: World): void {
    const rows = world.rowCount;
    this.#total += rows - (this.#counts.get(world) ?? 0);
    this.#counts.set(world, rows);
  }

  /** Counts a world no longer. */
  forget(world: World): void {
    this.#total -= this.#counts.get(world) ?? 0;
    this.#counts.delete(world);
  }

  /** Admits the rows that a change of a world adds, which are only counted where the most that they can be is too many. @throws DomainError RATE_LIMIT_EXCEEDED */
  admitChange(world: World, uow: UnitOfWork): void {
    const { rows, subscriptions } = this.#ofWorld ?? { rows: Infinity, subscriptions: Infinity };
    if (world.rowCount + uow.puts > rows && uow.growth > 0) this.#admitRows(world.rowCount + uow.growth);
    const subscribed = uow.sizeOf('subscriptions');
    if (subscribed > subscriptions && subscribed > world.state.subscriptions.size) throw this.#tooManySubscriptions();
    if (this.#total + uow.puts > this.#maximum) this.admit(uow.growth);
  }

  /** Admits what a world is to be from now on. @throws DomainError RATE_LIMIT_EXCEEDED when no world may have so much */
  admitWorld(state: State): void {
    this.#admitRows(rowCount(state));
    if (this.#ofWorld && state.subscriptions.size > this.#ofWorld.subscriptions) throw this.#tooManySubscriptions();
  }

  #admitRows(rows: number): void {
    if (!this.#ofWorld || rows <= this.#ofWorld.rows) return;
    const message = `A world has at most ${this.#ofWorld.rows} rows. POST /_sandbox/reset takes it back to what it was created as.`;
    throw new DomainError('RATE_LIMIT_EXCEEDED', message, { setting: 'SANDBOX_WORLD_ROWS', maximum: this.#ofWorld.rows });
  }

  #tooManySubscriptions(): DomainError {
    const maximum = this.#ofWorld!.subscriptions;
    const message = `A world has at most ${maximum} subscriptions. DELETE /_sandbox/subscriptions/{subscriptionId} ends one.`;
    return new DomainError('RATE_LIMIT_EXCEEDED', message, { setting: 'SANDBOX_WORLD_SUBSCRIPTIONS', maximum });
  }

  /** @throws DomainError RATE_LIMIT_EXCEEDED when there is no room for so many rows more */
  admit(added: number): void {
    if (added <= 0 || this.#total + added <= this.#maximum) return;
    if (this.#ofWorld) throw new DomainError('RATE_LIMIT_EXCEEDED', 'This node has no room for more rows. Its operator can give it more.');
    let [largest, most] = ['', 0];
    for (const [{ identity }, rows] of this.#counts) if (rows > most) [largest, most] = [identity.name, rows];
    throw new DomainError(
      'RATE_LIMIT_EXCEEDED',
      `All worlds together have ${this.#total} rows, and SANDBOX_MAX_ROWS allows ${this.#maximum}. The world "${largest}" has most, ${most}: reset or delete it, or allow more.`,
      {
        setting: 'SANDBOX_MAX_ROWS',
        maximum: this.#maximum,
        rows: this.#total,
        largest: { world: largest, rows: most },
        way: `POST /_sandbox/reset?world=${largest}`,
      },
    );
  }
}
