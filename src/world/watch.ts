import type { World } from './world.js';

/** Lets callers wait until a world has come to look as they want it. */
export class CommitWatch {
  readonly #watchers = new WeakMap<World, Set<() => void>>();

  /** Has everybody who waits for something in this world look again. */
  notify(world: World): void {
    for (const look of this.#watchers.get(world) ?? []) look();
  }

  /** Resolves with the first value of `look` that is not null, or with null after `timeoutMs` of real time. */
  until<T>(world: World, look: () => T | null, timeoutMs: number): Promise<T | null> {
    const now = look();
    if (now !== null || timeoutMs === 0) return Promise.resolve(now);
    const watchers = this.#watchers.get(world) ?? new Set();
    this.#watchers.set(world, watchers);
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        watchers.delete(watcher);
      };
      const watcher = () => {
        try {
          const value = look();
          if (value === null) return;
          end();
          resolve(value);
        } catch (error) {
          end();
          reject(error);
        }
      };
      const timer = setTimeout(() => {
        end();
        resolve(null);
      }, timeoutMs);
      watchers.add(watcher);
    });
  }
}
