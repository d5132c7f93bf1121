import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Flows } from './flows.js';
import { minorUnits } from '../money.js';
import type { OperationRecord } from './operation.js';

/** So long that some of the instants are in the same hour. */
const stepMs = 1_500_000;
const at = (step: number) => new Date(step * stepMs).toISOString();

const operation = fc.record({
  id: fc.integer({ min: 0, max: 9 }).map(String),
  step: fc.integer({ min: 0, max: 6 }),
  status: fc.constantFrom('COMPLETED', 'COMPLETED', 'PROCESSING'),
  account: fc.constantFrom('a', 'b'),
  cents: fc.integer({ min: 1, max: 99 }),
});

function recordOf({ id, step, status, account, cents }: typeof operation extends fc.Arbitrary<infer T> ? T : never): OperationRecord {
  return {
    id,
    account: { id: account },
    intent: { type: 'DEPOSIT' },
    targetAmount: { value: `0.${String(cents).padStart(2, '0')}`, asset: 'BRL', decimals: 2 },
    tags: [],
    states: [{ status, createdAt: at(step) }],
  } as unknown as OperationRecord;
}

test('flows are the sums of what settled in a period, however operations come, change and go', () => {
  const change = fc.record({ after: fc.option(operation), id: fc.integer({ min: 0, max: 9 }).map(String), isAsked: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change), fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }), (changes, start, end) => {
      const rows = new Map<string, OperationRecord>();
      const flows = new Flows();
      const expectSums = () => {
        const found = [...flows.between(start * stepMs, end * stepMs)].filter(({ count }) => count > 0);
        for (const account of ['a', 'b']) {
          const settled = [...rows.values()].filter(
            (row) =>
              row.account.id === account &&
              row.states[0]!.status === 'COMPLETED' &&
              row.states[0]!.createdAt >= at(start) &&
              row.states[0]!.createdAt < at(end),
          );
          const flow = found.find(({ of }) => of.account.id === account);
          expect(flow?.count ?? 0).toBe(settled.length);
          expect(flow?.minor ?? 0n).toBe(settled.reduce((sum, row) => sum + minorUnits(row.targetAmount.value), 0n));
        }
      };
      for (const { after, id, isAsked } of changes) {
        const key = after?.id ?? id;
        const row = after ? recordOf(after) : undefined;
        flows.change(rows.get(key), row);
        if (row) rows.set(key, row);
        else rows.delete(key);
        if (isAsked) expectSums();
      }
      expectSums();
    }),
  );
});
