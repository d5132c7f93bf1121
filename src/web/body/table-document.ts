import type { Context } from 'hono';
import { jsonMistake } from '../../domain/json-mistake.js';
import { invalidData } from '../../domain/errors.js';
import { TimeSlicer } from '../../world/turns.js';
import { holdingOf, readChunks } from './body.js';
import { CollectedBytes } from './collected-bytes.js';
import { isTooBroad, structureFault } from './json-structure.js';

/** Limits of the parts of a document in memory: one row, and everything outside of the rows. */
const documentLimits = {
  rowBytes: 8 * 1024 * 1024,
  rowValues: 100_000,
  rowLevels: 128,
  outerBytes: 1024 * 1024,
  besideValues: 10_000,
  besideLevels: 64,
};

/** Bytes to parse between two checks of the time slice. */
const pieceBytes = 64 * 1024;

/** The position of the rows in a document. */
export interface RowsPlace {
  /** Depth of the arrays that contain rows: 2 for `{"name": [row, …]}`, 3 for `{"tables": {"name": [row, …]}}`. */
  readonly level: 2 | 3;
  /** Returns whether an array at this level contains rows, given its keys from the outside in. */
  readonly hasRows: (keys: readonly [string, string]) => boolean;
  /** Maximum size of the document in bytes. */
  readonly maxBytes: number;
}

/** Callbacks for the parts of a document. Each can reject the document by throwing. */
export interface RowTaker {
  /** Called with the part of the document before the first row. */
  begin(head: unknown): void;
  /** Called with the text of a row before it is parsed. @returns the text to parse */
  edit(text: string): string;
  row(table: string, index: number, row: unknown): void;
}

/**
 * Reads a document with long arrays of rows while it arrives, row by row and in time slices.
 * Holds only one row and everything outside of the rows in memory.
 * @returns the document with empty arrays
 * @throws DomainError INVALID_DATA (MALFORMED_JSON), and errors of {@link readChunks} and `taker`
 */
export async function readTableDocument(c: Context, place: RowsPlace, taker: RowTaker): Promise<unknown> {
  const holding = holdingOf(c);
  const reader = new TableDocumentReader(place, taker, (bytes) => holding.set(bytes));
  const pace = new TimeSlicer();
  await readChunks(c, place.maxBytes, async (chunk) => {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      reader.add(chunk.subarray(at, at + pieceBytes));
      if (pace.shouldYield()) await pace.yield();
    }
  });
  return reader.end();
}

const code = (letter: string) => letter.charCodeAt(0);
const [quote, backslash, comma, colon] = ['"', '\\', ',', ':'].map(code) as [number, number, number, number];
const [openBrace, closeBrace, openBracket, closeBracket] = ['{', '}', '[', ']'].map(code) as [number, number, number, number];

const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const malformed = (why: string) =>
  invalidData([{ code: 'MALFORMED_JSON', message: `Invalid JSON in the request body: ${why}.`, field: 'body', params: {} }]);

/** Finds the rows in a document. `JSON.parse` detects syntax errors later, in a row or in the rest of the document. */
class TableDocumentReader {
  readonly #where: RowsPlace;
  readonly #taker: RowTaker;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** The document without its rows, so far. */
  readonly #outer: CollectedBytes;
  /** The beginning of a row from earlier pieces. */
  readonly #row: CollectedBytes;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** The last keys outside of the rows, on levels 1 and 2. */
  #keys: [string, string] = ['', ''];
  /** Offset of the last string outside of the rows. */
  #textStart = 0;
  /** The table of the current row; null outside of the rows. */
  #table: string | null = null;
  readonly #seen = new Set<string>();
  #index = 0;
  #rowMarks = 0;

  constructor(where: RowsPlace, taker: RowTaker, hold: (bytes: number) => void) {
    this.#where = where;
    this.#taker = taker;
    let outerBytes = 0;
    let rowBytes = 0;
    this.#outer = new CollectedBytes(documentLimits.outerBytes, (bytes) => hold((outerBytes = bytes) + rowBytes));
    this.#row = new CollectedBytes(documentLimits.rowBytes, (bytes) => hold((rowBytes = bytes) + outerBytes));
  }

