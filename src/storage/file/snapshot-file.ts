import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Low, type Adapter } from 'lowdb';
import { isMissing, syncDirectory, type Files } from './files.js';
import { checksumOf, OtherLayout, readByLine } from './snapshot-lines.js';
import { bytesOf, formatVersion, readDocument, type Snapshot } from './snapshot-text.js';
import type { State } from '../../world/state.js';

/** The longest text that Node takes as one string, and so the largest file that is read as a whole, in bytes. */
const maxTextBytes = 512 * 1024 * 1024 - 32;

/** What was read from the file. */
export interface Loaded {
  readonly sequence: number;
  readonly worlds: Map<string, State>;
  /** Whether the file is as this program wrote it, so that there is nothing to check. */
  readonly isOwn: boolean;
}

export interface SnapshotFileOptions {
  readonly files: Files;
  /** Called when the new file is complete but not yet in place, with its checksum. */
  readonly beforeSwap: (checksum: string, sequence: number) => Promise<void>;
  /** Told of what an operator should know. */
  readonly warn: (message: string) => void;
}

/**
 * `db.json`: worlds by name, tables by name, rows by id, one row a line, for lowdb.
 * It is replaced as a whole, so a reader never sees half of one, and written in slices that do not hold up requests.
 */
export class SnapshotFile {
  readonly path: string;
  readonly #directory: string;
  readonly #options: SnapshotFileOptions;
  readonly #low: Low<Snapshot | Loaded | null>;
  #checksum: string | null = null;
  /** What the file looked like from outside when it was read or written. */
  #stamp: string | null = null;
  #size = 0;
  /** The checksums of files that this program wrote. */
  #own: ReadonlySet<string> = new Set();
  #cancelled = false;

  constructor(directory: string, options: SnapshotFileOptions) {
    this.path = join(directory, 'db.json');
    this.#directory = directory;
    this.#options = options;
    const adapter: Adapter<Snapshot | Loaded | null> = { read: () => this.#read(), write: (data) => this.#write(data as Snapshot) };
    this.#low = new Low<Snapshot | Loaded | null>(adapter, null);
  }

  /** The file's checksum as it was read or written last; null when there was none. */
  get checksum(): string | null {
    return this.#checksum;
  }

  /** The file's size in bytes. */
  get size(): number {
    return this.#size;
  }

  /**
   * Reads the file; null when there is none.
   * @param own the checksums of files that this program wrote
   * @throws Error naming the place of what is wrong
   */
  async load(own: ReadonlySet<string>): Promise<Loaded | null> {
    this.#own = own;
    await this.#low.read();
    const loaded = this.#low.data as Loaded | null;
    this.#low.data = null;
    return loaded;
  }

  /** Puts a snapshot in the place of the file. A file that was edited meanwhile is kept beside it. */
  async save(snapshot: Snapshot): Promise<void> {
    this.#low.data = snapshot;
    try {
      await this.#low.write();
    } finally {
      this.#low.data = null;
    }
  }

  /** Makes a save that is under way fail, and every later one. */
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
      this.#size = (await handle.stat()).size;
      return (await this.#readOwn(handle)) ?? (await this.#readEdited(handle));
    } finally {
      await handle.close();
    }
  }

  /** Reads a file that this program wrote; null when it is another. */
  async #readOwn(handle: FileHandle): Promise<Loaded | null> {
    if (![...this.#own].some((checksum) => checksum.endsWith(`-${this.#size}`))) return null;
    try {
      const { checksum, sequence, worlds } = await readByLine(handle, formatVersion, true);
      if (!this.#own.has(checksum)) return null;
      this.#checksum = checksum;
      return { sequence, worlds, isOwn: true };
    } catch (error) {
      if (error instanceof OtherLayout) return null;
      throw error;
    }
  }

  /** Reads a file that anybody may have written. */
  async #readEdited(handle: FileHandle): Promise<Loaded> {
    if (this.#size <= maxTextBytes) {
      const bytes = await handle.readFile();
      this.#checksum = checksumOf(crc32(bytes), bytes.length);
      return { ...readDocument(this.path, bytes), isOwn: false };
    }
    try {
      const { checksum, sequence, worlds } = await readByLine(handle, formatVersion, false);
      this.#checksum = checksum;
      return { sequence, worlds, isOwn: false };
    } catch (error) {
      if (!(error instanceof OtherLayout)) throw error;
      throw new Error(
        `${this.path}: ${error.message}. A file of this size (${this.#size} bytes) can only be read when every row stands on a line of its own, as the sandbox writes it.`,
        { cause: error },
      );
    }
  }

  async #write(snapshot: Snapshot): Promise<void> {
    const { files, beforeSwap } = this.#options;
    const temporary = `${this.path}.new`;
    const handle = await files.open(temporary, 'w');
    let crc = 0;
    let size = 0;
    try {
      for await (const bytes of bytesOf(snapshot)) {
        if (bytes !== null) {
          crc = crc32(bytes, crc);
          size += bytes.length;
          await handle.appendFile(bytes);
        }
        if (this.#cancelled) throw new Error('The checkpoint was given up.');
      }
      await handle.sync();
    } catch (error) {
      await handle.close().catch(() => undefined);
      await files.unlink(temporary).catch(() => undefined);
      throw error;
    }
    await handle.close();
    const checksum = checksumOf(crc, size);
    await beforeSwap(checksum, snapshot.sequence);
    await this.#keepEdited();
    await files.rename(temporary, this.path);
    await syncDirectory(files, this.#directory);
    this.#stamp = await this.#stampNow();
    this.#checksum = checksum;
    this.#size = size;
  }

  /** Gives a file that somebody else wrote a second name, under which it outlives the swap. */
  async #keepEdited(): Promise<void> {
    const stamp = await this.#stampNow().catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (stamp === null || stamp === this.#stamp) return;
    const aside = join(this.#directory, `db.edited-${new Date().toISOString().replaceAll(':', '-')}.json`);
    await this.#options.files.link(this.path, aside);
    this.#options.warn(
      `${this.path} was changed by somebody else while the sandbox was running. That has no effect: what it was changed to is kept as ${aside}. Stop the sandbox before you edit the file.`,
    );
  }

  async #stampNow(): Promise<string> {
    const { ino, size, mtimeNs } = await this.#options.files.stat(this.path, { bigint: true });
    return `${ino}/${size}/${mtimeNs}`;
  }
}
