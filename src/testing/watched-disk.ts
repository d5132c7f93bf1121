import { readFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { nodeFiles, type Files } from '../storage/file/files.js';
import type { StorageDirectory, DiskImage } from './storage.js';

/** A call of the storage: `open`, `rename` and so on, or of an open file `handle.sync` and the like. */
export interface DiskCall {
  readonly name: string;
  readonly path: string;
  /** What a call that writes would write. */
  readonly bytes: Buffer | null;
}

/** Left alone: what happens by the clock, and what nobody would notice if it failed. */
const unwatched = new Set(['handle.utimes', 'handle.close', 'handle.stat']);
/** The calls by which the lock is looked at, which happens by the clock too. */
const looks = new Set(['stat', 'readFile']);
const textArgument: Readonly<Record<string, number>> = { writeFile: 1, 'handle.appendFile': 0, 'handle.write': 0 };

/**
 * The real file system under a directory, of which every call can be looked at just before it happens, and made to fail:
 * one that writes has then done half of it, as on a disk that is full.
 */
export class WatchedDisk {
  /** Told of each call; throwing makes the call fail. */
  before: (call: DiskCall) => void = () => undefined;
  readonly #directory: StorageDirectory;
  /** What was synced of each file, by path. */
  readonly #synced = new Map<string, { bytes: Buffer }>();
  /** The names that were synced, and the files that they mean. */
  readonly #names = new Map<string, { bytes: Buffer }>();

  constructor(directory: StorageDirectory) {
    this.#directory = directory;
  }

  get files(): Files {
    return this.#watch(nodeFiles, '', null) as Files;
  }

  /**
   * What a power loss would leave at this moment: of each file what was synced of it.
   * @param namesAhead whether names have reached the disk that nobody synced, as file systems are free to do
   */
  afterPowerLoss(namesAhead: boolean): DiskImage {
    const left = namesAhead ? this.#synced : this.#names;
    return new Map([...left].map(([path, { bytes }]) => [this.#directory.nameOf(path), bytes]));
  }

  /** An object whose methods are told of before they run; `opened` is the path of a file handle. */
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
