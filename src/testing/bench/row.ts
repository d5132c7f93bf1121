/** One line of the benchmark: a figure of the sandbox, and the same of something bare in the same run. */
export interface Row {
  /** How many operations the store held. */
  readonly operations: number;
  /** What was measured, with its unit. */
  readonly what: string;
  readonly median: number;
  /** From the smallest to the largest of all rounds. */
  readonly spread: string;
  readonly bare: number;
}

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);

/** The value below which a share of all lie: the median, unless told otherwise. */
export function quantile(values: readonly number[], share = 0.5): number {
  return sorted(values)[Math.min(Math.floor(values.length * share), values.length - 1)] ?? 0;
}

/** Large figures without fractional digits, small ones with enough. */
export function figure(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

function spread(values: readonly number[]): string {
  return values.length < 2 ? '' : `${figure(sorted(values)[0]!)} to ${figure(sorted(values).at(-1)!)}`;
}

/** Some figures and those of something bare, as a line. */
export function rowOf(operations: number, what: string, own: readonly number[], bare: readonly number[]): Row {
  return { operations, what, median: quantile(own), spread: spread(own), bare: quantile(bare) };
}
