import { hasId, headBytes, seqAt, Stored } from './stored.js';

/** How large the pieces are that a queue takes its memory in, in bytes: the first one, and each of many. */
const chunkBytes = { first: 4 * 1024, usual: 64 * 1024 } as const;

/** How many bytes of UTF-8 a unit of a string takes at most. */
const maxBytesOfUnit = 3;

/** A piece of memory, full of entries that go together. */
interface Chunk {
  readonly memory: Buffer;
  used: number;
  /** Where each entry begins. */
  readonly starts: number[];
  /** Whether somebody may look at an entry of it later. */
  isLent: boolean;
}

/** Memory that nobody looks at any more, to be used again: new memory costs a call more than all that is written into it. */
let spare: Buffer | null = null;

/** What it costs to know where an entry begins, in bytes. */
const startBytes = 8;

/** What a chunk costs, in bytes. */
const costOf = ({ memory, starts }: Chunk) => memory.length + starts.length * startBytes;

/** Entries in the order in which they ended, in a few pieces of memory, of which the oldest can go. */
export class EntryQueue {
  #chunks: Chunk[] = [];
  #bytes = 0;
  #size = 0;
  /** How many entries have gone that were here, and the highest place in the timeline of any that has. */
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

  /** Takes in an entry that has ended, with its text. */
  push(entry: Stored, text: string): void {
    const chunk = this.#chunkFor(entry, text);
    chunk.isLent ||= entry.isLent;
    chunk.starts.push(chunk.used);
    chunk.used = entry.write(chunk.memory, chunk.used, text);
    this.#size += 1;
    this.#bytes += startBytes;
  }

  /** Lets the oldest entries go, those of one piece of memory. @returns how many bytes that frees; 0 when there are none */
  shift(): number {
    const oldest = this.#chunks.shift();
    if (!oldest) return 0;
    const freed = costOf(oldest);
    this.#bytes -= freed;
    const { memory, starts, isLent } = oldest;
    if (!isLent && memory.length === chunkBytes.usual) spare = memory;
    this.#size -= starts.length;
    const seq = starts.reduce((most, start) => Math.max(most, seqAt(memory, start)), this.#gone.seq);
    this.#gone = { count: this.#gone.count + starts.length, seq };
    return freed;
  }

  /** Notes that entries up to a place have gone which never were here. */
  lack(seq: number): void {
    this.#gone = { count: this.#gone.count, seq };
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
    for (const chunk of this.#chunks.toReversed()) {
      chunk.isLent = true;
      for (const start of chunk.starts.toReversed()) yield Stored.at(chunk.memory, start);
    }
  }

  /** An entry by its id, of which the newest are looked at first. */
  find(id: string): Stored | undefined {
    for (const chunk of this.#chunks.toReversed()) {
      const { memory, starts } = chunk;
      const start = starts.findLast((each) => hasId(memory, each, id));
      if (start === undefined) continue;
      chunk.isLent = true;
      return Stored.at(memory, start);
    }
    return undefined;
  }

  #chunkFor(entry: Stored, text: string): Chunk {
    const last = this.#chunks.at(-1);
    const room = last ? last.memory.length - last.used : 0;
    const most = headBytes + (entry.units + text.length) * maxBytesOfUnit;
    // To count the bytes takes as long as to write them.
    if (last && room >= most) return last;
    const bytes = headBytes + entry.units * maxBytesOfUnit + Buffer.byteLength(text);
    if (last && room >= bytes) return last;
    const usual = last ? Math.min(2 * last.memory.length, chunkBytes.usual) : chunkBytes.first;
    const chunk: Chunk = { memory: memoryOf(Math.max(bytes, usual)), used: 0, starts: [], isLent: false };
    this.#chunks.push(chunk);
    this.#bytes += chunk.memory.length;
    return chunk;
  }
}

function memoryOf(bytes: number): Buffer {
  const memory = bytes === chunkBytes.usual ? spare : null;
  if (memory) spare = null;
  return memory ?? Buffer.allocUnsafeSlow(bytes);
}
