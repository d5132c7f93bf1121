/** Separator of label values. */
const mark = '\u0000';

/** Counts by label values. */
export class Tally {
  readonly labels: string[];
  readonly #counts = new Map<string, number>();

  constructor(...labels: string[]) {
    this.labels = labels;
  }

  /** @param values one for each label */
  add(count: number, ...values: string[]): void {
    const key = values.join(mark);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  /** Yields the counts with their labels by name. */
  *entries(): Generator<[labels: Record<string, string>, count: number]> {
    for (const [key, count] of this.#counts) {
      const values = key.split(mark);
      yield [Object.fromEntries(this.labels.map((label, index) => [label, values[index]!])), count];
    }
  }
}
