/** One kind of data that requests make grow, and that is kept in memory outside of the rows of worlds. */
export interface KeptKind {
  readonly what: string;
  /** Whether the bound holds for the process or for each world. */
  readonly of: 'process' | 'world';
  /** The bound, for the documents. */
  readonly bound: string;
  /** The effect beyond the bound. */
  readonly beyond: string;
}

const mib = 1024 * 1024;
const kib = 1024;

/** Bounds of maps in bytes. */
export const keptBytes = {
  verifiedTokens: 16 * mib,
  explorations: 32 * mib,
  testNames: 256 * kib,
  testCauses: 512 * kib,
  findingMoney: mib,
} as const;

/** Everything that is kept outside of the rows. `docs/how-to/operate.md` lists it. */
export const keptKinds = {
  records: {
    what: 'Recorded requests, webhook attempts and replay steps',
    of: 'process',
    bound: '`SANDBOX_RECORD_MIB`, at most 10 MiB of one world',
    beyond: 'the oldest of the largest world go first',
  },
  bodies: {
    what: 'Bodies of requests in progress, and large responses',
    of: 'process',
    bound: '`SANDBOX_BODY_MIB`',
    beyond: '503',
  },
  findingEvidence: {
    what: 'Evidence of the rules',
    of: 'world',
    bound: '2 MiB',
    beyond: 'the least recently used go first, which never causes a finding',
  },
  findings: {
    what: 'Findings',
    of: 'world',
    bound: '400, and 20,000 ids of operations whose money moved',
    beyond: 'more are only counted',
  },
  findingMoney: { what: 'Money of operations that findings name', of: 'world', bound: '1 MiB', beyond: 'the oldest go first' },
  audit: {
    what: 'Audit log without PostgreSQL',
    of: 'process',
    bound: '11,000 entries',
    beyond: 'the oldest of the kind of caller with the most go first',
  },
  explorations: { what: 'Latest exploration of each world', of: 'process', bound: '32 MiB', beyond: 'the oldest go first' },
  deletedWorlds: {
    what: 'Evidence of deleted worlds for reports',
    of: 'process',
    bound: '1,000 worlds',
    beyond: 'the oldest go first',
  },
  verifiedTokens: {
    what: 'Verified access tokens',
    of: 'process',
    bound: '16 MiB',
    beyond: 'the oldest go first, and are verified again',
  },
  testNames: { what: 'Names of negative tests', of: 'world', bound: '256 KiB', beyond: 'the oldest go first' },
  testCauses: { what: 'The test of each write request', of: 'world', bound: '512 KiB', beyond: 'the oldest go first' },
  feeds: {
    what: 'Newest items of event streams',
    of: 'world',
    bound: '2,000 items and 4 million characters, until a minute after its last reader left,',
    beyond: 'slow readers get the event `gap`',
  },
  listeners: {
    what: 'Webhooks that wait for a listener',
    of: 'world',
    bound: '16 MiB for each of at most 64 listeners',
    beyond: 'the listener is disconnected',
  },
} as const satisfies Record<string, KeptKind>;

export type KeptKindName = keyof typeof keptKinds;

interface Entry {
  readonly holder: WeakRef<object>;
  readonly bytesOf: (holder: never) => number;
}

const entries = new Map<KeptKindName, Set<Entry>>();
/** Removes the entries of holders that were garbage-collected. */
const ended = new FinalizationRegistry<{ kind: KeptKindName; entry: Entry }>(({ kind, entry }) => entries.get(kind)?.delete(entry));

/** Enters an object into the registry of kept memory, until it is garbage-collected. @param bytesOf returns its present size in bytes */
export function registerKept<H extends object>(kind: KeptKindName, holder: H, bytesOf: (holder: H) => number): void {
  const entry: Entry = { holder: new WeakRef(holder), bytesOf };
  let all = entries.get(kind);
  if (!all) entries.set(kind, (all = new Set()));
  all.add(entry);
  ended.register(holder, { kind, entry });
}

/** Returns the bytes of each kind of kept memory in this process. */
export function keptMemory(): Record<KeptKindName, number> {
  const sumOf = (kind: KeptKindName) => {
    let sum = 0;
    for (const { holder, bytesOf } of entries.get(kind) ?? []) {
      const held = holder.deref();
      if (held !== undefined) sum += bytesOf(held as never);
    }
    return sum;
  };
  return Object.fromEntries(Object.keys(keptKinds).map((kind) => [kind, sumOf(kind as KeptKindName)])) as Record<KeptKindName, number>;
}

/** Approximate size of an entry of a map without its key and value, in bytes. */
const slotBytes = 64;

/** Returns the most bytes that a string takes in memory. */
export const textBytes = (text: string): number => 2 * text.length;

/** A registered map with a bound in bytes. The oldest entries are evicted first; setting an entry makes it the newest. */
export class WeighedMap<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly bytes: number }>();
  readonly #maxBytes: number;
  readonly #weigh: (value: V) => number;
  #bytes = 0;

  /** @param weigh returns the size of a value in bytes */
  constructor(kind: KeptKindName & keyof typeof keptBytes, weigh: (value: V) => number) {
    this.#maxBytes = keptBytes[kind];
    this.#weigh = weigh;
    registerKept(kind, this, ({ bytes }) => bytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: string, value: V): void {
    this.delete(key);
    const bytes = slotBytes + textBytes(key) + this.#weigh(value);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return;
    // Leaves room for a sixteenth, because evicting single entries is slow: a Map iterates over the holes of deleted entries.
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes - this.#maxBytes / 16) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  /** Returns the entries, oldest first. */
  *entries(): Generator<[key: string, value: V]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}
