import {
  Tokenizer,
  TokenizerError,
  TokenParser,
  TokenParserError,
  TokenType,
  type ParsedElementInfo,
  type ParsedTokenInfo,
} from '@streamparser/json';
import type { Context } from 'hono';
import { invalidData } from '../../../domain/errors.js';
import { TimeSlicer } from '../../../world/turns.js';
import { reservationOf, readChunks } from './body.js';
import { forbiddenKeys } from './json-body.js';

/** Limits of the parts of a document in memory: one row, and everything outside of the rows. */
const limits = {
  row: { bytes: 8 * 1024 * 1024, values: 100_000, levels: 128 },
  outside: { bytes: 1024 * 1024, values: 10_000, levels: 64 },
};

/** Bytes to parse between two checks of the time slice. */
const pieceBytes = 16 * 1024;

/** The position of the rows in a document. */
export interface RowsPlace {
  /** Depth of the arrays that contain rows: 2 for `{"name": [row, …]}`, 3 for `{"tables": {"name": [row, …]}}`. */
  readonly level: 2 | 3;
  /** Returns whether an array at this level contains rows, given its outermost key. */
  readonly hasRows: (outerKey: string) => boolean;
  /** Maximum size of the document in bytes. */
  readonly maxBytes: number;
}

/** Callbacks for the parts of a document. Each can reject the document by throwing. */
export interface RowTaker {
  /** Called with the part of the document before the first row. */
  begin(head: unknown): void;
  /** Called with each string in a row, names of fields included. @returns the string to use */
  edit(text: string): string;
  row(table: string, index: number, row: unknown): void;
}

/**
 * Reads a document with long arrays of rows while it arrives, row by row and in time slices.
 * Holds only one row and everything outside of the rows in memory.
 * @returns the document with empty arrays
 * @throws DomainError INVALID_DATA (MALFORMED_JSON), and errors of {@link readChunks} and `taker`
 */
export async function readJsonRows(c: Context, place: RowsPlace, taker: RowTaker): Promise<unknown> {
  const holding = reservationOf(c);
  const reader = new JsonRowReader(place, taker);
  const pace = new TimeSlicer();
  await readChunks(c, place.maxBytes, async (chunk) => {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      reader.add(chunk.subarray(at, at + pieceBytes));
      holding.set(reader.heldBytes);
      if (pace.shouldYield()) await pace.yield();
    }
  });
  return reader.end();
}

const malformed = (why: string) =>
  invalidData([{ code: 'MALFORMED_JSON', message: `Invalid JSON in the request body: ${why}.`, field: 'body', params: {} }]);

/** The expected input in each state of the parser. */
const expectedIn: Readonly<Record<string, string>> = {
  VALUE: 'a value',
  KEY: 'the name of a field in double quotes',
  COLON: 'a colon',
  COMMA: 'a comma or a closing bracket',
  ENDED: 'nothing after the value',
};

class JsonRowReader {
  readonly #place: RowsPlace;
  readonly #taker: RowTaker;
  readonly #tokenizer = new Tokenizer({ stringBufferSize: 16 * 1024, numberBufferSize: 64 });
  readonly #parser = new TokenParser();
  /** Only checks that the bytes are UTF-8. */
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #writtenBytes = 0;
  /** Offset of the last token. */
  #offset = -1;
  #depth = 0;
  /** Number of values outside of the rows, and in the current row. */
  #besideValues = 0;
  #rowValues = 0;
  /** The keys of the current value outside of the rows, from the outside in: at most one for each level above the rows. */
  readonly #keys: string[] = [];
  /** The last string. It is a key if a colon follows. */
  #text = '';
  /** The table of the current row; null outside of the rows. */
  #table: string | null = null;
  #index = 0;
  #rowStart = 0;
  /** Bytes of all earlier rows. */
  #rowBytes = 0;
  readonly #seen = new Set<string>();
  #root: unknown;

  constructor(place: RowsPlace, taker: RowTaker) {
    this.#place = place;
    this.#taker = taker;
    this.#tokenizer.onToken = (token) => this.#take(token);
    this.#parser.onValue = (found) => this.#emit(found);
  }

  /** Bytes of the current row and of everything outside of the rows. */
  get heldBytes(): number {
    return this.#writtenBytes - this.#rowBytes;
  }

  add(piece: Buffer): void {
    const isUtf8 = this.#isUtf8(piece);
    try {
      this.#tokenizer.write(piece);
    } catch (error) {
      if (isUtf8) throw this.#translated(error);
    }
    if (!isUtf8) throw malformed(`${this.#where()}its bytes are not UTF-8`);
    this.#writtenBytes += piece.length;
    const rowBytes = this.#table === null ? 0 : this.#writtenBytes - this.#rowStart;
    this.#checkRowBytes(rowBytes);
    if (this.heldBytes - rowBytes > limits.outside.bytes)
      throw malformed(`the part outside of the table rows has more than ${limits.outside.bytes} bytes`);
  }

