import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { FileStorage } from '../storage/file/file-storage.js';
import type { FileStorageOptions } from '../storage/file/options.js';
import { isMissing } from '../storage/file/files.js';
import { memoryStorage, type Storage } from '../storage/storage.js';
import type { WorldLog } from '../world/commit.js';
import type { IdentityRecord } from '../world/rows.js';
import { applyChanges, emptyState, rowsOf, stateOf, type Change, type State, type WorldRows } from '../world/state.js';

/** Returns an empty world that passes the checks at loading. */
export function bareWorld(name: string): State {
  const state = emptyState();
  const id = '00000000-0000-4000-8000-000000000000';
  const credentials = { clientId: `client-${name}`, clientSecret: 'secret' };
  const origin: Omit<IdentityRecord, 'id'> = {
    name,
    customerId: id,
    companyId: id,
    ...credentials,
    seed: 'seed',
    incarnation: 'first',
    scenario: 'default',
    fixtures: 'empty',
    clock: { mode: 'RUNNING' },
  };
  state.identity.set('identity', { id: 'identity', ...origin });
  state.clock.set('clock', { id: 'clock', mode: 'RUNNING', offsetMs: 0 });
  state.scenario.set('scenario', { id: 'scenario', name: 'default', inline: null, since: '2026-11-21T12:00:00.000Z' });
  return state;
}

/** Returns the worlds of a storage, as a sandbox loads them. */
export async function loadWorlds(storage: Storage): Promise<Map<string, State>> {
  const worlds = new Map<string, State>();
  for await (const { name } of storage.heads()) {
    worlds.set(name, await stateOf((await storage.open(name))!.rows));
  }
  return worlds;
}

/** A commit that a log received. */
export type LoggedCommit =
  | { readonly world: string; readonly changes: readonly Change[] }
  | { readonly world: string; readonly rows: WorldRows }
  | { readonly world: string; readonly dropped: true };

/** Returns a log for which a test determines the result of each commit, and whether the log is read-only. */
export function logTo(world: string, keep: (commit: LoggedCommit) => Promise<void>, isReadOnly = () => false): WorldLog {
  return {
    get isReadOnly() {
      return isReadOnly();
    },
    heldBy: () => undefined,
    append: (_sequence, changes) => keep({ world, changes }),
    replace: (_sequence, rows) => keep({ world, rows }),
    drop: () => keep({ world, dropped: true }),
    release: () => Promise.resolve(),
  };
}

/** Returns a storage in memory for which a test determines the result of each commit except the creation of worlds. */
export function storageTo(keep: (commit: LoggedCommit) => Promise<void>): Storage {
  return { ...memoryStorage, create: ({ name }) => Promise.resolve(logTo(name, keep)) };
}

/** Returns a log that passes its commits to a log that is created later. */
function logAfter(coming: Promise<WorldLog>): WorldLog {
  return {
    isReadOnly: false,
    heldBy: (rows) => void coming.then((log) => log.heldBy(rows)),
    append: async (...commit) => (await coming).append(...commit),
    replace: async (...commit) => (await coming).replace(...commit),
    drop: async (sequence) => (await coming).drop(sequence),
    release: async (...due) => (await coming).release(...due),
  };
}

/** A storage with worlds and their logs, as a sandbox uses them. Its rows are counters, by world and id. */
export class StoredWorlds {
  readonly storage: FileStorage;
  readonly worlds: Map<string, State>;
  readonly #logs = new Map<string, { readonly log: WorldLog; sequence: number }>();

  private constructor(storage: FileStorage, worlds: Map<string, State>) {
    this.storage = storage;
    this.worlds = worlds;
  }

  static async open(directory: string, options: FileStorageOptions = {}): Promise<StoredWorlds> {
    // A busy machine may need longer for the last checkpoint than the default allows.
    const storage = await FileStorage.open(directory, { stopMs: 60_000, ...options });
    const stored = new StoredWorlds(storage, await loadWorlds(storage));
    for (const name of stored.worlds.keys()) stored.#logs.set(name, { log: (await storage.open(name))!.log, sequence: 0 });
    return stored;
  }

  create(world: string, values: Readonly<Record<string, number>> = {}): Promise<void> {
    const state = bareWorld(world);
    for (const [id, value] of Object.entries(values)) state.counters.set(id, { id, value });
    this.worlds.set(world, state);
    const present = this.#logs.get(world);
    if (present) return present.log.replace((present.sequence += 1), rowsOf(state));
    const created = this.storage.create(state.identity.get('identity')!, rowsOf(state));
    // Commits of the same turn follow the creation of the world.
    this.#logs.set(world, { log: logAfter(created), sequence: 0 });
    return created.then(() => undefined);
  }

  /** Sets values, or deletes those that are null, in one commit. */
  put(values: Readonly<Record<string, number | null>>, world = 'w'): Promise<void> {
    const changes = Object.entries(values).map(([id, value]): Change => ({
      table: 'counters',
      id,
      row: value === null ? null : { id, value },
    }));
    applyChanges(this.worlds.get(world)!, changes);
    const stored = this.#logs.get(world)!;
    return stored.log.append((stored.sequence += 1), changes, null);
  }

  drop(world: string): Promise<void> {
    const stored = this.#logs.get(world);
    if (!stored) return Promise.resolve();
    this.worlds.delete(world);
    this.#logs.delete(world);
    return stored.log.drop((stored.sequence += 1));
  }

  get values(): Record<string, Record<string, number>> {
    return valuesOf(this.worlds);
  }
}

/** Returns the values of all counters, by world and id. */
export function valuesOf(worlds: ReadonlyMap<string, State>): Record<string, Record<string, number>> {
  return Object.fromEntries(
    [...worlds].map(([name, state]) => [name, Object.fromEntries([...state.counters].map(([id, { value }]) => [id, value]))]),
  );
}

/** Contents of the files of a data directory by name, without the lock. */
export type DiskImage = ReadonlyMap<string, Buffer>;

/** A directory in memory if the machine has one, because tests sync files thousands of times. */
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A directory for one test, with the files that a crash would leave. */
export class StorageDirectory {
  readonly path = mkdtempSync(join(place, 'storage-'));

  /** Creates a directory with the files that a crash left. */
  static of(image: DiskImage): StorageDirectory {
    const directory = new StorageDirectory();
    mkdirSync(join(directory.path, 'journal'));
    for (const [name, bytes] of image) writeFileSync(join(directory.path, name), bytes);
    return directory;
  }

  get database(): string {
    return join(this.path, 'db.json');
  }

  /** Returns the segments of the journal, oldest first. */
  async segments(): Promise<string[]> {
    return (await readdir(join(this.path, 'journal'))).toSorted().map((name) => join(this.path, 'journal', name));
  }

  /** Returns the name of a file in this directory. */
  nameOf(path: string): string {
    return relative(this.path, path);
  }

  /** Returns the files as they would be after a crash now. */
  image(): DiskImage {
    for (;;) {
      try {
        return this.#files();
      } catch (error) {
        if (!isMissing(error)) throw error; // A call in progress has removed a listed file.
      }
    }
  }

  #files(): DiskImage {
    const files = readdirSync(this.path, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => !this.nameOf(path).startsWith('lock'));
    return new Map(paths.map((path) => [this.nameOf(path), readFileSync(path)]));
  }

  /** Returns the directory as it would be after a crash now. */
  afterCrash(): StorageDirectory {
    return StorageDirectory.of(this.image());
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
