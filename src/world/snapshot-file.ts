import { setImmediate as nextTurn } from 'node:timers/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Low, type Adapter } from 'lowdb';
import { isMissing, syncDirectory, type Files } from './files.js';
import { parseJson } from './json-place.js';
import { emptyState, isTableName, tableNames, type State, type TableName, type Tables } from './state.js';

const formatVersion = 1;
/** How long one slice of writing may keep the event loop, in milliseconds. */
const sliceMs = 5;
/** How much text is handed to the file system at once, in characters. */
const chunkLength = 256 * 1024;

/** The rows of a world at an instant, by table. */
export type WorldRows = readonly (readonly [TableName, readonly Tables[TableName][]])[];

/** All worlds at an instant: what commits up to `sequence` made of them. */
export interface Snapshot {
  readonly sequence: number;
  readonly worlds: ReadonlyMap<string, WorldRows>;
}

/** Notes the rows of a state, which may change afterwards. Rows never change, so this is quick. */
export function rowsOf(state: State): WorldRows {
  return tableNames.map((name) => [name, Array.from<Tables[TableName]>(state[name].values())]);
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
  readonly #low: Low<Snapshot | null>;
  #checksum: string | null = null;
  /** What the file looked like from outside when it was read or written. */
  #stamp: string | null = null;
  #size = 0;
  #cancelled = false;

  constructor(directory: string, options: SnapshotFileOptions) {
    this.path = join(directory, 'db.json');
    this.#directory = directory;
    this.#options = options;
    const adapter: Adapter<Snapshot | null> = { read: () => this.#read(), write: (data) => (data ? this.#write(data) : Promise.resolve()) };
    this.#low = new Low<Snapshot | null>(adapter, null);
  }

  /** The file's checksum as it was read or written last; null when there was none. */
  get checksum(): string | null {
    return this.#checksum;
  }

  /** The file's size in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Reads the file; null when there is none. @throws Error naming the place of what is wrong */
  async load(): Promise<Snapshot | null> {
    await this.#low.read();
    const snapshot = this.#low.data;
    this.#low.data = null;
    return snapshot;
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

  async #read(): Promise<Snapshot | null> {
    const { files } = this.#options;
    let bytes: Buffer;
    try {
      this.#stamp = await this.#stampNow();
      bytes = await files.readFile(this.path);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    this.#checksum = checksumOf(crc32(bytes), bytes.length);
    this.#size = bytes.length;
    return readDocument(this.path, bytes);
  }

  async #write(snapshot: Snapshot): Promise<void> {
    const { files, beforeSwap } = this.#options;
    const temporary = `${this.path}.new`;
    const handle = await files.open(temporary, 'w');
    let crc = 0;
    let size = 0;
    try {
      for (const text of textOf(snapshot)) {
        if (text === null) await nextTurn();
        else {
          const bytes = Buffer.from(text);
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

function checksumOf(crc: number, size: number): string {
  return `${crc.toString(16).padStart(8, '0')}-${size}`;
}

/** The file's text in chunks; null wherever the event loop should have its turn. */
function* textOf({ sequence, worlds }: Snapshot): Generator<string | null> {
  let text = `{\n  "version": ${formatVersion},\n  "sequence": ${sequence},\n  "worlds": {`;
  let until = performance.now() + sliceMs;
  let worldMark = '\n';
  for (const [world, tables] of worlds) {
    text += `${worldMark}    ${JSON.stringify(world)}: {`;
    worldMark = ',\n';
    let tableMark = '\n';
    for (const [table, rows] of tables) {
      text += `${tableMark}      ${JSON.stringify(table)}: {`;
      tableMark = ',\n';
      let rowMark = '\n';
      for (const row of rows) {
        text += `${rowMark}        ${JSON.stringify(row.id)}: ${JSON.stringify(row)}`;
        rowMark = ',\n';
        if (text.length >= chunkLength) {
          yield text;
          text = '';
        }
        if (performance.now() >= until) {
          yield null;
          until = performance.now() + sliceMs;
        }
      }
      text += rows.length > 0 ? '\n      }' : '}';
    }
    text += '\n    }';
  }
  yield `${text}${worlds.size > 0 ? '\n  ' : ''}}\n}\n`;
}

function readDocument(path: string, bytes: Buffer): Snapshot {
  const fail = (what: string): never => {
    throw new Error(`${path}${what}`);
  };
  const document = parseJson(bytes.toString('utf8'), fail);
  if (!isObject(document)) return fail(': it has to be an object with version and worlds.');
  const { version, sequence = 0, worlds } = document;
  if (version !== formatVersion) fail(`: it has format ${JSON.stringify(version)}; this sandbox reads ${formatVersion}.`);
  if (!Number.isSafeInteger(sequence) || (sequence as number) < 0) fail(': sequence has to be a whole number.');
  if (!isObject(worlds)) return fail(': worlds has to be an object.');
  const read = Object.entries(worlds).map(([world, tables]): [string, WorldRows] => {
    if (!isObject(tables)) return fail(`: world ${world} has to be an object of tables.`);
    return [
      world,
      Object.entries(tables).map(([table, rows]) => {
        if (!isTableName(table)) return fail(`: world ${world} has an unknown table ${table}.`);
        if (!isObject(rows)) return fail(`: world ${world}, table ${table} has to be an object of rows.`);
        for (const [id, row] of Object.entries(rows)) {
          if (!isObject(row) || row['id'] !== id) fail(`: world ${world}, ${table}/${id}: a row has to be an object whose id is its key.`);
        }
        return [table, Object.values(rows) as Tables[TableName][]];
      }),
    ];
  });
  return { sequence: sequence as number, worlds: new Map(read) };
}

/** The state that rows make. */
export function stateOf(tables: WorldRows): State {
  const state = emptyState();
  for (const [table, rows] of tables) for (const row of rows) (state[table] as Map<string, Tables[TableName]>).set(row.id, row);
  return state;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
