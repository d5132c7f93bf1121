import { quoted } from '../../../contract/shared/messages/quoted.js';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import type { Context } from 'hono';
import {
  keyFields,
  maxRecordBytes,
  StatusWordsSchema,
  ToleranceSchema,
  type ReconcileQuery,
  type ReconcileSettings,
  type Section,
} from '../../../contract/control/analysis/reconcile.js';
import { nearestName } from '../../../contract/shared/messages/nearest.js';
import type { ErrorItem } from '../../../contract/shared/errors.js';
import { DomainError, invalidData } from '../../../domain/errors.js';
import { readBytes } from '../../../api/plane/body/body.js';
import { checkBody } from '../../../api/plane/validation.js';
import { TimeSlicer } from '../../../world/turns.js';
import { RowReader, type Records } from './records.js';

const keys = keyFields.filter((name) => name !== 'id');
/** The fields of each section, as column names. */
const fieldsOfSection: Readonly<Record<Section, readonly string[]>> = {
  operations: ['ref', 'id', ...keys, 'status', 'source.value', 'source.asset', 'target.value', 'target.asset', 'account', 'purpose', 'at'],
  entries: ['ref', 'operation', ...keys, 'account', 'asset', 'value', 'at'],
  balances: ['ref', 'account', 'asset', 'value'],
};

/** Maximum number of columns, and of characters in one row. */
const limits = { columns: 200, rowCharacters: 64 * 1024 } as const;
/** Number of bytes to parse between two checks of the time slice. */
const pieceBytes = 16 * 1024;

const csvError = (message: string, name = 'body', code: ErrorItem['code'] = 'INVALID_FORMAT') =>
  invalidData([{ code, message, field: name, params: {} }]);

/** The columns of a file: the field of each, or null if it is ignored. */
interface Columns {
  readonly names: readonly string[];
  readonly fields: readonly (readonly string[] | null)[];
}

/** Reads one section of records as CSV. @throws DomainError INVALID_DATA, PAYLOAD_TOO_LARGE */
export async function readCsvRecords(context: Context, query: ReconcileQuery): Promise<Records> {
  const { section, map } = query;
  if (section === undefined) {
    const message = 'section: expected operations, entries or balances, because a CSV file has the rows of one section.';
    throw csvError(message, 'query:section', 'REQUIRED');
  }
  const settings = settingsOf(query, section);
  const mapped = mappingOf(map, section);
  const bytes = await readBytes(context, maxRecordBytes);
  if (isUtf16(bytes)) throw csvError('The file is UTF-16. Save it as UTF-8.');
  const { delimiter, skipped } = layoutOf(bytes);
  /** Number of lines before the names of the columns. */
  const before = skipped > 0 ? 1 : 0;
  const isTabbed = delimiter === '\t';
  const reader = new RowReader();
  let columns: Columns | undefined;
  let index = 0;
  const pace = new TimeSlicer();
  const parser = parse({
    bom: true,
    info: true,
    delimiter,
    // Databases write tab-separated values without quotes, and escape tabs and line ends.
    ...(isTabbed ? { quote: false } : {}),
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: limits.rowCharacters,
  });
  const take = ({ record: cells, info }: ParsedRow) => {
    const record = isTabbed ? cells.map(unescaped) : cells;
    if (!columns) columns = columnsOf(record, mapped, section);
    else {
      reader.add(section, index, rowOf(record, columns), placeIn(columns, before + info.lines));
      index += 1;
    }
  };
  const separators = new SeparatorCounter(delimiter, before, !isTabbed);
  let failure: unknown;
  try {
    await pipeline(Readable.from(pieces(bytes.subarray(skipped), separators, pace)), parser, async (rows: AsyncIterable<ParsedRow>) => {
      try {
        for await (const row of rows) {
          take(row);
          if (pace.shouldYield()) await pace.yield();
        }
      } catch (error) {
        failure = error;
        throw error;
      }
    });
  } catch (error) {
    // The pipeline may report only that it was aborted.
    const cause = [failure, error].find((each) => each instanceof DomainError || each instanceof CsvError) ?? error;
    throw cause instanceof CsvError ? csvError(messageOf(cause, before, isTabbed)) : cause;
  }
  if (!columns) throw csvError('The body: expected a first line with the names of the columns; it is empty.', 'body', 'REQUIRED');
  const { names, fields } = columns;
  return reader.end(
    settings,
    new Set([section]),
    names.filter((_name, at) => fields[at] === null),
  );
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Number of separators of a row at which reading stops. Rows with fewer get a message with their number of columns. */
const maxSeparators = 10 * limits.columns;

/** Counts the separators of each row while it is read: the parser limits only the characters between them. */
class SeparatorCounter {
  readonly #separator: number;
  readonly #hasQuotes: boolean;
  #line: number;
  #count = 0;
  #isQuoted = false;
  #last = 0;

  /** @param before number of lines before the text */
  constructor(separator: string, before: number, hasQuotes: boolean) {
    this.#separator = separator.charCodeAt(0);
    this.#hasQuotes = hasQuotes;
    this.#line = before + 1;
  }

  /** @throws DomainError INVALID_DATA for a row with far too many separators */
  add(text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === quote) this.#isQuoted = this.#hasQuotes && !this.#isQuoted;
      else if (unit === lineFeed || unit === carriageReturn) {
        if (unit === carriageReturn || this.#last !== carriageReturn) this.#line += 1;
        if (!this.#isQuoted) this.#count = 0;
      } else if (unit === this.#separator && !this.#isQuoted) this.#count += 1;
      this.#last = unit;
      if (this.#count > maxSeparators) throw csvError(`line ${this.#line}: expected at most ${limits.columns} columns; got more.`);
    }
  }
}

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];

/** Returns the decoded text in small pieces, and yields to other work between them. */
async function* pieces(bytes: Buffer, separators: SeparatorCounter, pace: TimeSlicer): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (pace.shouldYield()) await pace.yield();
    let text: string;
    try {
      text = decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: at + pieceBytes < bytes.length });
    } catch {
      throw csvError('The body: expected UTF-8; its bytes are not UTF-8. Export the file as "CSV UTF-8".');
    }
    separators.add(text);
    yield text;
  }
}

