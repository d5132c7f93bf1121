import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { endedEntry } from '../record/stored-entry.js';
import { conclude } from './conclude.js';
import { Judgements, type Judged } from './judgements.js';

/** A request with its begin, its end, and the steps that it matches. */
interface Drawn {
  readonly ended: number;
  readonly holds: readonly boolean[];
  readonly isToken: boolean;
}

function judgedOf(drawn: readonly Drawn[]): Judged[] {
  return drawn.map(({ ended, holds, isToken }, index) => {
    const facts = { id: `req_${index}`, kind: 'REQUEST', isRead: false, generation: 1, test: null, beganOrder: 2 * index + 1 } as const;
    const stored = endedEntry({ ...facts, seq: index + 1 }, 2 * (index + ended) + 2, '{}');
    return { stored, holdings: holds.map((each) => (each ? 'YES' : 'NO')), isOpen: false, isToken };
  });
}

/** Tries every way to assign the steps to consecutive requests. */
function fitsSomewhere(steps: readonly number[], judged: readonly Judged[]): boolean {
  const expected = steps.flatMap((count, index) => Array.from({ length: count }, () => index));
  const inTurn = judged.filter(({ isToken, holdings }) => !isToken || holdings.includes('YES'));
  return inTurn.some((_, start) => {
    const window = inTurn.slice(start, start + expected.length);
    const isFree = (at: number) =>
      window
        .slice(0, at)
        .every(({ stored }, before) => expected[before] === expected[at] || stored.endedOrder < window[at]!.stored.beganOrder);
    return window.length === expected.length && window.every(({ holdings }, at) => holdings[expected[at]!] === 'YES' && isFree(at));
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

it('finds a strict sequence exactly where it exists', () => {
  fc.assert(
    fc.property(drawn, fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }), (calls, steps) => {
      const judged = judgedOf(calls);
      const judgements = new Judgements();
      for (const each of judged) judgements.set(each);
      const { state } = conclude({ least: 1, most: Infinity, noOthers: undefined, strict: true, steps }, judgements, false);
      expect(state === 'HOLDS').toBe(fitsSomewhere(steps, judged));
    }),
    { numRuns: 2000 },
  );
});

it('updates its counts when entries change', () => {
  const [one, other] = judgedOf([
    { ended: 0, holds: [true], isToken: false },
    { ended: 0, holds: [false], isToken: false },
  ]) as [Judged, Judged];
  const judgements = new Judgements();
  judgements.set({ ...one, holdings: ['HIDDEN'], isOpen: true });
  judgements.set(other);
  expect(judgements.sums).toEqual({ matched: 0, others: 1, open: 1, cut: 0 });
  judgements.set(one);
  expect(judgements.sums).toEqual({ matched: 1, others: 1, open: 0, cut: 0 });
});
