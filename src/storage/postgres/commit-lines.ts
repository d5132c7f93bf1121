import { TimeSlicer } from '../../world/turns.js';
import type { Change, TableRow, WorldRows } from '../../world/state.js';
import type { TableName, Tables } from '../../world/tables.js';

/** Maximum characters of JSON in one part of a world, which limits the time to write or read the part. */
const partLength = 256 * 1024;

type Row = Tables[TableName];

/** Returns the line of a commit: a JSON array of `[table, row]` for puts and `[table, id]` for deletes, built in time slices. */
export async function lineOf(changes: readonly Change[]): Promise<string> {
  const pace = new TimeSlicer();
  const steps: string[] = [];
  for (const { table, id, row } of changes) {
    steps.push(JSON.stringify([table, row ?? id]));
    if (pace.shouldYield()) await pace.yield();
  }
  return `[${steps.join()}]`;
}

/** Returns the changes in a line. */
export function changesOf(line: string): Change[] {
  const steps = JSON.parse(line) as [TableName, Row | string][];
  return steps.map(([table, step]) => (typeof step === 'string' ? { table, id: step, row: null } : { table, id: step.id, row: step }));
}

/** Splits the rows of a world into JSON arrays of `[table, row]`. */
export function* partsOf(rows: WorldRows): Generator<string> {
  let entries: string[] = [];
  let length = 0;
  for (const [table, own] of rows) {
    for (const row of own) {
      const entry = JSON.stringify([table, row]);
      if (length + entry.length > partLength && entries.length > 0) {
        yield `[${entries.join()}]`;
        [entries, length] = [[], 0];
      }
      entries.push(entry);
      length += entry.length + 1;
    }
  }
  yield `[${entries.join()}]`;
}

/** Returns the rows of a part. */
export const rowsIn = (part: string): TableRow[] => JSON.parse(part) as TableRow[];
