import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSync } from '../../../domain/interruptible.js';
import { inLength } from '../../../testing/long-run.js';
import { explainGap, type ExplainablePosting } from './explain-balance.js';

const amount = fc.bigInt({ min: -2000n, max: 2000n }).filter((each) => each !== 0n);
const posting: fc.Arbitrary<ExplainablePosting> = fc.record({
  minor: amount,
  fees: fc.bigInt({ min: 0n, max: 20n }),
  otherSide: fc.option(fc.bigInt({ min: 1n, max: 2000n })),
  isGiven: fc.boolean(),
});
const postings = fc.array(posting, { maxLength: 12 });

const sumOf = (list: readonly { readonly minor: bigint }[]) => list.reduce((sum, { minor }) => sum + minor, 0n);

describe('the explanations of a wrong balance', () => {
  it('add up to the difference, for any postings', () => {
    fc.assert(
      fc.property(
        postings,
        postings,
        postings,
        fc.bigInt({ min: -5000n, max: 5000n }).filter((each) => each !== 0n),
        fc.nat(3),
        (all, unsettled, elsewhere, gap, unknown) => {
          const found = runSync(explainGap({ postings: all, unsettled, elsewhere, unknown: all.slice(0, unknown), gap }, 20));
          expect(found.length).toBeLessThanOrEqual(20);
          for (const each of found) expect(sumOf(each)).toBe(gap);
        },
      ),
      { numRuns: inLength(500, 20_000) },
    );
  });

  it('exist for any single wrong posting, and for records that end too early', () => {
    fc.assert(
      fc.property(fc.array(posting, { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(4), (all, pick, kind) => {
        const at = pick % all.length;
        const { minor, fees, isGiven } = all[at]!;
        const gap = [-minor, minor, -2n * minor, fees, -sumOf(all.slice(at))][kind]!;
        fc.pre(gap !== 0n && (kind === 4 || !isGiven));
        expect(runSync(explainGap({ postings: all, unsettled: [], elsewhere: [], unknown: [], gap }, 100))).not.toEqual([]);
      }),
      { numRuns: inLength(500, 20_000) },
    );
  });

  it('exist for a missing and a repeated posting together', () => {
    fc.assert(
      fc.property(fc.array(posting, { minLength: 2, maxLength: 12 }), (all) => {
        const [first, second] = all;
        const gap = -first!.minor + second!.minor;
        fc.pre(gap !== 0n && !first!.isGiven && !second!.isGiven);
        expect(runSync(explainGap({ postings: all, unsettled: [], elsewhere: [], unknown: [], gap }, 20))).not.toEqual([]);
      }),
      { numRuns: inLength(500, 20_000) },
    );
  });
});
