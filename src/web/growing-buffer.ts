/** Bytes that are put together from pieces. They are kept as one: a million pieces take no more room than a few. */
export class GrowingBuffer {
  readonly #maximumBytes: number;
  readonly #onGrowth: (bytes: number) => void;
  #buffer: Buffer = Buffer.alloc(0);
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
    if (this.#size === 0 && piece.length > this.#buffer.length) {
      this.#onGrowth(needed);
      this.#buffer = piece; // Most bodies come as one piece.
    } else {
      if (needed > this.#buffer.length) this.#grow(Math.min(Math.max(needed, 2 * this.#buffer.length), this.#maximumBytes));
      piece.copy(this.#buffer, this.#size);
    }
    this.#size = needed;
  }

  #grow(bytes: number): void {
    this.#onGrowth(bytes);
    const next = Buffer.allocUnsafeSlow(bytes);
    this.#buffer.copy(next, 0, 0, this.#size);
    this.#buffer = next;
  }
}
