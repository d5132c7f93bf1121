/** Collects chunks in one buffer. Chunks are copied, because a small chunk would keep the whole socket read buffer in memory. */
export class CollectedBytes {
  #room = Buffer.alloc(0);
  #size = 0;
  readonly #maximumBytes: number;
  readonly #onGrowth: (bytes: number) => void;

  /**
   * @param maximumBytes maximum size of the buffer; the caller must not add more
   * @param onGrowth called with the new size in bytes before the buffer grows; throws if that is too much
   */
  constructor(maximumBytes: number, onGrowth: (bytes: number) => void = () => undefined) {
    this.#maximumBytes = maximumBytes;
    this.#onGrowth = onGrowth;
  }

  get size(): number {
    return this.#size;
  }

  /** The collected bytes. Valid until bytes are added after {@link clear}. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#size);
  }

  add(piece: Buffer): void {
    const size = this.#size + piece.length;
    if (size > this.#room.length) {
      const ahead = Math.min(2 * this.#room.length, this.#room.length + maxStep, this.#maximumBytes);
      const grown = Math.max(size, ahead);
      this.#onGrowth(grown);
      const room = Buffer.allocUnsafe(grown);
      room.set(this.bytes);
      this.#room = room;
    }
    this.#room.set(piece, this.#size);
    this.#size = size;
  }

  clear(): void {
    this.#size = 0;
  }
}

/** Maximum number of bytes to allocate in advance. */
const maxStep = 1024 * 1024;
