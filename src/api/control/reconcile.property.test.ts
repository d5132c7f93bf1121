import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '../../domain/money.js';
import { useHarness } from '../../testing/harness.js';
import { inLength } from '../../testing/long-run.js';
import { reconcileScene, type CorrectRecords, type Row } from '../../testing/reconcile.js';

const harness = useHarness();
let scene: Awaited<ReturnType<typeof reconcileScene>>;
let correct: CorrectRecords;
/** Ids of the operations that this test has requested, not the fixtures. */
const own = new Set<string>();

beforeAll(async () => {
  scene = await reconcileScene(harness);
  for (const amount of ['27.903399', '31.000001', '27.110000', '12.345678']) own.add((await scene.payOut(amount)).id);
  await scene.advance();
  for (const value of ['25.00', '7.77']) own.add((await scene.transfer(value)).id);
  await scene.advance();
  own.add((await scene.payOut('5.000000')).id);
  correct = scene.records();
});

/** Removes, duplicates or changes up to four random rows. */
const damaged = (rows: () => readonly Row[], change: (row: Row, by: string) => Row) =>
  fc
    .array(fc.tuple(fc.nat(), fc.constantFrom('drop', 'double', 'change'), fc.constantFrom('0.01', '-1', '3.141592', '100', '0.0000001')), {
      maxLength: 4,
    })
    .map((edits) => () => {
      const all = [...rows()];
      for (const [pick, edit, by] of edits) {
        const at = pick % all.length;
        if (edit === 'drop') all.splice(at, 1);
        else if (edit === 'double') all.push(all[at]!);
        else all[at] = change(all[at]!, by);
      }
      return all;
    });
const plus = (row: Row, by: string): Row => ({ ...row, value: new Decimal(row['value'] as string).plus(by).toFixed() });
const operations = damaged(
  () => correct.operations,
  (row, by) => ({ ...row, source: plus(row['source'] as Row, by) }),
);
const entries = damaged(() => correct.entries, plus);
const balances = damaged(() => correct.balances, plus).map((rows) => () => [
  ...new Map(rows().map((row) => [`${row['account'] as string} ${row['asset'] as string}`, row])).values(),
]);

/** True if all rows are correct and unique, and only rows of operations from the fixtures are missing. @param id field with the id */
function fits(rows: readonly Row[], right: readonly Row[], id: string): boolean {
  const texts = rows.map((row) => JSON.stringify(row));
  const rightTexts = new Set(right.map((row) => JSON.stringify(row)));
  const isMissing = (row: Row) => own.has(row[id] as string) && !texts.includes(JSON.stringify(row));
  return new Set(texts).size === texts.length && texts.every((each) => rightTexts.has(each)) && !right.some(isMissing);
}

describe('random records', () => {
  it('always give balances with claimed - truth = explained + unexplained, and AGREED only if all records are correct', async () => {
    await fc.assert(
      fc.asyncProperty(operations, entries, balances, async (some, more, sums) => {
        const claims = sums();
        const sent = { operations: some(), entries: more(), balances: claims };
        const result = await scene.reconcile({ ...sent, complete: ['operations', 'entries'] });
        for (const { account, asset, claimed, truth, explained, unexplained, explanations } of result.balances) {
          const gap = new Decimal(claimed).minus(truth);
          expect(gap.eq(new Decimal(explained).plus(unexplained))).toBe(true);
          for (const each of explanations) expect(each.reduce((sum, { value }) => sum.plus(value), new Decimal(0)).eq(gap)).toBe(true);
          expect(claims.find((row) => row['account'] === account && row['asset'] === asset)).toBeDefined();
          const right = correct.balances.find((row) => row['account'] === account && row['asset'] === asset)!;
          expect(new Decimal(truth).eq(right['value'] as string)).toBe(true);
        }
        const isRight =
          fits(sent.operations, correct.operations, 'id') &&
          fits(sent.entries, correct.entries, 'operation') &&
          claims.every((row) => correct.balances.some((each) => JSON.stringify(each) === JSON.stringify(row)));
        expect(result.verdict === 'AGREED').toBe(isRight);
        expect(result.first === null).toBe(result.differences.length === 0);
        expect(result.matched).toBeLessThanOrEqual(sent.operations.length + sent.entries.length + claims.length);
      }),
      { numRuns: inLength(150, 2000) },
    );
  });
});
