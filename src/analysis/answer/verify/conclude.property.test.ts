import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderedExchange } from '../../../exchange/entry.js';
import { conclude } from './conclude.js';
import { MatchResults, type EntryResult } from './match-results.js';

/** A request with its begin, its end, and the steps that it matches. */
interface Drawn {
  readonly ended: number;
  readonly holds: readonly boolean[];
  readonly isToken: boolean;
}

function judgedOf(drawn: readonly Drawn[]): EntryResult[] {
  return drawn.map(({ ended, holds, isToken }, index) => {
    const facts = { id: `req_${index}`, kind: 'REQUEST', isRead: false, generation: 1, test: null, beganOrder: 2 * index + 1 } as const;
    const stored = renderedExchange(index + 1, facts, 2 * (index + ended) + 2, {});
    return { stored, results: holds.map((each) => (each ? 'MATCH' : 'NO_MATCH')), isOpen: false, isToken };
  });
}

/** Tries every way to assign the steps to consecutive requests. */
function fitsSomewhere(steps: readonly number[], judged: readonly EntryResult[]): boolean {
  const expected = steps.flatMap((count, index) => Array.from({ length: count }, () => index));
  const inTurn = judged.filter(({ isToken, results }) => !isToken || results.includes('MATCH'));
  return inTurn.some((_, start) => {
    const window = inTurn.slice(start, start + expected.length);
    const isFree = (at: number) =>
      window
        .slice(0, at)
        .every(({ stored }, before) => expected[before] === expected[at] || stored.endedOrder < window[at]!.stored.beganOrder);
    return window.length === expected.length && window.every(({ results }, at) => results[expected[at]!] === 'MATCH' && isFree(at));
  });
}

const drawn = fc.array(
  fc.record({
    ended: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3)),
    holds: fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant(true) }, fc.boolean()), { minLength: 3, maxLength: 3 }),
    isToken: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.boolean()),
  }),
  { maxLength: 12 },
);

it('a strict sequence is satisfied if and only if consecutive requests match its steps', () => {
  fc.assert(
    fc.property(drawn, fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }), (calls, steps) => {
      const judged = judgedOf(calls);
      const matchResults = new MatchResults();
      for (const each of judged) matchResults.set(each);
      const { state } = conclude({ least: 1, most: Infinity, noOthers: undefined, strict: true, steps }, matchResults, false);
      expect(state === 'SATISFIED').toBe(fitsSomewhere(steps, judged));
    }),
    { numRuns: 2000 },
  );
});

it('match results update their counts when entries change', () => {
  const [one, other] = judgedOf([
    { ended: 0, holds: [true], isToken: false },
    { ended: 0, holds: [false], isToken: false },
  ]) as [EntryResult, EntryResult];
  const matchResults = new MatchResults();
  matchResults.set({ ...one, results: ['UNKNOWN'], isOpen: true });
  matchResults.set(other);
  expect(matchResults.sums).toEqual({ matched: 0, others: 1, open: 1, cut: 0 });
  matchResults.set(one);
  expect(matchResults.sums).toEqual({ matched: 1, others: 1, open: 0, cut: 0 });
});