/** True for UTF-16, with or without a byte-order mark: the letters of a first line have zero bytes between them. */
const isUtf16 = ([first, second]: Buffer) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0;

/** A first line that only names the separator, for spreadsheets. */
const separatorLine = /^"?sep=([^\w"])"?$/i;

/**
 * Returns the separator of a file, and the number of bytes to skip before the names of the columns. Spreadsheets of some countries write
 * semicolons or tabs.
 */
function layoutOf(bytes: Buffer): { delimiter: string; skipped: number } {
  const start = bytes.toString('utf8', 0, limits.rowCharacters);
  const [line = ''] = start.replace(/^\ufeff/, '').split(/[\r\n]/, 1);
  const named = separatorLine.exec(line)?.[1];
  if (named !== undefined) {
    const [first = ''] = /^.*(\r\n|\n|\r|$)/.exec(start) ?? [];
    return { delimiter: named, skipped: Buffer.byteLength(first) };
  }
  const count = (sign: string) => line.split(sign).length;
  return { delimiter: [',', ';', '\t'].reduce((most, sign) => (count(sign) > count(most) ? sign : most)), skipped: 0 };
}

const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' };

/** Returns the text of a tab-separated value, as MySQL and PostgreSQL write it; empty for no value. */
function unescaped(cell: string): string {
  const value = cell.trim();
  if (value === String.raw`\N` || value === 'NULL') return '';
  return value.replace(/\\(.)/gs, (_all, sign: string) => escapes[sign] ?? sign);
}

/** Returns the columns of a first line. @throws DomainError INVALID_DATA */
function columnsOf(names: readonly string[], mapped: ReadonlyMap<string, string>, section: Section): Columns {
  if (names.length > limits.columns) throw csvError(`line 1: expected at most ${limits.columns} columns; got ${names.length}.`);
  const known = fieldsOfSection[section];
  const trimmed = names.map((each) => each.trim());
  const missing = [...mapped.keys()].find((each) => !trimmed.includes(each));
  if (missing !== undefined)
    throw csvError(`map: expected columns of the first line (${shown(trimmed)}); got "${missing}".`, 'query:map', 'INVALID_ENUM');
  const targets = new Set(mapped.values());
  const fields = trimmed.map((name) => mapped.get(name) ?? (known.includes(name) && !targets.has(name) ? name : null));
  const twice = fields.find((each, at) => each !== null && fields.indexOf(each) < at);
  if (twice !== undefined) throw csvError(`line 1: expected one column for ${twice}; got several.`, 'body', 'DUPLICATE_ENTRY');
  if (fields.every((each) => each === null)) {
    throw csvError(
      `line 1: expected columns named ${known.join(', ')}, or a mapping such as ?map=${trimmed[0] || 'provider_ref'}:${known[1]!}; got ${shown(trimmed)}.`,
    );
  }
  return { names: trimmed, fields: fields.map((each) => each?.split('.') ?? null) };
}

