/** Maximum size of a body in a plain buffer, in bytes, and the growth of larger ones. A read from a socket has at most as many. */
const plainBytes = 64 * 1024;

/**
 * Collects chunks in one buffer. Chunks are copied, because a small chunk would keep the whole socket read buffer in memory. A large body has
 * a resizable buffer: it grows without another copy, and {@link free} returns its memory to the system at once. Plain buffers of large bodies
 * would stay in memory until a garbage collection, and most of their memory longer.
 */
export class CollectedBytes {
  #room = Buffer.alloc(0);
  #large: ArrayBuffer | null = null;
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

  /** The collected bytes. Valid until {@link free}. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#size);
  }

  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > this.#room.length) this.#grow(size);
    this.#room.set(chunk, this.#size);
    this.#size = size;
  }

  /** Frees the memory of a large body. Its bytes are then empty. */
  free(): void {
    this.#large?.resize(0);
  }

  #grow(size: number): void {
    const ahead = size > plainBytes ? this.#room.length + plainBytes : 2 * this.#room.length;
    const bytes = Math.max(size, Math.min(ahead, this.#maximumBytes));
    this.#onGrowth(bytes);
    if (this.#large) {
      this.#large.resize(bytes);
      this.#room = Buffer.from(this.#large, 0, bytes);
      return;
    }
    if (bytes > plainBytes) this.#large = new ArrayBuffer(bytes, { maxByteLength: this.#maximumBytes });
    const room = this.#large ? Buffer.from(this.#large, 0, bytes) : Buffer.allocUnsafe(bytes);
    room.set(this.bytes);
    this.#room = room;
  }
}
