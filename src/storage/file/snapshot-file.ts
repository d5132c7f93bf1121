import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Low, type Adapter } from 'lowdb';
import { ignoreMissing, isMissing, naming, privately, syncDirectory, type Files } from './files.js';
import { runSync } from '../../domain/interruptible.js';
import { LineBuffer, type Commit } from './journal-line.js';
import { checksumOf, readByLine } from './snapshot-lines.js';
import { textOf, worldsIn, type Snapshot } from './snapshot-text.js';
import { checkState, rowProblemsOf } from '../../world/document/state-check.js';
import type { StoredWorld } from '../stored-world.js';
import { raisedCounters } from '../../world/document/counters.js';
import { stateOf } from '../../world/state.js';
import { TimeSlicer } from '../../world/turns.js';

/** Approximate number of bytes in one write. */
const chunkBytes = 128 * 1024;

/** The contents of `db.json`. */
export interface Loaded {
  readonly sequence: number;
  readonly worlds: Map<string, StoredWorld>;
  /** Corrections to the worlds of an edited file. */
  readonly repaired: readonly Commit[];
}

export interface SnapshotFileOptions {
  readonly files: Files;
  /** Called with the checksum of the new file, after it is complete and before it replaces the old file. */
  readonly beforeSwap: (checksum: string, sequence: number) => Promise<void>;
  /** Called just before the new file replaces the old file. If it throws, the old file stays. */
  readonly mayWrite: () => Promise<void>;
  /** Called with warnings for the operator. */
  readonly warn: (message: string) => void;
}

/**
 * The file `db.json`: worlds by name, tables by name, rows by id, one row on each line, for lowdb. Each save replaces the whole file, so a
 * reader never sees an incomplete file. Files are written in time slices, which do not delay requests.
 */
export class SnapshotFile {
  readonly path: string;
  readonly #directory: string;
  readonly #options: SnapshotFileOptions;
  readonly #low: Low<Snapshot | Loaded | null>;
  #checksum: string | null = null;
  /** Inode, size and change time after the last read or write. */
  #stamp: string | null = null;
  #size = 0;
  /** Checksums of files that this program wrote. */
  #own: ReadonlySet<string> = new Set();
  #cancelled = false;

  constructor(directory: string, options: SnapshotFileOptions) {
    this.path = join(directory, 'db.json');
    this.#directory = directory;
    this.#options = options;
    const adapter: Adapter<Snapshot | Loaded | null> = { read: () => this.#read(), write: (data) => this.#write(data as Snapshot) };
    this.#low = new Low<Snapshot | Loaded | null>(adapter, null);
  }

  /** The checksum of the file after the last read or write; null if there was no file. */
  get checksum(): string | null {
    return this.#checksum;
  }

  /** Size of the file in bytes. */
  get size(): number {
    return this.#size;
  }

  /**
   * Reads the file; null if it does not exist.
   * @param own checksums of files that this program wrote
   * @throws Error naming the position of the problem
   */
  async load(own: ReadonlySet<string>): Promise<Loaded | null> {
    this.#own = own;
    await this.#low.read();
    const loaded = this.#low.data as Loaded | null;
    this.#low.data = null;
    return loaded;
  }

  /** Replaces the file with a snapshot. If the file was edited meanwhile, keeps a copy of it. */
  async save(snapshot: Snapshot): Promise<void> {
    this.#low.data = snapshot;
    try {
      await this.#low.write();
    } finally {
      this.#low.data = null;
    }
  }

  /** Makes the current save and all later saves fail. */
  cancel(): void {
    this.#cancelled = true;
  }

  async #read(): Promise<Loaded | null> {
    const { files } = this.#options;
    let handle: FileHandle;
    try {
      this.#stamp = await this.#stampNow();
      handle = await files.open(this.path, 'r');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    try {
      const read = await readByLine(this.path, handle).catch((error: unknown) => {
        throw naming(this.path, error);
      });
      this.#checksum = read.checksum;
      this.#size = read.size;
      // The checksum proves that this program wrote the file. Any other file may have been edited.
      if (this.#own.has(read.checksum)) return { ...worldsIn(this.path, read, null), repaired: [] };
      const loaded = worldsIn(this.path, read, rowProblemsOf);
      const repaired: Commit[] = [];
      checkClients(this.path, loaded.worlds);
      for (const [name, stored] of loaded.worlds) {
        const state = await stateOf(stored);
        checkState(this.path, name, state);
        const counters = runSync(raisedCounters(state));
        if (counters.length > 0) repaired.push({ world: name, changes: counters.map((row) => ({ table: 'counters', id: row.id, row })) });
      }
      return { ...loaded, repaired };
    } finally {
      await handle.close();
    }
  }

  async #write(snapshot: Snapshot): Promise<void> {
    const { files, beforeSwap, mayWrite } = this.#options;
    const temporary = `${this.path}.new`;
    // Create a new file: another process that lost the lock may still be writing to the old `db.json.new`.
    await files.unlink(temporary).catch(ignoreMissing);
    const handle = await files.open(temporary, 'wx', privately.file);
    let crc = 0;
    let size = 0;
    const buffer = new LineBuffer();
    const flush = async () => {
      const bytes = buffer.take();
      crc = crc32(bytes, crc);
      size += bytes.length;
      await handle.appendFile(bytes);
    };
    try {
      const pace = new TimeSlicer();
      for (const part of textOf(snapshot)) {
        buffer.addText(part);
        if (buffer.length >= chunkBytes) await flush();
        if (pace.shouldYield()) await pace.yield();
        if (this.#cancelled) throw new Error('The checkpoint was cancelled.');
      }
      await flush();
      await handle.sync();
    } catch (error) {
      await handle.close().catch(() => undefined);
      await mayWrite()
        .then(() => files.unlink(temporary))
        .catch(() => undefined);
      throw error;
    }
    await handle.close();
    const checksum = checksumOf(crc, size);
    await beforeSwap(checksum, snapshot.sequence);
    await this.#keepEdited();
    await mayWrite();
    await files.rename(temporary, this.path);
    await syncDirectory(files, this.#directory);
    this.#stamp = await this.#stampNow();
    this.#checksum = checksum;
    this.#size = size;
  }

  /** Adds a second name to a file that another program wrote, so that it still exists after the new file replaces it. */
  async #keepEdited(): Promise<void> {
    const stamp = await this.#stampNow().catch(ignoreMissing);
    if (stamp === undefined || stamp === this.#stamp) return;
    const aside = join(this.#directory, `db.edited-${new Date().toISOString().replaceAll(':', '-')}.json`);
    await this.#options.files.link(this.path, aside);
    this.#options.warn(
      `${this.path} was changed by another program while the sandbox was running. The change has no effect; it is saved as ${aside}. Stop the sandbox before you edit the file.`,
    );
  }

  async #stampNow(): Promise<string> {
    const { ino, size, mtimeNs } = await this.#options.files.stat(this.path, { bigint: true });
    return `${ino}/${size}/${mtimeNs}`;
  }
}

/**
 * Checks that each world has its own client id, because a token request contains no world name.
 * @throws Error naming the worlds that share one
 */
function checkClients(path: string, worlds: ReadonlyMap<string, StoredWorld>): void {
  const owners = new Map<string, string>();
  for (const [name, { identity }] of worlds) {
    if (identity === undefined) continue;
    const other = owners.get(identity.clientId);
    if (other !== undefined)
      throw new Error(
        `${path}: World ${name}: the world ${other} has the same client id, ${identity.clientId}. Give each world a different client id.`,
      );
    owners.set(identity.clientId, name);
  }
}
