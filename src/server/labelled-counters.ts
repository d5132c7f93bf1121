/** Separator of label values. */
const mark = '\u0000';

/** Counters by label values, for metrics. */
export class LabelledCounters {
  readonly labels: string[];
  readonly #counts = new Map<string, number>();

  constructor(...labels: string[]) {
    this.labels = labels;
  }

  /** Adds to the counter of these label values. @param values one value for each label */
  add(count: number, ...values: string[]): void {
    const key = values.join(mark);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  /** Yields each counter with its label values by label name. */
  *entries(): Generator<[labels: Record<string, string>, count: number]> {
    for (const [key, count] of this.#counts) {
      const values = key.split(mark);
      yield [Object.fromEntries(this.labels.map((label, index) => [label, values[index]!])), count];
    }
  }
}
