import { nanoid } from 'nanoid';
import type { TableRow, WorldRows } from '../../world/state.js';
import { changesOf, partsOf, rowsIn } from './commit-lines.js';
import type { Query } from './database.js';

/** Number of parts or commits in one query. */
const readAtOnce = { parts: 8, commits: 500 } as const;

/** A stored base: all rows of a world after one commit. */
interface WrittenBase {
  readonly id: string;
  /** In characters. */
  readonly length: number;
  readonly rowCount: number;
}

/**
 * Writes the rows of a world as a base with a new id. The base has no effect until the row of the world refers to it, so a node that lost
 * the world does no harm.
 */
export async function writeBase(query: Query, world: string, rows: WorldRows): Promise<WrittenBase> {
  const id = nanoid();
  let [length, number] = [0, 0];
  for (const part of partsOf(rows)) {
    await query('INSERT INTO world_rows (world, base, part, rows) VALUES ($1, $2, $3, $4)', [world, id, number, part]);
    length += part.length;
    number += 1;
  }
  return { id, length, rowCount: rows.reduce((sum, [, own]) => sum + own.length, 0) };
}

/**
 * End of a statement whose CTE `moved` changes a row of `worlds`. Deletes all base rows of world `$1` except of base `$2`, and commits up
 * to `$3`. One statement, so that a paused node holds no lock.
 */
export const dropBefore = `
  , other_rows AS (
    DELETE FROM world_rows WHERE world = $1 AND base <> $2 AND EXISTS (SELECT 1 FROM moved)
  ), held_commits AS (
    DELETE FROM world_commits WHERE world = $1 AND sequence <= $3 AND EXISTS (SELECT 1 FROM moved)
  )
  SELECT name FROM moved`;

/** Lengths of the base and the commits of a world, in characters. */
export interface Lengths {
  base: number;
  commits: number;
}

/** Returns the rows of the base of a world. @param lengths increased by the characters read */
export async function* baseRows(query: Query, world: string, base: string, lengths: Lengths): AsyncGenerator<TableRow> {
  for (let next = 0; ;) {
    const parts = await query<{ rows: string }>(
      'SELECT rows FROM world_rows WHERE world = $1 AND base = $2 AND part >= $3 ORDER BY part LIMIT $4',
      [world, base, next, readAtOnce.parts],
    );
    for (const { rows } of parts) {
      lengths.base += rows.length;
      yield* rowsIn(rows);
    }
    next += parts.length;
    if (parts.length < readAtOnce.parts) return;
  }
}

/** Returns the changes of each commit after the base, oldest first. @throws Error if a commit is missing */
export async function* commitsAfter(query: Query, world: string, base: number, last: number, lengths: Lengths) {
  for (let at = base; at < last;) {
    const commits = await query<{ sequence: string; line: string }>(
      'SELECT sequence, line FROM world_commits WHERE world = $1 AND sequence > $2 ORDER BY sequence LIMIT $3',
      [world, at, readAtOnce.commits],
    );
    for (const { sequence, line } of commits) {
      if (Number(sequence) !== at + 1) break;
      at += 1;
      lengths.commits += line.length;
      yield changesOf(line);
    }
    if (Number(commits.at(-1)?.sequence) !== at) throw new Error(`Commit ${at + 1} of world ${world} is missing in the database.`);
  }
}
