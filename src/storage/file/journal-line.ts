import { crc32 } from 'node:zlib';
import type { Change, WorldRows } from '../../world/state.js';

/** One put (`[table, row]`), one delete (`[table, id]`), or a new empty world (`[]`). */
export type Step = readonly [] | readonly [table: string, rowOrId: { readonly id: string } | string];

/** A line of the journal: the changes of a commit, or the checksum of the checkpoint in `db.json`. */
export type JournalLine =
  | { readonly s: number; readonly w: string; readonly o: readonly Step[]; readonly more?: true }
  | { readonly s: number; readonly w: string; readonly gone: true }
  | { readonly s: number; readonly base: string | null };

/** A commit: changes to rows, a new state of a world, or the deletion of a world. */
export type Commit =
  | { readonly world: string; readonly changes: readonly Change[] }
  | { readonly world: string; readonly rows: WorldRows }
  | { readonly world: string; readonly dropped: true };

/** Maximum number of steps in one line, which limits the time to write the line. */
const stepsPerLine = 100;
/** Number of hex digits of a checksum. */
const checksumLength = 8;
/** Initial size of a line buffer, in bytes. */
const bufferBytes = 256 * 1024;

export function jsonOfLine(line: JournalLine): string {
  return JSON.stringify(line);
}

/** Returns a commit as JSON lines. A large commit has several lines with the same sequence number; all but the last have `more`. */
export function* linesOf(sequence: number, commit: Commit): Generator<string> {
  const { world } = commit;
  if ('dropped' in commit) {
    yield jsonOfLine({ s: sequence, w: world, gone: true });
    return;
  }
  let steps: Step[] = [];
  for (const step of stepsOf(commit)) {
    if (steps.length >= stepsPerLine) {
      yield jsonOfLine({ s: sequence, w: world, o: steps, more: true });
      steps = [];
    }
    steps.push(step);
  }
  yield jsonOfLine({ s: sequence, w: world, o: steps });
}

function stepsOf(commit: Exclude<Commit, { dropped: true }>): Iterable<Step> {
  return 'changes' in commit ? commit.changes.map(({ table, id, row }): Step => [table, row ?? id]) : stepsOfRows(commit.rows);
}

function* stepsOfRows(all: WorldRows): Generator<Step> {
  yield [];
  for (const [table, rows] of all) for (const row of rows) yield [table, row];
}

/** Buffers text for a file: lines of checksum, JSON and line feed, or any text. A line is encoded once, and the checksum covers its bytes. */
export class LineBuffer {
  #bytes = Buffer.allocUnsafe(bufferBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(json: string): void {
    this.#makeRoom(checksumLength + 2 + 3 * json.length); // A UTF-16 unit needs at most three bytes.
    const from = this.#length + checksumLength + 1;
    const end = from + this.#bytes.write(json, from);
    this.#bytes.write(`${checksumOf(this.#bytes.subarray(from, end))} `, this.#length, 'latin1');
    this.#bytes[end] = lineFeed;
    this.#length = end + 1;
  }

  /** Adds a text without a checksum. */
  addText(text: string): void {
    this.#makeRoom(3 * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Returns the bytes added since the previous `take()`; valid until the next `add()`. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    if (this.#bytes.length > 2 * bufferBytes) this.#bytes = Buffer.allocUnsafe(bufferBytes);
    return taken;
  }

  #makeRoom(bytes: number): void {
    if (this.#bytes.length - this.#length >= bytes) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** Damage in a journal file, with the byte offset. */
export class JournalDamage extends Error {
  constructor(
    readonly offset: number,
    what: string,
  ) {
    super(what);
  }
}

const lineFeed = 0x0a;
/** Sign of bytes that a power failure left as zeros. A line contains no zeros, and one flipped bit makes at most one zero. */
const unwritten = Buffer.alloc(8);

/** The contents of a segment. */
export interface SegmentContent {
  readonly lines: readonly { readonly offset: number; readonly line: JournalLine }[];
  /** End of the last line in bytes; the rest must be cut off. */
  readonly length: number;
  /** Whether the last line has no line feed. */
  readonly endsOpen: boolean;
}

/**
 * Reads the lines of a segment. An interrupted write leaves a last line without a line feed, or zeros in or after the last line. Such a
 * line was never acknowledged and is left out. A complete line with a wrong checksum, and invalid text before a complete line, were
 * acknowledged: both are damage.
 * @throws JournalDamage
 */
export function readLines(bytes: Buffer): SegmentContent {
  const lines: { offset: number; line: JournalLine }[] = [];
  let offset = 0;
  for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, offset)) {
    const line = readLine(bytes.subarray(offset, end));
    if (line === undefined) {
      refuseWholeLines(bytes, offset);
      if (bytes.subarray(offset, end).includes(unwritten)) return { lines, length: offset, endsOpen: false };
      throw new JournalDamage(offset, 'the checksum of a line is wrong');
    }
    lines.push({ offset, line });
    offset = end + 1;
  }
  // If its checksum is right, the last line is complete: only its line feed was lost or changed.
  for (const length of [bytes.length, bytes.length - 1]) {
    const line = readLine(bytes.subarray(offset, length));
    if (line !== undefined) return { lines: [...lines, { offset, line }], length, endsOpen: true };
  }
  refuseWholeLines(bytes, offset);
  return { lines, length: offset, endsOpen: false };
}

/** @throws JournalDamage if a complete line follows an incomplete line */
function refuseWholeLines(bytes: Buffer, offset: number): void {
  for (let start = offset; start < bytes.length;) {
    const feed = bytes.indexOf(lineFeed, start);
    const end = feed < 0 ? bytes.length : feed;
    const from = start + bytes.subarray(start, end).lastIndexOf(0) + 1; // Zeros may have replaced the line feed before this line.
    if (readLine(bytes.subarray(from, end)) !== undefined)
      throw new JournalDamage(offset, `the checksum of a line is wrong, and a complete line follows at byte ${from}`);
    start = end + 1;
  }
}

function readLine(bytes: Buffer): JournalLine | undefined {
  const json = bytes.subarray(checksumLength + 1);
  if (json.length === 0 || bytes[checksumLength] !== 0x20 || bytes.toString('latin1', 0, checksumLength) !== checksumOf(json))
    return undefined;
  return JSON.parse(json.toString('utf8')) as JournalLine;
}

function checksumOf(data: Buffer): string {
  return crc32(data).toString(16).padStart(checksumLength, '0');
}
