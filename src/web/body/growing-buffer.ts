/** Bytes that are put together from pieces. They are kept as one: a million pieces take no more room than a few. */
export class GrowingBuffer {
  readonly #maximumBytes: number;
  readonly #onGrowth: (bytes: number) => void;
  #buffer: Buffer = Buffer.alloc(0);
  /** Whether the memory was made here, and may be written to. */
  #isOwn = false;
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

  /** All that was added so far. It is good until more is added. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  add(piece: Buffer): void {
    const needed = this.#size + piece.length;
    if (this.#size === 0 && !this.#isOwn) {
      // Most come as one piece, which need not be copied.
      this.#onGrowth(needed);
      this.#buffer = piece;
    } else {
      if (!this.#isOwn || needed > this.#buffer.length) this.#grow(Math.min(Math.max(needed, 2 * this.#buffer.length), this.#maximumBytes));
      piece.copy(this.#buffer, this.#size);
    }
    this.#size = needed;
  }

  /** Makes it empty. Room that was made stays for what is added next. */
  clear(): void {
    this.#size = 0;
    if (!this.#isOwn) this.#buffer = Buffer.alloc(0);
  }

  #grow(bytes: number): void {
    this.#onGrowth(bytes);
    const next = Buffer.allocUnsafeSlow(bytes);
    this.#buffer.copy(next, 0, 0, this.#size);
    this.#buffer = next;
    this.#isOwn = true;
  }
}
