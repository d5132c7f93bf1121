import type { JournalLine, Step } from './journal-line.js';
import type { Change } from '../../world/state.js';
import { isTableName } from '../../world/tables.js';
import { StoredWorld } from '../stored-world.js';

/** What a journal builds on: the checkpoint as it was read. */
export interface Base {
  readonly path: string;
  readonly checksum: string | null;
  /** The last commit that it holds. */
  readonly sequence: number;
}

/**
 * Does to the worlds of a checkpoint what the lines of the journal say that it does not hold yet.
 * @param directory that of the journal
 * @returns the last commit that the worlds hold now
 * @throws Error when lines are missing, make no sense, or build on another file
 */
export function replayJournal(
  worlds: Map<string, StoredWorld>,
  journal: readonly { readonly at: string; readonly line: JournalLine }[],
  base: Base,
  directory: string,
): number {
  const wayOut = `Put back the file as it was, or remove ${directory} to go on from db.json alone, without those commits.`;
  let { sequence } = base;
  const bases = new Set<string>();
  let pending: JournalLine[] = [];
  let last: string | null = null;
  for (const { at, line } of journal) {
    if ('base' in line) {
      bases.add(`${line.base}@${line.s}`);
      pending = []; // The start of a commit that was cut off: it was never acknowledged.
      continue;
    }
    last = at;
    if (line.s <= base.sequence) continue;
    if (line.s !== sequence + 1) {
      throw new Error(`${at}: commit ${line.s} follows commit ${sequence}; what was between them is missing. ${wayOut}`);
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
  // Whether the journal's commits are in a file that it does not know cannot be told, whatever sequence the file claims.
  if (last !== null && !bases.has(`${base.checksum}@${base.sequence}`)) {
    throw new Error(
      `${base.path} is not the file that the journal builds on: it was edited, replaced or removed while commits stood in the journal alone (the last one at ${last}). ${wayOut}`,
    );
  }
  return sequence;
}

/** Does to the worlds what the lines of one commit say. @throws Error when they make no sense */
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
  if (!stored) throw new Error(`it changes the world ${world}, which does not exist`);
  if (!isTableName(table)) throw new Error(`it changes an unknown table ${table}`);
  const change = typeof what === 'string' ? { table, id: what, row: null } : { table, id: what.id, row: what as Change['row'] };
  stored.apply([change]);
}
