import type { JournalLine, Step } from './journal-line.js';
import type { Change } from '../../world/state.js';
import { isTableName } from '../../world/tables.js';
import { StoredWorld } from '../stored-world.js';

/** The checkpoint that a journal continues. */
export interface Base {
  readonly path: string;
  readonly checksum: string | null;
  /** Sequence number of the last commit in the checkpoint. */
  readonly sequence: number;
}

/**
 * Applies the journal lines that the checkpoint does not contain yet.
 * @param directory path of the journal
 * @returns the sequence number of the last applied commit
 * @throws Error if lines are missing or invalid, or continue another checkpoint
 */
export function replayJournal(
  worlds: Map<string, StoredWorld>,
  journal: readonly { readonly at: string; readonly line: JournalLine }[],
  base: Base,
  directory: string,
): number {
  const wayOut = `Restore the file. Or delete ${directory} to continue with db.json and lose these commits.`;
  let { sequence } = base;
  const bases = new Set<string>();
  let pending: JournalLine[] = [];
  let last: string | null = null;
  for (const { at, line } of journal) {
    if ('base' in line) {
      bases.add(`${line.base}@${line.s}`);
      pending = []; // The start of an interrupted commit, which was never acknowledged.
      continue;
    }
    last = at;
    if (line.s <= base.sequence) continue;
    if (line.s !== sequence + 1) {
      throw new Error(`${at}: commit ${line.s} follows commit ${sequence}; the commits in between are missing. ${wayOut}`);
    }
    pending.push(line);
    if ('more' in line) continue;
    try {
      replay(worlds, pending);
    } catch (error) {
      throw new Error(`${at}: ${(error as Error).message}. ${wayOut}`, { cause: error });
    }
    pending = [];
    sequence = line.s;
  }
  // The sequence number in an unknown file does not prove that the file contains the commits of the journal.
  if (last !== null && !bases.has(`${base.checksum}@${base.sequence}`)) {
    throw new Error(
      `${base.path} does not match the journal: it was edited, replaced or deleted while newer commits (last: ${last}) existed only in the journal. ${wayOut}`,
    );
  }
  return sequence;
}

/** Applies the lines of one commit. @throws Error if the lines are invalid */
export function replay(worlds: Map<string, StoredWorld>, lines: readonly JournalLine[]): void {
  for (const line of lines) {
    if ('base' in line) continue;
    if ('gone' in line) worlds.delete(line.w);
    else for (const step of line.o) takeStep(worlds, line.w, step);
  }
}

function takeStep(worlds: Map<string, StoredWorld>, world: string, step: Step): void {
  if (step.length === 0) {
    worlds.set(world, new StoredWorld());
    return;
  }
  const [table, what] = step;
  const stored = worlds.get(world);
  if (!stored) throw new Error(`the line changes the world ${world}, which does not exist`);
  if (!isTableName(table)) throw new Error(`the line changes an unknown table ${table}`);
  const change = typeof what === 'string' ? { table, id: what, row: null } : { table, id: what.id, row: what as Change['row'] };
  stored.apply([change]);
}
