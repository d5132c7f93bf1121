import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';

const inflate = promisify(inflateRaw);

/** A block is full with so much text, in bytes, or so many rows. */
export const blockBytes = 64 * 1024;
export const blockRows = 256;
/** How many blocks are kept as text after a row of theirs was read. */
const openBlocks = 16;

/** What separates two rows of a block, in memory as in `db.json`. */
export const rowMark = ',\n';

/** The line of a row in `db.json`. `json` is the row as JSON, where that is known. */
export function lineOf(row: { readonly id: string }, json = JSON.stringify(row)): string {
  return `        ${JSON.stringify(row.id)}: ${json}`;
}

/** What stands before the row on its line. */
const lineKey = /^ *"(?:[^"\\]|\\.)*": */;

/** Rows in the order of their lines, as text or as compressed text. */
interface Block {
  bytes: Buffer;
  isPacked: boolean;
  readonly rows: number;
  /** How many of the rows still have their place here. */
  left: number;
}

/** The text of a block, and where each of its lines begins. */
interface OpenBlock {
  readonly text: Buffer;
  readonly starts: readonly number[];
}

/** Blocks of all tables that were looked into of late, the latest last. */
const opened = new Map<Block, OpenBlock>();

/**
 * The number of a row's place: which block, and which line of it. Being a number, it costs a table nothing to remember.
 */
export type Place = number;

/**
 * Rows that have not changed for a while, as the lines that they are in `db.json`, compressed by the block: a tenth of their size. Reading one costs a tenth of a millisecond, less when its neighbour was just read.
 */
export class PackedRows {
  readonly #blocks: (Block | undefined)[] = [];
  /** Blocks that still are text, the oldest first. */
  readonly #unpacked = new Set<Block>();

  /** Whether blocks wait to be compressed. */
  get isLoose(): boolean {
    return this.#unpacked.size > 0;
  }

  /**
   * Takes the lines of rows, with {@link rowMark} between them, as text for now.
   * @returns the place of the first row; those of the others follow
   */
  add(text: Buffer, rows: number): Place {
    const block: Block = { bytes: text, isPacked: false, rows, left: rows };
    this.#unpacked.add(block);
    return (this.#blocks.push(block) - 1) * blockRows;
  }

  /** Compresses the oldest block that is text, which takes a fraction of a millisecond, less than another thread would take to begin. */
  pack(): void {
    for (const block of this.#unpacked) {
      this.#unpacked.delete(block);
      const packed = deflateRawSync(block.bytes, { level: 1 });
      block.bytes = Buffer.allocUnsafeSlow(packed.length); // What zlib returns is a part of a larger buffer.
      packed.copy(block.bytes);
      block.isPacked = true;
      opened.delete(block);
      return;
    }
  }

  /** The row at a place. */
  read(place: Place): unknown {
    return rowAt(this.#block(place), place);
  }

  /** Takes note that a row has left its place. */
  leave(place: Place): void {
    const block = this.#block(place);
    block.left -= 1;
    if (block.left > 0) return;
    opened.delete(block);
    this.#unpacked.delete(block);
    this.#blocks[Math.floor(place / blockRows)] = undefined;
  }

  /** The blocks as they are, for {@link partsOf}, whatever becomes of their rows. */
  blocks(): readonly (Block | undefined)[] {
    return this.#blocks.slice();
  }

  #block(place: Place): Block {
    return blockAt(this.#blocks, place);
  }
}

function blockAt(blocks: readonly (Block | undefined)[], place: Place): Block {
  const block = blocks[Math.floor(place / blockRows)];
  if (!block) throw new Error('There is no row at this place.');
  return block;
}

/** The rows that the text of a block shows. */
export function rowsIn(text: Buffer): { readonly id: string }[] {
  return Object.values(JSON.parse(`{${text.toString('utf8')}}`) as Record<string, { id: string }>);
}

function rowAt(block: Block, place: Place): unknown {
  return Object.values(JSON.parse(`{${lineAt(block, place)}}`) as object)[0];
}

function lineAt(block: Block, place: Place): string {
  const { text, starts } = open(block);
  const index = place % blockRows;
  const end = index + 1 < starts.length ? starts[index + 1]! - rowMark.length : text.length;
  return text.toString('utf8', starts[index], end);
}

function open(block: Block): OpenBlock {
  const known = opened.get(block);
  if (known) return known;
  const text = block.isPacked ? inflateRawSync(block.bytes) : block.bytes;
  const starts = [0];
  for (let at = text.indexOf(rowMark); at >= 0; at = text.indexOf(rowMark, starts.at(-1))) starts.push(at + rowMark.length);
  if (starts.length !== block.rows) throw new Error('A block of rows is damaged.');
  if (opened.size >= openBlocks) opened.delete(opened.keys().next().value!);
  opened.set(block, { text, starts });
  return { text, starts };
}

/** Rows and places as the text of `db.json` has them, part by part: a whole block as its bytes, every other row as its line. */
export function* partsOf(
  rows: readonly ({ readonly id: string } | Place)[],
  blocks: readonly (Block | undefined)[],
): Generator<string | Promise<Buffer>> {
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index]!;
    if (typeof row !== 'number') {
      yield lineOf(row);
      continue;
    }
    const block = blockAt(blocks, row);
    if (row % blockRows === 0 && isRun(rows, index, block.rows)) {
      yield block.isPacked ? inflate(block.bytes) : Promise.resolve(block.bytes);
      index += block.rows - 1;
    } else yield lineAt(block, row);
  }
}

/** Rows and places as rows. */
export function* rowsOf<R extends { readonly id: string }>(
  rows: readonly (R | Place)[],
  blocks: readonly (Block | undefined)[],
): Generator<R> {
  for (const row of rows) yield typeof row === 'number' ? (rowAt(blockAt(blocks, row), row) as R) : row;
}

/** Rows and places as the JSON of each row. */
export function* textsOf(rows: readonly ({ readonly id: string } | Place)[], blocks: readonly (Block | undefined)[]): Generator<string> {
  for (const row of rows) yield typeof row === 'number' ? lineAt(blockAt(blocks, row), row).replace(lineKey, '') : JSON.stringify(row);
}

/** Whether so many places follow one another. */
function isRun(rows: readonly ({ readonly id: string } | Place)[], from: number, count: number): boolean {
  const first = rows[from] as Place;
  for (let index = 1; index < count; index += 1) if (rows[from + index] !== first + index) return false;
  return true;
}
