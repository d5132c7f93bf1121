import type { VerifyRequest } from '../../../contract/control/analysis/verify.js';
import type { Exchange } from '../../../exchange/entry.js';
import type { EntryResult, MatchResults } from './match-results.js';

/** The expected numbers of matches: of one matcher in total, or of several matchers in order. */
export interface ExpectedCount extends Pick<VerifyRequest, 'noOthers' | 'strict'> {
  readonly least: number;
  readonly most: number;
  /** Number of matches for each step, in order; null if entries are only counted. */
  readonly steps: readonly number[] | null;
}

/** The result of a verification. PENDING: requests in progress may change the result. UNKNOWN: evicted or cut entries could decide it. */
export interface Conclusion {
  readonly state: 'SATISFIED' | 'NOT_YET' | 'FAILED' | 'PENDING' | 'UNKNOWN';
  /** Returns the matched entries. Call this only after the decision, because there can be many. */
  readonly matched: () => readonly Exchange[];
  /** Number of API requests that did not match. */
  readonly others: number;
  /** Number of requests in progress that may match. */
  readonly open: number;
  /** Number of completed steps of a sequence. */
  readonly met: number;
}

/** Returns the result of a verification. @param isEvicted true if entries that could decide the result were evicted */
export function conclude(expected: ExpectedCount, judged: MatchResults, isEvicted: boolean): Conclusion {
  const { open, cut } = judged.sums;
  const isUnknown = isEvicted || cut > 0;
  return expected.steps ? inOrder(expected, expected.steps, judged, open, isUnknown) : counted(expected, judged, open, isUnknown);
}

function counted({ least, most, noOthers }: ExpectedCount, judged: MatchResults, open: number, isUnknown: boolean): Conclusion {
  const { matched, others } = judged.sums;
  const facts = { matched: () => judged.matched(), others, open, met: 0 };
  if (matched > most || (noOthers && others > 0)) return { ...facts, state: 'FAILED' };
  if (matched < least) return { ...facts, state: isUnknown ? 'UNKNOWN' : open > 0 ? 'PENDING' : 'NOT_YET' };
  if (most === Infinity && !noOthers) return { ...facts, state: 'SATISFIED' };
  return { ...facts, state: isUnknown ? 'UNKNOWN' : open > 0 ? 'PENDING' : 'SATISFIED' };
}

function inOrder({ strict }: ExpectedCount, steps: readonly number[], judged: MatchResults, open: number, isUnknown: boolean): Conclusion {
  const { matched, met } = strict ? uninterrupted(steps, [...judged.values()]) : earliest(steps, [...judged.values()]);
  const facts = { matched: () => matched, others: judged.size - matched.length, open, met };
  const hasAll = met === steps.length;
  // A found order stays valid. For a strict sequence, an evicted entry may have been in between.
  if (hasAll && (!strict || !isUnknown)) return { ...facts, state: 'SATISFIED' };
  return { ...facts, state: isUnknown ? 'UNKNOWN' : open > 0 ? 'PENDING' : 'NOT_YET' };
}

interface Found {
  readonly matched: readonly Exchange[];
  readonly met: number;
}

/** Assigns the steps in order to the entries that end first, which leaves the most room for later steps. */
function earliest(steps: readonly number[], judged: readonly EntryResult[]): Found {
  const byEnd = judged.filter(({ results }) => results.includes('MATCH')).toSorted((a, b) => a.stored.endedOrder - b.stored.endedOrder);
  const matched: Exchange[] = [];
  let after = 0;
  for (const [index, count] of steps.entries()) {
    const fitting = byEnd.filter(({ stored, results }) => results[index] === 'MATCH' && stored.beganOrder > after).slice(0, count);
    if (fitting.length < count) return { matched, met: index };
    for (const { stored } of fitting) matched.push(stored);
    after = fitting.at(-1)!.stored.endedOrder;
  }
  return { matched, met: steps.length };
}

/** Finds the steps as consecutive entries, ignoring token requests. The time does not depend on the number of matches of a step. */
function uninterrupted(steps: readonly number[], judged: readonly EntryResult[]): Found {
  const inTurn = judged
    .filter(({ isToken, results }) => !isToken || results.includes('MATCH'))
    .toSorted((a, b) => a.stored.beganOrder - b.stored.beganOrder);
  const total = steps.reduce((sum, count) => sum + count, 0);
  const runs = total > inTurn.length ? [] : steps.map((_count, index) => runsOf(inTurn, index));
  const waited = lastOpenAt(inTurn);
  for (let start = 0; start + total <= inTurn.length; start += 1) {
    let at = start;
    const fits = steps.every((count, index) => {
      const isMet = runs[index]![at]! >= count && (at === start || waited[at]! < start);
      at += count;
      return isMet;
    });
    if (fits) return { matched: inTurn.slice(start, start + total).map(({ stored }) => stored), met: steps.length };
  }
  const first = inTurn.slice(0, Math.max(0, inTurn.length - total + 1)).find(({ results }) => results[0] === 'MATCH');
  return first ? { matched: [first.stored], met: steps[0] === 1 ? 1 : 0 } : { matched: [], met: 0 };
}

/** Returns, for each entry, the number of consecutive entries from this entry on that match the step `index`. */
function runsOf(inTurn: readonly EntryResult[], index: number): Uint32Array {
  const runs = new Uint32Array(inTurn.length + 1);
  for (let at = inTurn.length - 1; at >= 0; at -= 1) runs[at] = inTurn[at]!.results[index] === 'MATCH' ? runs[at + 1]! + 1 : 0;
  return runs;
}

/** Returns, for each entry in order of begin, the index of the last earlier entry that was in progress when it began; -1 without one. */
function lastOpenAt(inTurn: readonly EntryResult[]): Int32Array {
  const last = new Int32Array(inTurn.length);
  const open: number[] = [];
  for (const [at, { stored }] of inTurn.entries()) {
    while (open.length > 0 && inTurn[open.at(-1)!]!.stored.endedOrder < stored.beganOrder) open.pop();
    last[at] = open.at(-1) ?? -1;
    open.push(at);
  }
  return last;
}
