/** Work that may be held up wherever it yields, and is told each time whether it was. */
export type Work<T> = Generator<void, T, boolean>;
