import type { Stored } from './stored.js';

/** How large the pieces are that a queue takes its memory in, in bytes: the first one, and each of many. */
const chunkBytes = { first: 4 * 1024, usual: 64 * 1024 } as const;

/** A piece of memory, full of entries that go together. */
interface Chunk {
  readonly memory: Buffer;
  used: number;
  readonly entries: Stored[];
}

/** What an entry costs beside its text, in bytes. */
const overhead = 400;

/** What a chunk costs, in bytes. */
const costOf = ({ memory, entries }: Chunk) => memory.length + entries.length * overhead;

/** Entries in the order in which they ended, in a few pieces of memory, of which the oldest can go. */
export class EntryQueue {
  #chunks: Chunk[] = [];
  #bytes = 0;
  #size = 0;
  /** How many entries have gone, and the highest place in the timeline among them. */
  #gone = { count: 0, seq: 0 };

  /** How much memory it takes, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#size;
  }

  get gone(): { readonly count: number; readonly seq: number } {
    return this.#gone;
  }

  /** Takes in an entry, and keeps its text, which may come in parts so that nobody has to put them together. */
  push(entry: Stored, text: readonly string[]): void {
    let bytes = 0;
    for (const part of text) bytes += Buffer.byteLength(part);
    const chunk = this.#chunkFor(bytes);
    const start = chunk.used;
    for (const part of text) chunk.used += chunk.memory.write(part, chunk.used);
    entry.keep(chunk.memory, start, chunk.used);
    chunk.entries.push(entry);
    this.#size += 1;
    this.#bytes += overhead;
  }

  /** Lets the oldest entries go, those of one piece of memory. @returns how many bytes that frees; 0 when there are none */
  shift(): number {
    const oldest = this.#chunks.shift();
    if (!oldest) return 0;
    const freed = costOf(oldest);
    this.#bytes -= freed;
    this.#size -= oldest.entries.length;
    const seq = oldest.entries.reduce((most, each) => Math.max(most, each.seq), this.#gone.seq);
    this.#gone = { count: this.#gone.count + oldest.entries.length, seq };
    return freed;
  }

  /** Lets all go, as if they had never been. */
  clear(): void {
    this.#chunks = [];
    this.#bytes = 0;
    this.#size = 0;
    this.#gone = { count: 0, seq: 0 };
  }

  /** The entries, newest first. */
  *newestFirst(): Generator<Stored> {
    for (const { entries } of this.#chunks.toReversed()) yield* entries.toReversed();
  }

  #chunkFor(bytes: number): Chunk {
    const last = this.#chunks.at(-1);
    if (last && last.memory.length - last.used >= bytes) return last;
    const usual = last ? Math.min(2 * last.memory.length, chunkBytes.usual) : chunkBytes.first;
    const chunk: Chunk = { memory: Buffer.allocUnsafeSlow(Math.max(bytes, usual)), used: 0, entries: [] };
    this.#chunks.push(chunk);
    this.#bytes += chunk.memory.length;
    return chunk;
  }
}
