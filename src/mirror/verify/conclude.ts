import type { VerifyRequest } from '../../contract/control/verify.js';
import type { Stored } from '../record/stored.js';
import type { Holding } from './match.js';

/** An entry in scope with what came of each matcher; null of one that is not of its kind. */
export interface Judged {
  readonly stored: Stored;
  readonly holdings: readonly (Holding | null)[];
  /** Whether it is a call for a token, which nobody counts among others. */
  readonly isToken: boolean;
}

/** What is expected, as numbers: one matcher has to hold so often, or several in order. */
export interface Expected extends Pick<VerifyRequest, 'noOthers' | 'strict'> {
  readonly least: number;
  readonly most: number;
  /** How often each step has to be met, in order; null when entries are only counted. */
  readonly steps: readonly number[] | null;
}

/**
 * What the entries come to: it is so; it is not so yet; it cannot become so any more; or that cannot be told, because of calls that are
 * under way, or of entries that have gone or were cut.
 */
export interface Conclusion {
  readonly state: 'HOLDS' | 'LACKS' | 'BROKEN' | 'OPEN' | 'UNSURE';
  readonly matched: readonly Stored[];
  /** Calls of the API beside those that matched. */
  readonly others: number;
  /** Calls under way that may match. */
  readonly open: number;
  /** How many steps of a sequence were met. */
  readonly met: number;
}

const isOpen = ({ stored }: Judged) => stored.call !== null;

/** @param isEvicted whether entries that may have decided are gone */
export function conclude(expected: Expected, judged: readonly Judged[], isEvicted: boolean): Conclusion {
  const may = judged.filter(({ holdings }) => holdings.includes('HIDDEN'));
  const open = may.filter(isOpen).length;
  const isUnsure = isEvicted || may.length > open;
  return expected.steps ? inOrder(expected, expected.steps, judged, open, isUnsure) : counted(expected, judged, open, isUnsure);
}

function counted({ least, most, noOthers }: Expected, judged: readonly Judged[], open: number, isUnsure: boolean): Conclusion {
  const matched = judged.filter(({ holdings }) => holdings[0] === 'YES').map(({ stored }) => stored);
  const others = judged.filter(
    ({ stored, holdings, isToken }) => stored.kind === 'REQUEST' && !isToken && (holdings[0] ?? 'NO') === 'NO',
  ).length;
  const facts = { matched, others, open, met: 0 };
  if (matched.length > most || (noOthers && others > 0)) return { ...facts, state: 'BROKEN' };
  if (matched.length < least) return { ...facts, state: isUnsure ? 'UNSURE' : open > 0 ? 'OPEN' : 'LACKS' };
  if (most === Infinity && !noOthers) return { ...facts, state: 'HOLDS' };
  return { ...facts, state: isUnsure ? 'UNSURE' : open > 0 ? 'OPEN' : 'HOLDS' };
}

function inOrder({ strict }: Expected, steps: readonly number[], judged: readonly Judged[], open: number, isUnsure: boolean): Conclusion {
  const { matched, met } = strict ? uninterrupted(steps, judged) : earliest(steps, judged);
  const others = judged.length - matched.length;
  const facts = { matched, others, open, met };
  const hasAll = met === steps.length;
  // What is found in order is there whatever else was; what stands side by side may have had something between.
  if (hasAll && (!strict || !isUnsure)) return { ...facts, state: 'HOLDS' };
  return { ...facts, state: isUnsure ? 'UNSURE' : open > 0 ? 'OPEN' : 'LACKS' };
}

interface Found {
  readonly matched: readonly Stored[];
  readonly met: number;
}

/** The steps one after the other, each of those entries that end first: whatever comes later finds the most room behind them. */
function earliest(steps: readonly number[], judged: readonly Judged[]): Found {
  const byEnd = judged.toSorted((a, b) => a.stored.endedOrder - b.stored.endedOrder);
  const matched: Stored[] = [];
  let after = 0;
  for (const [index, count] of steps.entries()) {
    const fitting = byEnd.filter(({ stored, holdings }) => holdings[index] === 'YES' && stored.beganOrder > after).slice(0, count);
    if (fitting.length < count) return { matched, met: index };
    matched.push(...fitting.map(({ stored }) => stored));
    after = Math.max(...fitting.map(({ stored }) => stored.endedOrder));
  }
  return { matched, met: steps.length };
}

/** The steps as entries that began right one after the other, those for tokens aside. */
function uninterrupted(steps: readonly number[], judged: readonly Judged[]): Found {
  const expected = steps.flatMap((count, index) => Array.from({ length: count }, () => index));
  const inTurn = judged
    .filter(({ isToken, holdings }) => !isToken || holdings.includes('YES'))
    .toSorted((a, b) => a.stored.beganOrder - b.stored.beganOrder);
  let best: Found = { matched: [], met: 0 };
  for (let start = 0; start + expected.length <= inTurn.length; start += 1) {
    const window = inTurn.slice(start, start + expected.length);
    const fits = window.every(
      ({ stored, holdings }, at) =>
        holdings[expected[at]!] === 'YES' &&
        window.slice(0, at).every((before, index) => expected[index] === expected[at] || before.stored.endedOrder < stored.beganOrder),
    );
    if (fits) return { matched: window.map(({ stored }) => stored), met: steps.length };
    if (window[0]!.holdings[0] === 'YES' && best.met === 0) best = { matched: [window[0]!.stored], met: steps[0] === 1 ? 1 : 0 };
  }
  return best;
}
