/** One line of the benchmark: a figure of the sandbox and the same figure of a reference program in the same run. */
export interface Row {
  /** Number of operations in the store. */
  readonly operations: number;
  /** The measurement, with its unit. */
  readonly what: string;
  readonly median: number;
  /** Smallest and largest value of all rounds. */
  readonly spread: string;
  readonly bare: number;
}

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);

/** Returns a quantile. Default: the median. */
export function quantile(values: readonly number[], share = 0.5): number {
  return sorted(values)[Math.min(Math.floor(values.length * share), values.length - 1)] ?? 0;
}

/** Formats a number: from 100 without decimal places, smaller numbers with three significant digits. */
export function figure(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

function spread(values: readonly number[]): string {
  return values.length < 2 ? '' : `${figure(sorted(values)[0]!)} to ${figure(sorted(values).at(-1)!)}`;
}

/** Returns a line from the figures of the sandbox and of the reference program. */
export function rowOf(operations: number, what: string, own: readonly number[], bare: readonly number[]): Row {
  return { operations, what, median: quantile(own), spread: spread(own), bare: quantile(bare) };
}
