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

/** Commits that share one write. */
export interface Group {
  readonly items: { readonly sequence: number; /** As JSON. */ readonly lines: Iterable<string> }[];
  /** Whether to sync the write, regardless of the durability. */
  mustSync: boolean;
  readonly kept: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export function newGroup(): Group {
  let resolve = () => {};
  let reject: Group['reject'] = () => {};
  const kept = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  kept.catch(() => undefined); // Callers that await `kept` get the error. Without a caller, its rejection must not count as unhandled.
  return { items: [], mustSync: false, kept, resolve, reject };
}

/** Yields the lines of all commits. */
export function* allLines(items: Group['items']): Generator<string> {
  for (const { lines } of items) yield* lines;
}
