import type { SnapshotRead } from './snapshot-lines.js';
import type { StateProblem } from '../../world/document/state-check.js';
import type { WorldRows } from '../../world/state.js';
import { isTableName, type TableName, type Tables } from '../../world/tables.js';
import { currentRows } from '../../world/document/older-rows.js';
import { StoredWorld } from '../stored-world.js';

const formatVersion = 1;
/** All worlds after the commit with the number `sequence`. */
export interface Snapshot {
  readonly sequence: number;
  readonly worlds: ReadonlyMap<string, WorldRows>;
}

/** Returns `db.json` in parts, with one row on each line. */
export function* textOf({ sequence, worlds }: Snapshot): Generator<string> {
  yield `{\n  "version": ${formatVersion},\n  "sequence": ${sequence},\n  "worlds": {`;
  let worldMark = '\n';
  for (const [world, tables] of worlds) {
    yield `${worldMark}    ${JSON.stringify(world)}: {`;
    worldMark = ',\n';
    let tableMark = '\n';
    for (const [table, rows] of tables) {
      yield `${tableMark}      ${JSON.stringify(table)}: {`;
      tableMark = ',\n';
      let mark = '\n';
      for (const row of rows) {
        yield `${mark}        ${JSON.stringify(row.id)}: ${JSON.stringify(row)}`;
        mark = ',\n';
      }
      yield rows.length > 0 ? '\n      }' : '}';
    }
    yield '\n    }';
  }
  yield `${worlds.size > 0 ? '\n  ' : ''}}\n}\n`;
}

/**
 * Returns the worlds in a file.
 * @param problemsOf checks a row that an operator may have edited; null for a file that the sandbox wrote
 * @throws Error naming the position of the problem
 */
export function worldsIn(
  path: string,
  { document, rowsFor }: SnapshotRead,
  problemsOf: ((table: TableName, row: { readonly id: string }) => readonly StateProblem[]) | null,
): { sequence: number; worlds: Map<string, StoredWorld> } {
  const fail = (what: string): never => {
    throw new Error(`${path}: ${what}`);
  };
  if (!isObject(document)) return fail('expected an object with version and worlds.');
  const { version, sequence = 0, worlds } = document;
  if (version !== formatVersion)
    fail(
      `its version is ${JSON.stringify(version)}, but this sandbox reads and writes version ${formatVersion}. Start the sandbox version that wrote the file, or use another data directory.`,
    );
  if (!Number.isSafeInteger(sequence) || (sequence as number) < 0) fail('expected a whole number of at least 0 for sequence.');
  if (!isObject(worlds)) return fail('expected an object for worlds.');
  const read = Object.entries(worlds).map(([world, tables]): [string, StoredWorld] => {
    if (!isObject(tables)) return fail(`expected an object of tables for world ${world}.`);
    const stored = new StoredWorld();
    for (const [table, rows] of Object.entries(tables)) {
      if (!isTableName(table)) return fail(`world ${world} has an unknown table ${table}.`);
      if (!isObject(rows)) return fail(`expected an object of rows for world ${world}, table ${table}.`);
      for (const [key, value] of Object.entries(rows)) {
        if (!rowsFor(key, value) && (!isObject(value) || value['id'] !== key))
          fail(`world ${world}, ${table}/${key}: expected an object whose id is its key.`);
        for (const row of rowsFor(key, value) ?? [value as Tables[TableName]]) {
          for (const [name, each] of currentRows([table, row as Tables[TableName]])) {
            const [problem] = problemsOf?.(name, each) ?? [];
            if (problem) fail(`World ${world}: ${problem.message}`);
            stored.put(name, each);
          }
        }
      }
    }
    return [world, stored];
  });
  return { sequence: sequence as number, worlds: new Map(read) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
