import type { WorldLog } from '../../world/commit.js';
import type { WorldRows } from '../../world/state.js';
import type { Commit } from './journal-line.js';

/** Returns the log of a world. Commit numbers start at 1 each time the world is opened, because only one process uses the directory. */
export function logOf(
  world: string,
  {
    keep,
    isReadOnly,
    heldBy,
  }: { keep: (commit: Commit) => Promise<void>; isReadOnly: () => boolean; heldBy: (rows: () => WorldRows) => void },
): WorldLog {
  let last = 0;
  const next = (sequence: number, commit: Commit): Promise<void> => {
    if (sequence !== last + 1)
      return Promise.reject(new Error(`Commit ${sequence} of world ${world} is out of sequence: expected commit ${last + 1}.`));
    last = sequence;
    return keep(commit);
  };
  return {
    get isReadOnly() {
      return isReadOnly();
    },
    heldBy,
    append: (sequence, changes) => next(sequence, { world, changes }),
    replace: (sequence, rows) => next(sequence, { world, rows }),
    drop: (sequence) => next(sequence, { world, dropped: true }),
    release: () => Promise.resolve(),
  };
}
