import { DomainError } from '../domain/errors.js';
import type { Commit } from './commit.js';
import type { Change } from './state.js';
import type { TableName } from './tables.js';
import type { World } from './world.js';

/** Default maximum number of waiting requests in a world. */
export const maxWaits = 1000;

/** Rows whose change a request waits for: one of a table, or all messages of an inbox. */
export type Awaited = { readonly table: TableName; readonly id: string } | { readonly inbox: string };

const keyOf = (awaited: Awaited) => ('inbox' in awaited ? `inbox/${awaited.inbox}` : `${awaited.table}/${awaited.id}`);

/** The waiting requests of one world, by the awaited rows. */
interface Waits {
  count: number;
  readonly byKey: Map<string, Set<(change?: Change) => void>>;
}

/** Lets requests wait for rows of a world. The cost of a commit depends on its changes, not on other waiting requests. */
export class CommitWatch {
  readonly #waits = new WeakMap<World, Waits>();
  readonly #limitError: () => DomainError;
  readonly #most: number;
  readonly #rejections = new Set<(error: DomainError) => void>();
  #stopped: DomainError | undefined;

  /** @param set configured maximum number of waiting requests in a world; undefined for the default */
  constructor(set?: number) {
    const maximum = (this.#most = set ?? maxWaits);
    const details = { ...(set === undefined ? {} : { setting: 'SANDBOX_WORLD_WAITS' }), maximum };
    const message = `${maximum} requests are waiting in this world, which is the maximum. Send fewer waiting requests at a time.`;
    this.#limitError = () => new DomainError('RATE_LIMIT_EXCEEDED', message, details);
  }

  /** Makes the requests check again that wait for rows of a commit; without a list of changes, all waiting requests of this world. */
  notify(world: World, commit?: Commit): void {
    const waits = this.#waits.get(world);
    if (!waits || waits.count === 0) return;
    if (!commit || !('changes' in commit)) {
      for (const watchers of waits.byKey.values()) for (const look of watchers) look();
      return;
    }
    for (const change of commit.changes) {
      const inbox = change.table === 'inboxMessages' && change.row !== null && 'inbox' in change.row ? change.row.inbox : undefined;
      const key = inbox === undefined ? keyOf(change) : keyOf({ inbox });
      for (const look of waits.byKey.get(key) ?? []) look(change);
    }
  }

  /** Rejects all current and later waits with SERVICE_UNAVAILABLE. */
  stop(): void {
    this.#stopped = new DomainError('SERVICE_UNAVAILABLE', 'The sandbox is stopping.');
    for (const stop of this.#rejections) stop(this.#stopped);
  }

  /**
   * Resolves with the first value of `look` that is not null, or null after `timeoutMs` of real time.
   * @param isNews returns whether to call `look` after a change. Default: after each change
   * @throws DomainError RATE_LIMIT_EXCEEDED if too many requests wait, SERVICE_UNAVAILABLE if the sandbox stops
   */
  async until<T>(
    world: World,
    awaited: Awaited,
    look: () => T | null,
    timeoutMs: number,
    isNews: (change: Change) => boolean = () => true,
  ): Promise<T | null> {
    const now = look();
    if (now !== null || timeoutMs === 0) return now;
    if (this.#stopped) throw this.#stopped;
    const waits = this.#waits.get(world) ?? { count: 0, byKey: new Map() };
    this.#waits.set(world, waits);
    if (waits.count >= this.#most) throw this.#limitError();
    const key = keyOf(awaited);
    const watchers = waits.byKey.get(key) ?? new Set();
    waits.byKey.set(key, watchers);
    waits.count += 1;
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#rejections.delete(stop);
        waits.count -= 1;
        watchers.delete(watcher);
        if (watchers.size === 0 && waits.byKey.get(key) === watchers) waits.byKey.delete(key);
      };
      const watcher = (change?: Change) => {
        try {
          if (change && !isNews(change)) return;
          const value = look();
          if (value === null) return;
          end();
          resolve(value);
        } catch (error) {
          stop(error as DomainError);
        }
      };
      const stop = (error: DomainError) => {
        end();
        reject(error);
      };
      const timer = setTimeout(() => {
        end();
        resolve(null);
      }, timeoutMs);
      watchers.add(watcher);
      this.#rejections.add(stop);
    });
  }
}
