import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { blockBytes, blockRows, rowsIn } from '../../world/packed-rows.js';
import { emptyState, isTableName, packedTables, type KeyFields, type State, type TableName, type Tables } from '../../world/state.js';
import type { Table } from '../../world/table.js';

const chunkBytes = 4 * 1024 * 1024;
const headBytes = 64 * 1024;
/** A file of this size is packed while it is read, in bytes: that takes a quarter of a second. The rows of a larger one are packed later. */
const packedAtOnceBytes = 128 * 1024 * 1024;
/** Rows that together are smaller are read at once, in bytes. */
const smallBytes = 8 * 1024;
const lineFeed = 0x0a;
const comma = 0x2c;
const quote = 0x22;
const colon = 0x3a;
const space = 0x20;
/** How deep a row stands in the file: the file, its worlds, a world, a table. */
const rowDepth = 4;
const rowIndent = 2 * rowDepth;

/** What was read line by line. */
export interface LinesRead {
  readonly checksum: string;
  readonly sequence: number;
  readonly worlds: Map<string, State>;
}

/** Says that a file is not laid out as this program does it, and where. */
export class OtherLayout extends Error {}

/**
 * Reads `db.json` in the layout in which it is written, one row a line, whatever its size. Rows of large tables are taken as they are.
 * @param isOwn whether the file is known to be as this program wrote it: then rows are only looked at as far as their keys go
 * @throws OtherLayout
 */
export async function readByLine(handle: FileHandle, formatVersion: number, isOwn: boolean): Promise<LinesRead> {
  const packsAtOnce = (await handle.stat()).size <= packedAtOnceBytes;
  const reader = new LineReader(formatVersion, isOwn, packsAtOnce);
  const buffers = packsAtOnce ? [newBuffer(), newBuffer()] : [];
  let rest: Buffer = Buffer.alloc(0);
  let crc = 0;
  let size = 0;
  let next = readChunk(handle, 0, buffers[0]);
  for (let chunk = await next, count = 1; chunk.bytes > 0; chunk = await next, count += 1) {
    const bytes = joined(rest, chunk); // Before the buffer that the rest stands in is used again.
    size += chunk.bytes;
    next = readChunk(handle, size, buffers[count % 2]);
    crc = crc32(chunk.buffer.subarray(headBytes, headBytes + chunk.bytes), crc);
    rest = bytes.subarray(reader.take(bytes));
  }
  if (rest.length > 0) throw new OtherLayout('its last line does not end');
  return { checksum: checksumOf(crc, size), ...reader.end() };
}

const newBuffer = () => Buffer.allocUnsafeSlow(headBytes + chunkBytes);

/** The next part of a file, with room before it for the line that the part before left open. */
async function readChunk(handle: FileHandle, position: number, buffer = newBuffer()): Promise<{ buffer: Buffer; bytes: number }> {
  const { bytesRead } = await handle.read(buffer, headBytes, chunkBytes, position);
  return { buffer, bytes: bytesRead };
}

function joined(rest: Buffer, { buffer, bytes }: { buffer: Buffer; bytes: number }): Buffer {
  if (rest.length > headBytes) return Buffer.concat([rest, buffer.subarray(headBytes, headBytes + bytes)]);
  rest.copy(buffer, headBytes - rest.length);
  return buffer.subarray(headBytes - rest.length, headBytes + bytes);
}

/** The checksum of a file, by which the journal names it. */
export function checksumOf(crc: number, size: number): string {
  return `${crc.toString(16).padStart(8, '0')}-${size}`;
}

type Row = Tables[TableName];

class LineReader {
  readonly #formatVersion: number;
  readonly #isOwn: boolean;
  readonly #packsAtOnce: boolean;
  readonly #worlds = new Map<string, State>();
  #sequence = 0;
  #line = 0;
  /** The names of the objects that are open, the file itself being the first. */
  readonly #path: string[] = [];
  /** What may come next: an item, the end of the object, or (before the first line and after the last) neither. */
  #next: 'FILE' | 'ITEM' | 'CLOSE' | 'NOTHING' = 'FILE';
  #state: State | null = null;
  #table: TableName | null = null;
  /** The rows of the block that is being gathered, and where it begins. */
  #rows: Row[] = [];
  #blockStart = 0;
  #blockEnd = 0;

  constructor(formatVersion: number, isOwn: boolean, packsAtOnce: boolean) {
    this.#packsAtOnce = packsAtOnce;
    this.#formatVersion = formatVersion;
    this.#isOwn = isOwn;
  }

  /** Takes all complete lines. @returns where the first incomplete one begins */
  take(bytes: Buffer): number {
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      this.#line += 1;
      if (this.#path.length === rowDepth && bytes[start + rowIndent] === quote) this.#takeRow(bytes, start, end);
      else this.#takeFrame(bytes.toString('utf8', start, end));
      start = end + 1;
    }
    this.#endBlock(bytes);
    return start;
  }

