/** What stands between the values of labels. */
const mark = '\u0000';

/** Counts by the values of labels. */
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

  /** What was counted, with its labels by their names. */
  *entries(): Generator<[labels: Record<string, string>, count: number]> {
    for (const [key, count] of this.#counts) {
      const values = key.split(mark);
      yield [Object.fromEntries(this.labels.map((label, index) => [label, values[index]!])), count];
    }
  }
}