  add(piece: Buffer): void {
    const { level, hasRows } = this.#where;
    /** Offset of the first byte that is not in a buffer yet. */
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at]!;
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#inString = false;
        continue;
      }
      switch (byte) {
        case quote:
          this.#inString = true;
          if (this.#table === null) this.#textStart = this.#outer.size + at - from;
          break;
        case openBrace:
        case openBracket:
          this.#depth += 1;
          if (this.#table !== null) this.#count();
          else if (byte === openBracket && this.#depth === level && hasRows(this.#keys)) {
            this.#keep(this.#outer, piece.subarray(from, at + 1));
            from = at + 1;
            this.#enter();
          } else if (this.#depth === level - 1) this.#keys[level - 2] = '';
          break;
        case closeBrace:
        case closeBracket:
          if (this.#table !== null && this.#depth === level) {
            this.#endRow(piece.subarray(from, at), true);
            from = at;
            this.#table = null;
          }
          this.#depth -= 1;
          break;
        case comma:
          if (this.#table === null) break;
          if (this.#depth > level) this.#count();
          else {
            this.#endRow(piece.subarray(from, at), false);
            from = at + 1;
          }
          break;
        case colon:
          if (this.#table !== null || this.#depth >= level) break;
          this.#keep(this.#outer, piece.subarray(from, at));
          from = at;
          this.#keys[this.#depth - 1] = this.#lastText();
          break;
      }
    }
    this.#keep(this.#table === null ? this.#outer : this.#row, piece.subarray(from));
  }

  /** @returns the document without its rows */
  end(): unknown {
    if (this.#outer.bytes.every(isBlank)) throw malformed('it is empty');
    if (isTooBroad(this.#outer.bytes, documentLimits.besideValues))
      throw malformed(`it has more than ${documentLimits.besideValues} values`);
    const value = this.#parse(this.#outer.bytes);
    const fault = structureFault(value, { levels: documentLimits.besideLevels, values: documentLimits.besideValues });
    if (fault !== null) throw malformed(fault);
    return value;
  }

  #keep(buffer: CollectedBytes, piece: Buffer): void {
    const isRow = buffer === this.#row;
    const maximum = isRow ? documentLimits.rowBytes : documentLimits.outerBytes;
    if (buffer.size + piece.length > maximum)
      throw malformed(`${isRow ? this.#place() : 'the part outside of the table rows'} has more than ${maximum} bytes`);
    if (piece.length > 0) buffer.add(piece);
  }

  /** Returns the last string outside of the rows; empty if it is not a string. */
  #lastText(): string {
    try {
      return String(JSON.parse(this.#outer.bytes.toString('utf8', this.#textStart)));
    } catch {
      return '';
    }
  }

  /** Starts the rows of a table. */
  #enter(): void {
    const { level } = this.#where;
    this.#table = this.#keys[level - 2]!;
    if (this.#seen.has(this.#table)) throw malformed(`it has ${this.#path()} twice`);
    this.#seen.add(this.#table);
    this.#index = 0;
    this.#rowMarks = 0;
    if (this.#seen.size === 1) this.#taker.begin(this.#parse(Buffer.concat([this.#outer.bytes, Buffer.from(`]${'}'.repeat(level - 1)}`)])));
  }

  /** Counts brackets and commas, at most two for each value, to reject a row with far too many values before parsing it. */
  #count(): void {
    this.#rowMarks += 1;
    if (this.#rowMarks > 2 * documentLimits.rowValues)
      throw malformed(`${this.#place()}: it has more than ${documentLimits.rowValues} values`);
  }

  #endRow(piece: Buffer, isLast: boolean): void {
    this.#keep(this.#row, piece);
    const text = this.#row.bytes;
    // Empty brackets are valid only for a table without rows.
    if (isLast && this.#index === 0 && text.every(isBlank)) return this.#row.clear();
    const row = this.#parse(text, `${this.#place()}: `, (each) => this.#taker.edit(each));
    const fault = structureFault(row, { levels: documentLimits.rowLevels, values: documentLimits.rowValues, anyKey: true });
    if (fault !== null) throw malformed(`${this.#place()}: ${fault}`);
    this.#taker.row(this.#table!, this.#index, row);
    this.#row.clear();
    this.#index += 1;
    this.#rowMarks = 0;
  }

  #place(): string {
    return `${this.#path()}[${this.#index}]`;
  }

  /** Path of the current array. */
  #path(): string {
    return this.#where.level === 2 ? this.#table! : `${this.#keys[0]}.${this.#table}`;
  }

  #parse(bytes: Buffer, place = '', edit = (text: string) => text): unknown {
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      throw malformed(`${place}its bytes are not UTF-8`);
    }
    try {
      return JSON.parse(edit(text));
    } catch {
      throw malformed(`${place}expected ${jsonMistake(text).expected}`);
    }
  }
}
