import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { parseJson } from './json-place.js';

const chunkBytes = 1024 * 1024;
const lineFeed = 0x0a;

/** What stands in `db.json`. */
export interface SnapshotRead {
  /** The checksum by which the journal names the file. */
  readonly checksum: string;
  /** In bytes. */
  readonly size: number;
  /** The file as JSON, but for the rows that were parsed by themselves. */
  readonly document: unknown;
  /** What stands in a table of the document under a key: itself, or the row that was parsed by itself. */
  readonly valueOf: (key: string, value: unknown) => unknown;
}

/** The checksum of a file, by which the journal names it. */
export function checksumOf(crc: number, size: number): string {
  return `${crc.toString(16).padStart(8, '0')}-${size}`;
}

/**
 * Reads `db.json` in any layout. A row on a line of its own, as the sandbox writes it, is parsed by itself: so the file may be
 * larger than the longest text that JavaScript knows. Of what is left, with a number in the place of each such row, a text is made.
 * @throws Error naming the place of what is no JSON
 */
export async function readByLine(path: string, handle: FileHandle): Promise<SnapshotRead> {
  const rows: unknown[] = [];
  const left: string[] = [];
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
    for await (const lines of linesOf(handle, note)) {
      for (const line of lines) {
        const row = rowOn(line);
        left.push(row === undefined ? line : `        "${markOf(rows.length)}": ${rows.push(row) - 1}${line.endsWith(',') ? ',' : ''}`);
      }
    }
    text = left.join('\n');
  } catch (error) {
    if (!(error instanceof RangeError) && (error as NodeJS.ErrnoException).code !== 'ERR_STRING_TOO_LONG') throw error;
    fail(': a file of this size can only be read when every row stands on a line of its own, as the sandbox writes it.');
  }
  const document = parseJson(text, fail);
  const valueOf = (key: string, value: unknown) => (typeof value === 'number' && key === markOf(value) ? rows[value] : value);
  return { checksum: checksumOf(crc, size), size, document, valueOf };
}

/** The key of a row that is not there; no number, so that rows stay in their order. */
const markOf = (index: number) => `#${index}`;

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
function rowOn(line: string): { readonly id: string } | undefined {
  const [before, id] = rowKey.exec(line) ?? [];
  if (before === undefined) return undefined;
  try {
    const row = JSON.parse(line.slice(before.length, line.endsWith(',') ? -1 : undefined)) as { readonly id: string };
    return JSON.stringify(row.id) === id ? row : undefined;
  } catch {
    return undefined; // Whoever reads the whole says what is wrong with it.
  }
}
