/** By how much the room grows, in bytes. */
const step = 64 * 1024;

/**
 * Bytes that are put together from pieces, and kept as one: a million pieces take no more than a few. Room for them grows where it is, and
 * is given back at once: what waits for a collection of garbage would come on top of all that may be held.
 */
export class GrowingBuffer {
  readonly #maximumBytes: number;
  readonly #onGrowth: (bytes: number) => void;
  /** The first piece while it is the only one: most come as one, which need not be copied. */
  #only: Buffer | null = null;
  /** As long as the room that was made. */
  #room: Uint8Array<ArrayBuffer> | null = null;
  #size = 0;

  /**
   * @param maximumBytes more than that is never added
   * @param onGrowth is told how much is going to be held, and throws when that is too much
   */
  constructor(maximumBytes: number, onGrowth: (bytes: number) => void = () => undefined) {
    this.#maximumBytes = maximumBytes;
    this.#onGrowth = onGrowth;
  }

  get size(): number {
    return this.#size;
  }

  /** All that was added so far. It is good until more is added or the room is given back. */
  get bytes(): Buffer {
    return this.#only ?? Buffer.from(this.#room?.buffer ?? new ArrayBuffer(), 0, this.#size);
  }

  add(piece: Buffer): void {
    if (this.#size === 0 && !this.#room && piece.length <= step / 4) {
      this.#onGrowth(piece.length);
      this.#only = piece;
    } else {
      const room = this.#roomFor(this.#size + piece.length);
      if (this.#only) room.set(this.#only);
      this.#only = null;
      room.set(piece, this.#size);
    }
    this.#size += piece.length;
  }

  /** Makes it empty. Room that was made stays for what is added next. */
  clear(): void {
    this.#only = null;
    this.#size = 0;
  }

  /** Makes it empty and gives its room back. @returns what it held, for as long as somebody wants it */
  take(): Buffer {
    const bytes = this.#only ?? Buffer.from(this.bytes);
    this.release();
    return bytes;
  }

  /** Makes it empty and gives its room back. */
  release(): void {
    this.clear();
    this.#room?.buffer.resize(0);
    this.#room = null;
  }

  #roomFor(bytes: number): Uint8Array<ArrayBuffer> {
    const room = (this.#room ??= new Uint8Array(new ArrayBuffer(0, { maxByteLength: this.#maximumBytes })));
    if (bytes > room.length) {
      const grown = Math.min(Math.ceil(bytes / step) * step, this.#maximumBytes);
      this.#onGrowth(grown);
      room.buffer.resize(grown);
    }
    return room;
  }
}
