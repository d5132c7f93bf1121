import { dimensions, type Dimension } from '../../../contract/control/analysis/coverage.js';
import { intentTypes } from '../../../contract/public/operations.js';
import { coverageItems } from './items.js';

/** The occurrences of a coverage item: their number, their results, and the first one. */
export interface Count {
  count: number;
  /** Number of times that the client handled the fault. */
  passed: number;
  failed: number;
  /** World time of the first occurrence, in milliseconds since 1970. */
  firstMs: number;
  /** The test that was marked at the first occurrence; null without one. */
  test: string | null;
}

/** The time and test of an occurrence. */
export interface Occasion {
  readonly ms: number;
  readonly test: string | null;
}

/** Maximum number of counted rules: a world can change its scenario any number of times. */
const maxRules = 2000;

/** The items that can occur, by dimension. Transitions of operations are listed for each intent in addition. */
export const knownItems: Readonly<Record<Exclude<Dimension, 'rules'>, ReadonlySet<string>>> = {
  operations: new Set(coverageItems.operations),
  statuses: new Set(coverageItems.statuses),
  outcomes: new Set(coverageItems.outcomes),
  transitions: new Set(
    coverageItems.transitions.flatMap((id) => (id.startsWith('OPERATION.') ? [id, ...intentTypes.map((each) => `${id}.${each}`)] : [id])),
  ),
  reasons: new Set(coverageItems.reasons),
  events: new Set(coverageItems.events),
  resilience: new Set(coverageItems.resilience),
};

/** The stored tally of a deleted world: items by dimension, with their counts. */
export type StoredTally = Partial<
  Record<Dimension, [id: string, count: number, passed: number, failed: number, firstMs: number, test: string | null][]>
>;

/** Counts how often each item occurred. Ignores unknown items, so that the memory is bounded. */
export class Tally {
  readonly #counts = Object.fromEntries(dimensions.map((each) => [each, new Map<string, Count>()])) as Readonly<
    Record<Dimension, Map<string, Count>>
  >;

  get(dimension: Dimension, id: string): Count | undefined {
    return this.#counts[dimension].get(id);
  }

  /** Counts an occurrence. */
  meet(dimension: Dimension, id: string, { ms, test }: Occasion): void {
    const count = this.#of(dimension, id, ms, test);
    if (count) count.count += 1;
  }

  /** Counts how a client handled an earlier occurrence; a `change` of -1 removes the result from the counts. */
  settle(id: string, end: 'passed' | 'failed', change: 1 | -1): void {
    const count = this.get('resilience', id);
    if (count) count[end] += change;
  }

  add(other: StoredTally): void {
    for (const dimension of dimensions) {
      for (const [id, count, passed, failed, firstMs, test] of other[dimension] ?? []) {
        const own = this.#of(dimension, id, firstMs, test);
        if (!own) continue;
        own.count += count;
        own.passed += passed;
        own.failed += failed;
        if (firstMs >= own.firstMs) continue;
        own.firstMs = firstMs;
        own.test = test;
      }
    }
  }

  /** Returns all counts. */
  stored(): StoredTally {
    return Object.fromEntries(
      dimensions.map((each) => [
        each,
        Array.from(this.#counts[each], ([id, { count, passed, failed, firstMs, test }]) => [id, count, passed, failed, firstMs, test]),
      ]),
    );
  }

  #of(dimension: Dimension, id: string, firstMs: number, test: string | null): Count | undefined {
    const counts = this.#counts[dimension];
    let count = counts.get(id);
    if (count) return count;
    if (dimension === 'rules' ? counts.size >= maxRules : !knownItems[dimension].has(id)) return undefined;
    count = { count: 0, passed: 0, failed: 0, firstMs, test };
    counts.set(id, count);
    return count;
  }
}
