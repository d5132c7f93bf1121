/** From which size on a piece is kept as it is, in bytes, and how much room is made at most for smaller ones at a time. */
const sizes = { kept: 16 * 1024, room: 64 * 1024 } as const;

/**
 * A body while it comes. Its pieces are kept as they are and put together at the end: what is copied leaves garbage, and many large bodies
 * at once as much of it as they hold. Small pieces go together, so that a million of them take no more room than a few.
 */
export class Pieces {
  readonly #maximumBytes: number;
  readonly #onGrowth: (bytes: number) => void;
  readonly #pieces: Buffer[] = [];
  /** How much may still be written to the last piece. */
  #room = 0;
  #heldBytes = 0;

  /**
   * @param maximumBytes more than that is never added
   * @param onGrowth is told how much is going to be held, and throws when that is too much
   */
  constructor(maximumBytes: number, onGrowth: (bytes: number) => void) {
    this.#maximumBytes = maximumBytes;
    this.#onGrowth = onGrowth;
  }

  add(piece: Buffer): void {
    const fits = Math.min(piece.length, this.#room);
    if (fits > 0) {
      const last = this.#pieces.at(-1)!;
      piece.copy(last, last.length - this.#room, 0, fits);
      this.#room -= fits;
    }
    const rest = piece.subarray(fits);
    if (rest.length === 0) return;
    // Most bodies come as one piece, which need not be copied.
    if (this.#heldBytes === 0 || rest.length >= sizes.kept) return this.#keep(rest);
    const wanted = Math.max(rest.length, Math.min(this.#heldBytes, sizes.room));
    this.#keep(Buffer.allocUnsafeSlow(Math.min(wanted, this.#maximumBytes - this.#heldBytes)));
    const room = this.#pieces.at(-1)!;
    this.#room = room.length - rest.copy(room);
  }

  /** All that was added. */
  get bytes(): Buffer {
    const [first = Buffer.alloc(0)] = this.#pieces;
    return this.#pieces.length > 1 ? Buffer.concat(this.#pieces, this.#heldBytes - this.#room) : first;
  }

  #keep(piece: Buffer): void {
    this.#onGrowth(this.#heldBytes + piece.length);
    this.#pieces.push(piece);
    this.#heldBytes += piece.length;
  }
}
