import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseJson } from './json-place.js';
import { blockBytes, rowMark } from '../../world/packed-rows.js';
import { emptyState, isTableName, tableNames, type State, type TableName, type Tables } from '../../world/state.js';
import type { Table, TableCapture } from '../../world/table.js';

export const formatVersion = 1;
/** How long one slice of writing may keep the event loop, in milliseconds. */
const sliceMs = 5;
/** How much text is handed to the file system at once, in characters. */
const chunkLength = 1024 * 1024;

/** The rows of a world at an instant, by table. */
export type WorldRows = readonly (readonly [TableName, TableCapture<Tables[TableName]>])[];

/** All worlds at an instant: what commits up to `sequence` made of them. */
export interface Snapshot {
  readonly sequence: number;
  readonly worlds: ReadonlyMap<string, WorldRows>;
}

/** Notes the rows of a state, which may change afterwards. Rows never change, so this is quick. */
export function rowsOf(state: State): WorldRows {
  return tableNames.map((name) => [name, state[name].capture()]);
}

/** The file's bytes in chunks; null where there is nothing to write yet, but others should have their turn. */
export async function* bytesOf(snapshot: Snapshot): AsyncGenerator<Buffer | null> {
  /** Packed blocks are unpacked side by side, and waited for together. */
  let parts: Promise<Buffer>[] = [];
  let text = '';
  let length = 0;
  let until = performance.now() + sliceMs;
  for (const part of textOf(snapshot)) {
    if (typeof part === 'string') {
      text += part;
      length += part.length;
    } else {
      parts.push(Promise.resolve(Buffer.from(text)), part);
      text = '';
      length += blockBytes;
    }
    if (length >= chunkLength) {
      yield Buffer.concat(await Promise.all([...parts, Promise.resolve(Buffer.from(text))]));
      [parts, text, length] = [[], '', 0];
    }
    if (performance.now() >= until) {
      await nextTurn();
      yield null;
      until = performance.now() + sliceMs;
    }
  }
  yield Buffer.concat(await Promise.all([...parts, Promise.resolve(Buffer.from(text))]));
}

/** The file's text part by part. */
function* textOf({ sequence, worlds }: Snapshot): Generator<string | Promise<Buffer>> {
  yield `{\n  "version": ${formatVersion},\n  "sequence": ${sequence},\n  "worlds": {`;
  let worldMark = '\n';
  for (const [world, tables] of worlds) {
    yield `${worldMark}    ${JSON.stringify(world)}: {`;
    worldMark = rowMark;
    let tableMark = '\n';
    for (const [table, rows] of tables) {
      yield `${tableMark}      ${JSON.stringify(table)}: {`;
      tableMark = rowMark;
      let mark = '\n';
      for (const part of rows.parts()) {
        yield mark;
        yield part;
        mark = rowMark;
      }
      yield rows.size > 0 ? '\n      }' : '}';
    }
    yield '\n    }';
  }
  yield `${worlds.size > 0 ? '\n  ' : ''}}\n}\n`;
}

/** The worlds that a file of any layout holds. @throws Error naming the place of what is wrong */
export function readDocument(path: string, bytes: Buffer): { sequence: number; worlds: Map<string, State> } {
  const fail = (what: string): never => {
    throw new Error(`${path}${what}`);
  };
  const document = parseJson(bytes.toString('utf8'), fail);
  if (!isObject(document)) return fail(': it has to be an object with version and worlds.');
  const { version, sequence = 0, worlds } = document;
  if (version !== formatVersion)
    fail(
      `: its version is ${JSON.stringify(version)}, but this sandbox reads and writes version ${formatVersion}. Start the sandbox that wrote it, or another data directory.`,
    );
  if (!Number.isSafeInteger(sequence) || (sequence as number) < 0) fail(': sequence has to be a whole number.');
  if (!isObject(worlds)) return fail(': worlds has to be an object.');
  const read = Object.entries(worlds).map(([world, tables]): [string, State] => {
    if (!isObject(tables)) return fail(`: world ${world} has to be an object of tables.`);
    const state = emptyState();
    for (const [table, rows] of Object.entries(tables)) {
      if (!isTableName(table)) return fail(`: world ${world} has an unknown table ${table}.`);
      if (!isObject(rows)) return fail(`: world ${world}, table ${table} has to be an object of rows.`);
      for (const [id, row] of Object.entries(rows)) {
        if (!isObject(row) || row['id'] !== id) fail(`: world ${world}, ${table}/${id}: a row has to be an object whose id is its key.`);
        (state[table] as unknown as Table<Tables[TableName]>).set(id, row as Tables[TableName]);
      }
    }
    return [world, state];
  });
  return { sequence: sequence as number, worlds: new Map(read) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
