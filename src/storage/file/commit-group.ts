/** Commits that share one write. */
export interface Group {
  readonly items: { readonly sequence: number; /** As JSON. */ readonly lines: Iterable<string> }[];
  /** True if the write must be synced even with the durability `os`. */
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
