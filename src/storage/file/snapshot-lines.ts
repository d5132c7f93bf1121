import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { jsonMistake } from '../../domain/json-mistake.js';

const chunkBytes = 1024 * 1024;
const lineFeed = 0x0a;

type Row = { readonly id: string };

/** The contents of `db.json`. */
export interface SnapshotRead {
  /** Checksum that identifies the file in the journal. */
  readonly checksum: string;
  /** In bytes. */
  readonly size: number;
  /** The parsed file without the rows that were parsed separately. */
  readonly document: unknown;
  /** Returns the separately parsed rows for a placeholder entry; null for any other entry. */
  readonly rowsFor: (key: string, value: unknown) => readonly Row[] | null;
}

/** Returns the checksum that identifies a file in the journal. */
export function checksumOf(crc: number, size: number): string {
  return `${crc.toString(16).padStart(8, '0')}-${size}`;
}

/**
 * Reads `db.json` in any layout. Rows that have their own line, as the sandbox writes them, are parsed separately. So the file may exceed
 * the maximum string length of JavaScript. One placeholder replaces each run of such rows.
 * @throws Error naming the position if it is not valid JSON
 */
export async function readByLine(path: string, handle: FileHandle): Promise<SnapshotRead> {
  const left = new LinesLeft();
  let crc = 0;
  let size = 0;
  const note = (bytes: Buffer) => {
    crc = crc32(bytes, crc);
    size += bytes.length;
  };
  const fail = (what: string): never => {
    throw new Error(`${path}${what}`);
  };
  let text = '';
  try {
    for await (const lines of linesOf(handle, note)) for (const line of lines) left.add(line);
    text = left.text();
  } catch (error) {
    if (!(error instanceof RangeError) && (error as NodeJS.ErrnoException).code !== 'ERR_STRING_TOO_LONG') throw error;
    fail(': a file of this size can only be read if each row has its own line, as the sandbox writes it.');
  }
  return { checksum: checksumOf(crc, size), size, document: parsed(text, fail), rowsFor: left.rowsFor };
}

/** Parses JSON. Calls `fail` with position and reason if it is not valid. */
function parsed(text: string, fail: (what: string) => never): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, column, expected } = jsonMistake(text);
    return fail(`:${line}:${column}: invalid JSON: expected ${expected}.`);
  }
}

/** The lines of a file without the rows. Line numbers are unchanged, so that errors name the right line. */
class LinesLeft {
  readonly #lines: string[] = [];
  readonly #runs: Row[][] = [];
  #isInRun = false;

  add(line: string): void {
    const row = rowOn(line);
    const comma = line.endsWith(',') ? ',' : '';
    const before = this.#lines.at(-1);
    if (row === undefined) this.#lines.push(line);
    else if (this.#isInRun && before!.endsWith(',')) {
      this.#runs.at(-1)!.push(row);
      this.#lines[this.#lines.length - 1] = before!.slice(0, -1);
      this.#lines.push(comma);
    } else this.#lines.push(`        "${markOf(this.#runs.length)}": ${this.#runs.push([row]) - 1}${comma}`);
    this.#isInRun = row !== undefined;
  }

  text(): string {
    return this.#lines.join('\n');
  }

  readonly rowsFor = (key: string, value: unknown): readonly Row[] | null =>
    typeof value === 'number' && key === markOf(value) ? (this.#runs[value] ?? null) : null;
}

/** Returns the key that replaces a run of rows. */
const markOf = (run: number) => `#${run}`;

/** Yields the lines of a file in batches. `note` is called with the bytes. */
async function* linesOf(handle: FileHandle, note: (bytes: Buffer) => void): AsyncGenerator<string[]> {
  let open: Buffer[] = [];
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
    const bytes = buffer.subarray(0, bytesRead);
    note(bytes);
    const end = bytes.lastIndexOf(lineFeed);
    if (bytesRead === 0) yield [Buffer.concat(open).toString('utf8')];
    if (bytesRead === 0) return;
    if (end < 0) open.push(bytes);
    else {
      yield Buffer.concat([...open, bytes.subarray(0, end)])
        .toString('utf8')
        .split('\n');
      open = [bytes.subarray(end + 1)];
    }
  }
}

/** The key before a row on its line. */
const rowKey = /^ {8}("(?:[^"\\]|\\.)*"): (?=\{)/;

/** Returns the row on a line if the key before it is the id of the row; otherwise undefined. */
function rowOn(line: string): Row | undefined {
  const [before, id] = rowKey.exec(line) ?? [];
  if (before === undefined) return undefined;
  try {
    const row = JSON.parse(line.slice(before.length, line.endsWith(',') ? -1 : undefined)) as Row;
    return JSON.stringify(row.id) === id ? row : undefined;
  } catch {
    return undefined; // Parsing the whole file reports the problem.
  }
}
