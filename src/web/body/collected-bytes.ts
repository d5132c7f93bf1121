/** Bytes that come in pieces and are kept as one. Pieces are copied: a small one would hold all that was read from its socket together with it. */
export class CollectedBytes {
  #room = Buffer.alloc(0);
  #size = 0;
  readonly #maximumBytes: number;
  readonly #onGrowth: (bytes: number) => void;

  /**
   * @param maximumBytes more than that is never added
   * @param onGrowth called with how many bytes of memory this is about to hold; throws when that is too much
   */
  constructor(maximumBytes: number, onGrowth: (bytes: number) => void = () => undefined) {
    this.#maximumBytes = maximumBytes;
    this.#onGrowth = onGrowth;
  }

  get size(): number {
    return this.#size;
  }

  /** All that was added. It is good until more is added after {@link clear}. */
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

  /** Makes it empty, ready for what is added next. */
  clear(): void {
    this.#size = 0;
  }
}

/** How many bytes are made room for at most before they come. */
const maxStep = 1024 * 1024;
