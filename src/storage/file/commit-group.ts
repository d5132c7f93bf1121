/** Commits that are kept together, by one write. */
export interface Group {
  readonly items: { readonly sequence: number; /** As JSON. */ readonly lines: Iterable<string> }[];
  /** Whether a power loss must not take them, whatever the durability. */
  mustSync: boolean;
  readonly kept: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A group without commits. */
export function newGroup(): Group {
  let resolve = () => {};
  let reject: Group['reject'] = () => {};
  const kept = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  kept.catch(() => undefined); // Whoever waits for a commit is told; nobody has to.
  return { items: [], mustSync: false, kept, resolve, reject };
}

/** The lines of all commits of a group. */
export function* allLines(items: Group['items']): Generator<string> {
  for (const { lines } of items) yield* lines;
}