  /** @returns the document without its rows */
  end(): unknown {
    // A number at the end is complete only now.
    try {
      if (!this.#tokenizer.isEnded) this.#tokenizer.end();
    } catch (error) {
      throw this.#translated(error);
    }
    if (this.#offset < 0) throw malformed('it is empty');
    if (!this.#parser.isEnded) throw malformed(`${this.#where()}it ends in the middle`);
    return this.#root;
  }

  #isUtf8(piece: Buffer): boolean {
    try {
      this.#decoder.decode(piece, { stream: true });
      return true;
    } catch {
      return false;
    }
  }

  /** Returns the error for the client if an error is a syntax error; other errors as they are. */
  #translated(error: unknown): unknown {
    if (!(error instanceof TokenizerError || error instanceof TokenParserError)) return error;
    const expected = expectedIn[error.message.slice(error.message.lastIndexOf(' ') + 1)] ?? 'JSON';
    return malformed(`${this.#where()}after byte ${Math.max(this.#offset, 0)}: expected ${expected}`);
  }

  /** Checks a token against the limits before it becomes a part of a value. */
  #take(info: ParsedTokenInfo): void {
    this.#offset = info.offset;
    switch (info.token) {
      case TokenType.LEFT_BRACE:
      case TokenType.LEFT_BRACKET:
        this.#open(info.token === TokenType.LEFT_BRACKET);
        break;
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        return this.#close(info);
      case TokenType.COMMA:
        this.#parser.write(info);
        if (this.#table === null || this.#depth !== this.#place.level) return;
        this.#endRow();
        return this.#startRow(this.#index + 1);
      case TokenType.COLON:
        this.#parser.write(info);
        return this.#noteKey();
      case TokenType.STRING:
        this.#count();
        this.#text = this.#table === null ? (info.value as string) : this.#taker.edit(info.value as string);
        return this.#parser.write({ ...info, value: this.#text });
      default:
        this.#count();
    }
    this.#parser.write(info);
  }

  #open(isArray: boolean): void {
    const { level, hasRows } = this.#place;
    this.#count();
    this.#depth += 1;
    const [depth, { levels }] = this.#table === null ? [this.#depth, limits.outside] : [this.#depth - level, limits.row];
    if (depth > levels) throw malformed(`${this.#where()}it is nested deeper than ${levels} levels`);
    if (this.#table !== null || !isArray || this.#depth !== level || this.#keys.length !== level - 1 || !hasRows(this.#keys[0]!)) return;
    this.#table = this.#keys.at(-1)!;
    if (this.#seen.has(this.#table)) throw malformed(`it has ${this.#path()} twice`);
    this.#seen.add(this.#table);
    if (this.#seen.size === 1) this.#taker.begin(this.#root ?? {});
    this.#startRow(0);
  }

  #close(info: ParsedTokenInfo): void {
    this.#parser.write(info);
    if (this.#table !== null && this.#depth === this.#place.level) {
      this.#endRow();
      this.#table = null;
    }
    this.#depth -= 1;
    if (this.#table === null) this.#keys.length = Math.min(this.#keys.length, this.#depth);
  }

  /** Counts a value, or the name of a field until its colon. */
  #count(): void {
    const { values } = this.#table === null ? limits.outside : limits.row;
    const count = this.#table === null ? (this.#besideValues += 1) : (this.#rowValues += 1);
    // One more for the name of a field.
    if (count > values + 1) throw malformed(`${this.#where()}it has more than ${values} values`);
  }

  #noteKey(): void {
    if (this.#table !== null) return void (this.#rowValues -= 1);
    this.#besideValues -= 1;
    if (forbiddenKeys.has(this.#text)) throw malformed(`it has a key named ${this.#text}`);
    if (this.#depth >= this.#place.level) return;
    this.#keys.length = Math.min(this.#keys.length, this.#depth - 1);
    if (this.#keys.length === this.#depth - 1) this.#keys.push(this.#text);
  }

  #startRow(index: number): void {
    this.#index = index;
    this.#rowStart = this.#offset + 1;
    this.#rowValues = 0;
  }

  #endRow(): void {
    const bytes = this.#offset - this.#rowStart;
    this.#checkRowBytes(bytes);
    this.#rowBytes += bytes;
  }

  #checkRowBytes(bytes: number): void {
    if (bytes > limits.row.bytes) throw malformed(`${this.#path()}[${this.#index}] has more than ${limits.row.bytes} bytes`);
  }

  #emit({ value, parent, stack }: ParsedElementInfo): void {
    if (stack.length === 0) this.#root = value;
    else if (stack.length === 1) this.#root = parent;
    if (this.#table === null || stack.length !== this.#place.level) return;
    (parent as unknown[]).length = 0;
    this.#taker.row(this.#table, this.#index, value);
  }

  /** Position for messages: the current row, or nothing outside of the rows. */
  #where(): string {
    return this.#table === null ? '' : `${this.#path()}[${this.#index}]: `;
  }

  /** Path of the current array. */
  #path(): string {
    return this.#keys.join('.');
  }
}
