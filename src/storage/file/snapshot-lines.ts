import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { jsonMistake } from '../../domain/json-mistake.js';

const chunkBytes = 1024 * 1024;
const lineFeed = 0x0a;

type Row = { readonly id: string };

/** What stands in `db.json`. */
export interface SnapshotRead {
  /** The checksum by which the journal names the file. */
  readonly checksum: string;
  /** In bytes. */
  readonly size: number;
  /** The file as JSON, but for the rows that were parsed by themselves. */
  readonly document: unknown;
  /** The rows that were parsed by themselves, if an entry of a table in the document stands for some. */
  readonly rowsFor: (key: string, value: unknown) => readonly Row[] | null;
}

/** The checksum of a file, by which the journal names it. */
export function checksumOf(crc: number, size: number): string {
  return `${crc.toString(16).padStart(8, '0')}-${size}`;
}

/**
 * Reads `db.json` in any layout. A row on a line of its own, as the sandbox writes it, is parsed by itself: so the file may be
 * larger than the longest text that JavaScript knows. What is left, with one entry in the place of such rows in a row, is one text.
 * @throws Error naming the place of what is no JSON
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
    fail(': a file of this size can only be read when every row stands on a line of its own, as the sandbox writes it.');
  }
  return { checksum: checksumOf(crc, size), size, document: parsed(text, fail), rowsFor: left.rowsFor };
}

/** A text as JSON. `fail` gets where it is none, and why. */
function parsed(text: string, fail: (what: string) => never): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, column, expected } = jsonMistake(text);
    return fail(`:${line}:${column}: it is not JSON: expected ${expected}.`);
  }
}

/** The lines of a file without the rows on them. Each line stays a line, so that a parser names the right one. */
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

/** The key of the entry that stands for rows. */
const markOf = (run: number) => `#${run}`;

/** The lines of a file, many at a time. `note` is told of the bytes. */
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

/** What stands before a row on its line. */
const rowKey = /^ {8}("(?:[^"\\]|\\.)*"): (?=\{)/;

/** The row that has a line of its own, under its id; undefined when the line is another one. */
function rowOn(line: string): Row | undefined {
  const [before, id] = rowKey.exec(line) ?? [];
  if (before === undefined) return undefined;
  try {
    const row = JSON.parse(line.slice(before.length, line.endsWith(',') ? -1 : undefined)) as Row;
    return JSON.stringify(row.id) === id ? row : undefined;
  } catch {
    return undefined; // Whoever reads the whole says what is wrong with it.
  }
}
