/** Maximum number of bytes to allocate in advance. */
const maxStep = 1024 * 1024;

/**
 * Collects chunks in one buffer. Chunks are copied, because a small chunk would keep the whole socket read buffer in memory. A resizable buffer
 * would return its memory to the system sooner, but its page faults made other clients wait for up to 70 ms.
 */
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

  /** The collected bytes. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#size);
  }

  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > this.#room.length) this.#grow(size);
    this.#room.set(chunk, this.#size);
    this.#size = size;
  }

  #grow(size: number): void {
    const ahead = Math.min(2 * this.#room.length, this.#room.length + maxStep, this.#maximumBytes);
    const bytes = Math.max(size, ahead);
    this.#onGrowth(bytes);
    const room = Buffer.allocUnsafe(bytes);
    room.set(this.bytes);
    this.#room = room;
  }
}
