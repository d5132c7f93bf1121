import { causeOf } from './search.js';
import type { ExplorationResult, Failure } from './result.js';

const verdicts = ['UNSTABLE', 'FAILED', 'NOTHING_TO_EXPLORE', 'PASSED'] as const;
const ends = ['INTERRUPTED', 'BUDGET', 'ALL'] as const;

/**
 * Merges the results of the parts of one exploration.
 * @throws Error if they are not parts of the same exploration
 */
export function mergedResult(parts: readonly ExplorationResult[]): ExplorationResult {
  const [first, ...others] = parts;
  if (!first) throw new Error('There is no result to merge.');
  for (const [index, each] of others.entries()) {
    const same = (of: ExplorationResult) => JSON.stringify([of.seed, of.baseline, of.tried.singles[1], of.tried.pairs[1]]);
    if (same(each) !== same(first))
      throw new Error(`Result ${index + 2} is not a part of the same exploration as the first: seed, journey or deviations differ.`);
  }
  const failures = new Map<string, Failure>();
  for (const failure of parts.flatMap((each) => each.failures)) {
    const cause = causeOf(failure.deviations, failure.differences);
    const known = failures.get(cause);
    failures.set(cause, known ? { ...known, schedules: known.schedules + failure.schedules } : failure);
  }
  const sum = (of: (result: ExplorationResult) => number) => parts.reduce((total, each) => total + of(each), 0);
  const worst = <V extends string>(order: readonly V[], of: (result: ExplorationResult) => V) =>
    order.find((value) => parts.some((each) => of(each) === value))!;
  return {
    ...first,
    verdict: worst(verdicts, ({ verdict }) => verdict),
    ended: worst(ends, ({ ended }) => ended),
    tried: {
      singles: [sum(({ tried }) => tried.singles[0]!), first.tried.singles[1]!],
      pairs: [sum(({ tried }) => tried.pairs[0]!), first.tried.pairs[1]!],
      triples: sum(({ tried }) => tried.triples),
    },
    courses: sum(({ courses }) => courses),
    resetMs: sum(({ resetMs }) => resetMs),
    notMet: parts.flatMap(({ notMet }) => notMet),
    unstable: parts.flatMap(({ unstable }) => unstable).slice(0, 200),
    failures: [...failures.values()],
  };
}
