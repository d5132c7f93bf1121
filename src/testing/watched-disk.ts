import { readFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { nodeFiles, type Files } from '../storage/file/files.js';
import type { StorageDirectory, DiskImage } from './storage.js';

/** A call of the storage: `open`, `rename` and so on, or `handle.sync` and so on for an open file. */
export interface DiskCall {
  readonly name: string;
  readonly path: string;
  /** The bytes that the call would write. */
  readonly bytes: Buffer | null;
}

/** Calls that are not observed: they depend on the clock, or their failure has no effect. */
const unwatched = new Set(['handle.utimes', 'handle.close', 'handle.stat']);
/** Calls that are not observed for the lock file, because its checks depend on the clock. */
const looks = new Set(['stat', 'readFile']);
const textArgument: Readonly<Record<string, number>> = { writeFile: 1, 'handle.appendFile': 0, 'handle.write': 0 };

/**
 * The real file system under a directory. Each call can be observed before it happens, and made to fail: a write then writes half of its
 * bytes, as on a full disk.
 */
export class WatchedDisk {
  /** Called before each call; an exception makes the call fail. */
  before: (call: DiskCall) => void = () => undefined;
  readonly #directory: StorageDirectory;
  /** The synced content of each file, by path. */
  readonly #synced = new Map<string, { bytes: Buffer }>();
  /** The files with synced names, by path. */
  readonly #names = new Map<string, { bytes: Buffer }>();

  constructor(directory: StorageDirectory) {
    this.#directory = directory;
  }

  get files(): Files {
    return this.#watch(nodeFiles, '', null) as Files;
  }

  /**
   * Returns the files as they would be after a power loss now: with their synced content.
   * @param namesAhead true if names that were not synced have reached the disk, as file systems may do
   */
  afterPowerLoss(namesAhead: boolean): DiskImage {
    const left = namesAhead ? this.#synced : this.#names;
    return new Map([...left].map(([path, { bytes }]) => [this.#directory.nameOf(path), bytes]));
  }

  /** Wraps an object whose calls are observed; `opened` is the path of a file handle. */
  #watch(target: object, prefix: string, opened: string | null): object {
    return new Proxy(target, {
      get: (object, property) => {
        const method = Reflect.get(object, property) as unknown;
        if (typeof method !== 'function' || typeof property !== 'string') return method;
        const run = method.bind(object) as (...args: unknown[]) => Promise<unknown>;
        const name = prefix + property;
        if (unwatched.has(name)) return run;
        return async (...args: unknown[]) => {
          const path = opened ?? String(args[0]);
          if (looks.has(name) && basename(path) === 'lock') return run(...args);
          const at = textArgument[name];
          const bytes = at === undefined ? null : Buffer.from(args[at] as string | Buffer);
          try {
            this.before({ name, path, bytes });
          } catch (error) {
            if (bytes) await run(...args.with(at!, bytes.subarray(0, bytes.length >> 1)));
            throw error;
          }
          const result = await run(...args);
          this.#note(name, path, args);
          return name === 'open' ? this.#watch(result as FileHandle, 'handle.', path) : result;
        };
      },
    });
  }

  #note(name: string, path: string, args: unknown[]): void {
    const file = this.#synced.get(path);
    if (name === 'writeFile' || (name === 'open' && args[1] !== 'r')) {
      if (!file) this.#synced.set(path, { bytes: Buffer.alloc(0) });
    } else if (name === 'handle.sync' || name === 'handle.datasync') {
      if (file) file.bytes = readFileSync(path);
      else this.#syncNames(path);
    } else if (name === 'rename' || name === 'link') {
      if (file) this.#synced.set(String(args[1]), file);
      if (name === 'rename') this.#synced.delete(path);
    } else if (name === 'unlink') this.#synced.delete(path);
  }

  #syncNames(directory: string): void {
    for (const path of this.#names.keys()) if (dirname(path) === directory) this.#names.delete(path);
    for (const [path, file] of this.#synced) if (dirname(path) === directory) this.#names.set(path, file);
  }
}
