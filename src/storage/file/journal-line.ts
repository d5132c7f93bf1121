import { crc32 } from 'node:zlib';
import type { Change, WorldRows } from '../../world/state.js';

/** One put (`[table, row]`), one delete (`[table, id]`), or the start of a world from nothing (`[]`). */
export type Step = readonly [] | readonly [table: string, rowOrId: { readonly id: string } | string];

/** A line of the journal: what a commit did, or which checkpoint stands in `db.json`. */
export type JournalLine =
  | { readonly s: number; readonly w: string; readonly o: readonly Step[]; readonly more?: true }
  | { readonly s: number; readonly w: string; readonly gone: true }
  | { readonly s: number; readonly base: string | null };

/** What a commit did: to rows of a world, to a world as a whole, or that it is gone. */
export type Commit =
  | { readonly world: string; readonly changes: readonly Change[] }
  | { readonly world: string; readonly rows: WorldRows }
  | { readonly world: string; readonly dropped: true };

/** So few that no line takes long to write. */
const stepsPerLine = 100;
/** The hex digits of a checksum. */
const checksumLength = 8;
/** How much a buffer for lines takes without growing. */
const bufferBytes = 256 * 1024;

/** A line as JSON. */
export function jsonOfLine(line: JournalLine): string {
  return JSON.stringify(line);
}

/** The lines of a commit as JSON: one, or several of the same sequence for a large one, of which all but the last say `more`. */
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

function* stepsOf(commit: Exclude<Commit, { dropped: true }>): Generator<Step> {
  if ('changes' in commit) {
    for (const { table, id, row } of commit.changes) yield [table, row ?? id];
    return;
  }
  yield [];
  for (const [table, rows] of commit.rows) for (const row of rows) yield [table, row];
}

/** Lines on their way to a file, as checksum, JSON and line feed. Each is encoded once, and its checksum is that of its bytes. */
export class LineBuffer {
  #bytes = Buffer.allocUnsafe(bufferBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(json: string): void {
    this.#makeRoom(checksumLength + 2 + 3 * json.length); // No unit of a string takes more than three bytes.
    const from = this.#length + checksumLength + 1;
    const end = from + this.#bytes.write(json, from);
    this.#bytes.write(`${checksumOf(this.#bytes.subarray(from, end))} `, this.#length, 'latin1');
    this.#bytes[end] = lineFeed;
    this.#length = end + 1;
  }

  /** What was added since the last time; good until more is added. */
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

/** Damage in a journal, at a byte of its file. */
export class JournalDamage extends Error {
  constructor(
    readonly offset: number,
    what: string,
  ) {
    super(what);
  }
}

const lineFeed = 0x0a;
/** What a power loss left unwritten is zero; a line holds no zeros, and damage of a bit makes no more than one. */
const unwritten = Buffer.alloc(8);

/** What stands in a segment. */
export interface SegmentContent {
  readonly lines: readonly { readonly offset: number; readonly line: JournalLine }[];
  /** Where the last line ends; what stands behind it is to be cut off. */
  readonly length: number;
  /** Whether the last line lacks its line feed. */
  readonly endsOpen: boolean;
}

/**
 * Reads the lines of a segment.
 *
 * A write that was cut off leaves text without a line feed at the end, or unwritten bytes in the last line or behind it; it was never
 * acknowledged and is left out. A complete line whose checksum does not fit was acknowledged, and so was all that whole lines follow:
 * neither is ever taken for such a tail.
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
      throw new JournalDamage(offset, 'a line does not fit its checksum');
    }
    lines.push({ offset, line });
    offset = end + 1;
  }
  // A last line whose checksum fits is whole: its line feed alone was lost, or turned into another byte.
  for (const length of [bytes.length, bytes.length - 1]) {
    const line = readLine(bytes.subarray(offset, length));
    if (line !== undefined) return { lines: [...lines, { offset, line }], length, endsOpen: true };
  }
  refuseWholeLines(bytes, offset);
  return { lines, length: offset, endsOpen: false };
}

/** @throws JournalDamage when a whole line stands somewhere behind the place of one that is not */
function refuseWholeLines(bytes: Buffer, offset: number): void {
  for (let start = offset; start < bytes.length;) {
    const feed = bytes.indexOf(lineFeed, start);
    const end = feed < 0 ? bytes.length : feed;
    const from = Math.max(start, bytes.lastIndexOf(0, end - 1) + 1); // Zeros may have taken the place of the line feed before it.
    if (readLine(bytes.subarray(from, end)) !== undefined)
      throw new JournalDamage(offset, `a line does not fit its checksum, and a whole one follows at byte ${from}`);
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
