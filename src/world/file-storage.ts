import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { emptyState, tableNames, type State, type Tables } from './state.js';
import type { Commit, Storage, Worlds } from './storage.js';

const formatVersion = 1;

/** The file as a person reads it: worlds by name, tables by name, rows by id. */
interface Document {
  readonly version: number;
  readonly worlds: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
}

/**
 * Keeps all worlds in `db.json` of a directory, through lowdb, which replaces the file as a whole: a reader never sees half of one.
 * Commits that arrive while a write is under way share the next one.
 */
export class FileStorage implements Storage {
  readonly #path: string;
  readonly #low: Low<Document>;
  #worlds: Worlds = new Map();
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(directory: string) {
    this.#path = join(directory, 'db.json');
    this.#low = new Low<Document>(new JSONFile<Document>(this.#path), { version: formatVersion, worlds: {} });
  }

  /** Opens the storage of a directory, which is made if need be. */
  static async open(directory: string): Promise<FileStorage> {
    await mkdir(directory, { recursive: true });
    return new FileStorage(directory);
  }

  async load(): Promise<Map<string, State>> {
    try {
      await this.#low.read();
    } catch (error) {
      throw new Error(`${this.#path} cannot be read: ${(error as Error).message}`, { cause: error });
    }
    const { version, worlds } = this.#low.data;
    if (version !== formatVersion) throw new Error(`${this.#path} has format ${String(version)}; this version reads ${formatVersion}.`);
    return new Map(Object.entries(worlds).map(([name, tables]) => [name, this.#readState(name, tables)]));
  }

  commit(_commit: Commit, worlds: Worlds): Promise<void> {
    this.#worlds = worlds;
    this.#next ??= this.#writing.then(() => {
      this.#next = null;
      this.#writing = this.#write();
      return this.#writing;
    });
    return this.#next;
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#writing);
  }

  async #write(): Promise<void> {
    this.#low.data = {
      version: formatVersion,
      worlds: Object.fromEntries([...this.#worlds].map(([name, state]) => [name, writeState(state)])),
    };
    await this.#low.write();
  }

  #readState(world: string, tables: Document['worlds'][string]): State {
    const state = emptyState();
    for (const [table, rows] of Object.entries(tables)) {
      if (!(tableNames as readonly string[]).includes(table))
        throw new Error(`${this.#path}: world ${world} has an unknown table ${table}.`);
      for (const [id, row] of Object.entries(rows)) (state as unknown as Record<string, Map<string, unknown>>)[table]!.set(id, row);
    }
    if (!state.identity.has('identity') || !state.clock.has('clock'))
      throw new Error(`${this.#path}: world ${world} lacks its identity or clock.`);
    return state;
  }
}

function writeState(state: State): Document['worlds'][string] {
  return Object.fromEntries(tableNames.map((name) => [name, Object.fromEntries<Tables[typeof name]>(state[name] as never)]));
}