  end(): Omit<LinesRead, 'checksum'> {
    if (this.#next !== 'NOTHING') throw new OtherLayout('it is cut off');
    return { sequence: this.#sequence, worlds: this.#worlds };
  }

  /** A line that opens or closes an object, or holds a number. */
  #takeFrame(line: string): void {
    const depth = this.#path.length;
    const closed = /^( *)\}(,?)$/.exec(line);
    if (closed && this.#next === 'CLOSE' && closed[1]!.length === 2 * (depth - 1)) {
      this.#path.pop();
      this.#after(closed[2] === ',');
      return;
    }
    if (depth === 0 && this.#next === 'FILE' && line === '{') {
      this.#path.push('');
      this.#next = 'ITEM';
      return;
    }
    const item = /^( *)("(?:[^"\\]|\\.)*"): (\{\}?|[0-9]+)(,?)$/.exec(line);
    if (!item || this.#next !== 'ITEM' || item[1]!.length !== 2 * depth) throw this.#otherLayout();
    const name = this.#nameOf(item[2]!);
    this.#takeItem(name, item[3]!);
    if (item[3] === '{') {
      if (item[4] === ',') throw this.#otherLayout();
      this.#path.push(name);
    } else this.#after(item[4] === ',');
  }

  #takeItem(name: string, value: string): void {
    const isObject = value.startsWith('{');
    const depth = this.#path.length;
    if (depth === 1 && name === 'version' && value === String(this.#formatVersion)) return;
    if (depth === 1 && name === 'sequence' && !isObject) this.#sequence = Number(value);
    else if (depth === 1 && name === 'worlds' && isObject) return;
    else if (depth === 2 && value === '{') this.#worlds.set(name, (this.#state = emptyState()));
    else if (depth === 3 && isObject && isTableName(name)) this.#table = name;
    else throw this.#otherLayout();
  }

  #takeRow(bytes: Buffer, start: number, lineEnd: number): void {
    const goesOn = bytes[lineEnd - 1] === comma;
    const end = goesOn ? lineEnd - 1 : lineEnd;
    if (this.#next !== 'ITEM' || !this.#state || !this.#table) throw this.#otherLayout();
    for (let index = start; index < start + rowIndent; index += 1) if (bytes[index] !== space) throw this.#otherLayout();
    const fields = packedTables[this.#table];
    if (!fields) {
      const row = this.#read(bytes, start, end);
      tableOf(this.#state, this.#table).set(row.id, row);
    } else {
      if (this.#rows.length === 0) this.#blockStart = start;
      this.#blockEnd = end;
      this.#rows.push((this.#isOwn ? glance(bytes, start, end, fields) : null) ?? this.#read(bytes, start, end));
      if (this.#rows.length >= blockRows || end - this.#blockStart >= blockBytes) this.#endBlock(bytes);
    }
    if (!goesOn) this.#endBlock(bytes);
    this.#after(goesOn);
  }

  /** The row of a line. */
  #read(bytes: Buffer, start: number, end: number): Row {
    let entry: unknown;
    try {
      entry = JSON.parse(`{${bytes.toString('utf8', start, end)}}`);
    } catch {
      throw this.#otherLayout();
    }
    const [[id, row] = []] = Object.entries(entry as object) as [string, unknown][];
    if (typeof row !== 'object' || row === null || (row as Row).id !== id) throw this.#otherLayout();
    return row as Row;
  }

  #endBlock(bytes: Buffer): void {
    if (this.#rows.length === 0) return;
    const table = tableOf(this.#state!, this.#table!);
    const text = bytes.subarray(this.#blockStart, this.#blockEnd);
    if (text.length < smallBytes) for (const row of rowsIn(text)) table.set(row.id, row as Row);
    else table.addLines(text, this.#rows);
    if (this.#packsAtOnce) table.packText();
    this.#rows = [];
  }

  #after(goesOn: boolean): void {
    this.#next = goesOn ? 'ITEM' : this.#path.length === 0 ? 'NOTHING' : 'CLOSE';
  }

  #nameOf(json: string): string {
    try {
      return JSON.parse(json) as string;
    } catch {
      throw this.#otherLayout();
    }
  }

  #otherLayout(): OtherLayout {
    return new OtherLayout(`line ${this.#line} is not what stands there in a file that the sandbox wrote`);
  }
}

const tableOf = (state: State, name: TableName) => state[name] as unknown as Table<Row>;

/** How much of a line is looked through for key fields, from its beginning and from its end, in bytes. */
const glanceBytes = 360;

/** As much of a row as its keys are made of, from its line; null when that takes reading it. */
function glance(bytes: Buffer, start: number, end: number, { first, last }: KeyFields): Row | null {
  const idStart = start + rowIndent + 1;
  const idEnd = idStart + 36;
  const row: Record<string, unknown> = { id: bytes.toString('latin1', idStart, idEnd) };
  if (bytes[idEnd] !== quote || bytes[idEnd + 1] !== colon) return null;
  if (first.length > 0) {
    const head = bytes.toString('latin1', idEnd, Math.min(end, idEnd + glanceBytes));
    for (const name of first) if (!takeField(row, name, head, head.indexOf(`"${name}":`))) return null;
  }
  if (last.length > 0) {
    const tail = bytes.toString('latin1', Math.max(idEnd, end - glanceBytes), end);
    for (const name of last) if (!takeField(row, name, tail, tail.lastIndexOf(`"${name}":`))) return null;
  }
  return row as unknown as Row;
}

/** Reads a number or a text without escapes behind a field's name. @returns whether there is one */
function takeField(row: Record<string, unknown>, name: string, json: string, at: number): boolean {
  if (at < 0) return false;
  const from = at + name.length + 3;
  if (json[from] !== '"') {
    row[name] = Number.parseInt(json.slice(from, from + 16), 10);
    return Number.isSafeInteger(row[name]);
  }
  const to = json.indexOf('"', from + 1);
  row[name] = json.slice(from + 1, to);
  return to > 0 && !(row[name] as string).includes('\\');
}
