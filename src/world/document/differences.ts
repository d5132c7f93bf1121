import {
  maxDifferentFields,
  maxDifferentRows,
  maxShownValue,
  type RowDifference,
  type StateDifferences,
} from '../../contract/control/state-differences.js';
import type { Interruptible } from '../../domain/interruptible.js';
import type { WorldRows } from '../state.js';
import type { TableName, Tables } from '../tables.js';
import { shortened } from '../../contract/shared/messages/cut.js';

/** Returns the rows that differ between the exported tables of two states. @param from rows, and `to`, as {@link rowsOf} returns them */
export function* differencesBetween(from: WorldRows, to: WorldRows): Interruptible<StateDifferences> {
  const tables: StateDifferences['tables'] = [];
  const rows: RowDifference[] = [];
  let found = 0;
  for (const [index, [table, rowsBefore]] of from.entries()) {
    const [before, after] = [new Map<string, Tables[TableName]>(), new Map<string, Tables[TableName]>()];
    for (const [target, source] of [
      [before, rowsBefore],
      [after, to[index]![1]],
    ] as const)
      for (const row of source) {
        target.set(row.id, row);
        yield;
      }
    const counts = { added: 0, removed: 0, changed: 0 };
    const add = (change: RowDifference['change'], id: string, fields: RowDifference['fields']) => {
      counts[change.toLowerCase() as keyof typeof counts] += 1;
      found += 1;
      if (rows.length < maxDifferentRows) rows.push({ table, id, change, fields });
    };
    for (const row of before.values()) {
      yield;
      const other = after.get(row.id);
      if (other === undefined) add('REMOVED', row.id, []);
      else if (other !== row) {
        const fields = fieldsOf(row, other);
        if (fields.length > 0) add('CHANGED', row.id, fields);
      }
    }
    for (const { id } of after.values()) {
      yield;
      if (before.get(id) === undefined) add('ADDED', id, []);
    }
    if (counts.added + counts.removed + counts.changed > 0) tables.push({ table, ...counts });
  }
  return { tables, rows, omitted: found - rows.length };
}

/** Returns the fields in which two rows differ. */
function fieldsOf(from: object, to: object): RowDifference['fields'] {
  const fields: RowDifference['fields'] = [];
  compare('', from, to);
  return fields;

  function compare(path: string, left: unknown, right: unknown): void {
    if (fields.length === maxDifferentFields || left === right) return;
    if (isContainer(left) && isContainer(right) && Array.isArray(left) === Array.isArray(right)) {
      const names = new Set([...Object.keys(left), ...Object.keys(right)]);
      for (const name of names) compare(path === '' ? name : `${path}.${name}`, valueAt(left, name), valueAt(right, name));
      return;
    }
    fields.push({ path, from: shown(left), to: shown(right) });
  }
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const valueAt = (value: Record<string, unknown>, name: string) => (Object.hasOwn(value, name) ? value[name] : undefined);

/** Returns a value as JSON, cut to the maximum length; null for a missing one. */
function shown(value: unknown): string | null {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return null;
  return shortened(text, maxShownValue);
}