const shown = (names: readonly string[]) => quoted(names.slice(0, 10).join(', '), 200);

/** Returns a row with its fields in objects. An empty cell is a missing field. */
function rowOf(cells: readonly string[], { fields }: Columns): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [at, path] of fields.entries()) {
    const value = cells[at]!.trim();
    if (path === null || value === '') continue;
    const [outer, inner] = path as [string, string?];
    if (inner === undefined) row[outer] = value;
    else row[outer] = { ...(row[outer] as object | undefined), [inner]: value };
  }
  return row;
}

/** Returns a function that describes the position of a field: line and column. */
const placeIn =
  ({ names, fields }: Columns, line: number) =>
  (path: string): string => {
    const at = fields.findIndex((each) => each?.join('.') === path);
    return at < 0 ? `line ${line}${path === '' ? '' : `, ${path}`}` : `line ${line}, column ${at + 1} "${names[at]}"`;
  };

/** Returns the field of each mapped column, by column name. @throws DomainError INVALID_DATA */
function mappingOf(map: string | undefined, section: Section): Map<string, string> {
  const known = fieldsOfSection[section];
  const mapped = new Map<string, string>();
  for (const pair of map === undefined ? [] : map.split(',')) {
    const end = pair.lastIndexOf(':');
    const [column, name] = [pair.slice(0, Math.max(end, 0)).trim(), pair.slice(end + 1).trim()];
    if (column === '') throw csvError(`map: expected pairs such as provider_ref:id, separated by commas; got "${pair}".`, 'query:map');
    if (!known.includes(name)) {
      const nearest = nearestName(name, known);
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
      throw csvError(`map: expected a field of ${section} (${known.join(', ')}); got "${name}"${hint}`, 'query:map', 'INVALID_ENUM');
    }
    mapped.set(column, name);
  }
  return mapped;
}

/** Returns the settings in the query. @throws DomainError INVALID_DATA */
function settingsOf({ asOf, complete, statuses, tolerance }: ReconcileQuery, section: Section): ReconcileSettings {
  if (complete !== undefined && complete !== section)
    throw csvError(`complete: expected ${section}, the section of the rows; got ${complete}.`, 'query:complete', 'INVALID_ENUM');
  return {
    ...(asOf === undefined ? {} : { asOf }),
    ...(complete === undefined ? {} : { complete: [complete] }),
    ...(statuses === undefined ? {} : { statuses: checkBody(StatusWordsSchema, jsonOf('statuses', statuses, '{"paid":["COMPLETED"]}')) }),
    ...(tolerance === undefined ? {} : { tolerance: checkBody(ToleranceSchema, jsonOf('tolerance', tolerance, '{"BRL":"0.01"}')) }),
  };
}

function jsonOf(name: string, text: string, example: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw csvError(`${name}: expected JSON such as ${example}; got ${JSON.stringify(quoted(text, 100))}.`, `query:${name}`);
  }
}

/** Describes the error in a CSV file, with the line number. */
function messageOf(error: CsvError, before: number, isTabbed: boolean): string {
  const { code, lines, message } = error as CsvError & { readonly lines?: number; readonly record?: readonly string[] };
  const line = `line ${before + (lines ?? 1)}`;
  switch (code) {
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
    case 'CSV_RECORD_INCONSISTENT_COLUMNS': {
      const { record } = error as unknown as { record?: readonly string[] };
      const got = record ? `; got ${record.length}` : '';
      const remedy = isTabbed ? String.raw`Write a tab in a value as \t.` : 'Put a value with a comma in double quotes.';
      return `${line}: expected as many columns as the first line has${got}. ${remedy}`;
    }
    case 'CSV_QUOTE_NOT_CLOSED':
      return `${line}: expected a closing double quote; the file ends before it.`;
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE':
      return `${line}: expected double quotes only around a whole value. Write a double quote inside a value twice.`;
    case 'CSV_MAX_RECORD_SIZE':
      return `${line}: expected at most ${limits.rowCharacters} characters in one row. Is a closing double quote missing?`;
    default:
      return `${line}: expected CSV: ${message}`;
  }
}
