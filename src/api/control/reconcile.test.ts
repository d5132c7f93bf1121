import { describe, expect, it } from 'vitest';
import { Decimal } from '../../domain/money.js';
import { useHarness } from '../../testing/harness.js';
import { summaryOf, reconcileScene, type CorrectRecords, type Row } from '../../testing/reconcile.js';

const harness = useHarness();

/** A world with three settled payments and a transfer, and correct records of all four. */
async function settled() {
  const scene = await reconcileScene(harness);
  const ids: string[] = [];
  for (const amount of ['27.903399', '31.000001', '12.345678']) {
    ids.push((await scene.payOut(amount)).id);
    await scene.advance();
  }
  ids.push((await scene.transfer()).id);
  await scene.advance();
  return { ...scene, ids: ids as [string, string, string, string], correct: scene.records() };
}

describe('correct records', () => {
  it('agree in all sections together', async () => {
    const { reconcile, correct } = await settled();
    const result = await reconcile({ ...correct, complete: ['operations', 'entries'] });
    expect(result).toMatchObject({
      verdict: 'AGREED',
      first: null,
      differences: [],
      pending: [],
      balances: [],
      unexplained: [],
      evicted: false,
    });
    expect(result.matched).toBe(correct.operations.length + correct.entries.length + correct.balances.length);
  });

  it('agree if rows are missing in a section that `complete` does not name', async () => {
    const { reconcile, correct } = await settled();
    expect((await reconcile({ operations: correct.operations.slice(1) })).verdict).toBe('AGREED');
    expect((await reconcile({ operations: [], entries: [] })).verdict).toBe('AGREED');
  });

  it('need no rows for the operations of the fixtures', async () => {
    const { reconcile, correct, ids } = await settled();
    const own = correct.operations.filter(({ id }) => ids.includes(id as string));
    const entries = correct.entries.filter(({ operation }) => ids.includes(operation as string));
    expect(await reconcile({ operations: own, entries, complete: ['operations', 'entries'] })).toMatchObject({
      verdict: 'AGREED',
      matched: 9,
    });
  });

  it('need rows for credits and debits by control requests, with the id of the ledger entry', async () => {
    const { reconcile, world, accountId, records } = await settled();
    await harness.control('POST', `/accounts/${accountId}/credit`, { amount: { value: '7.00', asset: 'BRL' } }, world);
    const { entries } = records();
    expect((await reconcile({ entries, complete: ['entries'] })).verdict).toBe('AGREED');
    const [first] = (await reconcile({ entries: entries.slice(0, -1), complete: ['entries'] })).differences;
    expect(summaryOf(first!)).toEqual(['entries', 'NOT_BOOKED', null, entries.at(-1)!['operation'], 'MISSED_AND_NOT_READ']);
  });

  it('can identify an operation by its idempotency key, quote or end-to-end id', async () => {
    const { reconcile, world, payOut, advance } = await reconcileScene(harness);
    const key = crypto.randomUUID();
    const { id } = await payOut('20.000000', key);
    await advance();
    const { quote, transactions } = harness.sandbox.world(world).state.operations.get(id)!;
    const { endToEnd } = transactions[0] as { endToEnd?: string };
    const rows = [{ idempotencyKey: key.toUpperCase() }, { quoteId: quote.id }, { endToEnd }];
    for (const row of rows) {
      const result = await reconcile({ operations: [{ ...row, status: 'REQUESTED' }] });
      expect(result.first).toMatchObject({ kind: 'WRONG_STATUS', operation: id, matchedBy: expect.not.stringMatching('^ID$') as string });
      expect(await reconcile({ operations: [{ ...row, status: 'COMPLETED' }], complete: ['operations'] })).toMatchObject({
        verdict: 'AGREED',
      });
    }
  });
});

describe('two operations with one purpose', () => {
  it('are one payment that was made twice, even if the records have both', async () => {
    const { reconcile, correct, ids } = await settled();
    for (const id of ids.slice(1, 3)) find(correct.operations, 'id', id)['purpose'] = 'invoice 17';
    const { verdict, first, differences } = await reconcile({ ...correct, complete: ['operations'] });
    expect([verdict, differences.length]).toEqual(['DIFFERENT', 1]);
    expect(summaryOf(first)).toEqual(['operations', 'PAID_TWICE', null, ids[2], 'PAID_TWICE']);
    expect(first).toMatchObject({ money: { value: '12.345678', asset: 'USDT' }, what: expect.stringContaining('"invoice 17"') as string });
  });

  it('agree if the first failed, or if their purposes differ', async () => {
    const { reconcile, payOut, advance, records, world } = await reconcileScene(harness);
    const first = await payOut();
    await harness.control('POST', `/operations/${first.id}/fail`, undefined, world);
    const others = [await payOut(), await payOut()];
    await advance();
    const { operations } = records();
    for (const [index, { id }] of [first, ...others].entries())
      find(operations, 'id', id)['purpose'] = index === 2 ? 'invoice 18' : 'invoice 17';
    expect(await reconcile({ operations, complete: ['operations'] })).toMatchObject({ verdict: 'AGREED' });
  });
});

/** An error in otherwise correct records, and the expected difference. */
interface Corruption {
  readonly name: string;
  /** Adds the error to the records. @param ids ids of the four operations */
  readonly plant: (records: CorrectRecords, ids: [string, string, string, string]) => void;
  readonly sections: readonly (keyof CorrectRecords)[];
  readonly kind: string;
  readonly explanation?: string;
  /** Index of the operation that the first difference names. Default: the second. */
  readonly about?: number | null;
}

const find = (rows: Row[], field: string, id: string) => rows.find((row) => row[field] === id)!;
const remove = (rows: Row[], row: Row) => rows.splice(rows.indexOf(row), 1);
const operationOf = ({ operations }: CorrectRecords, id: string) => find(operations, 'id', id);
const entryOf = ({ entries }: CorrectRecords, id: string) => find(entries, 'operation', id);
/** Changes the claimed balance of the account that pays in an operation. @param by returns the change for the amount of the entry */
const shift = ({ balances, entries }: CorrectRecords, id: string, by: (entry: Decimal) => Decimal | string) => {
  const { account, asset, value } = find(entries, 'operation', id) as { account: string; asset: string; value: string };
  const row = balances.find((each) => each['account'] === account && each['asset'] === asset)!;
  row['value'] = new Decimal(row['value'] as string).plus(by(new Decimal(value))).toFixed();
};
const amount = (row: Row, side: 'source' | 'target') => row[side] as { value: string; asset: string };
const times = (value: string, factor: number) => new Decimal(value).times(factor).toFixed();

const corruptions: readonly Corruption[] = [
  {
    name: 'an operation is missing',
    plant: (all, [, id]) => remove(all.operations, operationOf(all, id)),
    sections: ['operations'],
    kind: 'NOT_BOOKED',
  },
  { name: 'an entry is dropped', plant: (all, [, id]) => remove(all.entries, entryOf(all, id)), sections: ['entries'], kind: 'NOT_BOOKED' },
  {
    name: 'a balance lacks a payment',
    plant: (all, [, id]) => shift(all, id, (value) => value.neg()),
    sections: ['balances'],
    kind: 'NOT_BOOKED',
  },
  {
    name: 'an operation is listed twice',
    plant: (all, [, id]) => all.operations.push({ ...operationOf(all, id), ref: 'again' }),
    sections: ['operations'],
    kind: 'BOOKED_TWICE',
  },
  {
    name: 'an entry is listed twice',
    plant: (all, [, id]) => all.entries.push({ ...entryOf(all, id), ref: 'again' }),
    sections: ['entries'],
    kind: 'BOOKED_TWICE',
  },
  {
    name: 'a balance counts a payment twice',
    plant: (all, [, id]) => shift(all, id, (value) => value),
    sections: ['balances'],
    kind: 'BOOKED_TWICE',
  },
  {
    name: 'an amount of an operation has the opposite sign',
    plant: (all, [, id]) => (amount(operationOf(all, id), 'source').value = times(amount(operationOf(all, id), 'source').value, -1)),
    sections: ['operations'],
    kind: 'WRONG_AMOUNT',
    explanation: 'SIGN',
  },
  {
    name: 'an entry has the opposite sign',
    plant: (all, [, id]) => (entryOf(all, id)['value'] = times(entryOf(all, id)['value'] as string, -1)),
    sections: ['entries'],
    kind: 'WRONG_AMOUNT',
    explanation: 'SIGN',
  },
  {
    name: 'a balance counts a payment with the opposite sign',
    plant: (all, [, id]) => shift(all, id, (value) => value.times(-2)),
    sections: ['balances'],
    kind: 'WRONG_AMOUNT',
    explanation: 'SIGN',
  },
  {
    name: 'an operation has its target amount as source amount',
    plant: (all, [, id]) => (operationOf(all, id)['source'] = { ...amount(operationOf(all, id), 'target') }),
    sections: ['operations'],
    kind: 'WRONG_AMOUNT',
    explanation: 'OTHER_SIDE',
  },
  {
    name: 'an entry has the target amount of the operation instead of the source amount',
    plant: (all, [, id]) => Object.assign(entryOf(all, id), { value: `-${amount(operationOf(all, id), 'target').value}` }),
    sections: ['entries'],
    kind: 'WRONG_AMOUNT',
    explanation: 'OTHER_SIDE',
  },
  {
    name: 'a balance counts a payment with its target amount instead of the source amount',
    plant: (all, [, id]) => shift(all, id, (value) => value.plus(amount(operationOf(all, id), 'target').value).neg()),
    sections: ['balances'],
    kind: 'WRONG_AMOUNT',
    explanation: 'OTHER_SIDE',
  },
  {
    name: 'an amount of an operation is a hundred times too large',
    plant: (all, [, id]) => (amount(operationOf(all, id), 'target').value = times(amount(operationOf(all, id), 'target').value, 100)),
    sections: ['operations'],
    kind: 'WRONG_AMOUNT',
    explanation: 'SCALE',
  },
  {
    name: 'an entry is a hundred times too large',
    plant: (all, [, id]) => (entryOf(all, id)['value'] = times(entryOf(all, id)['value'] as string, 100)),
    sections: ['entries'],
    kind: 'WRONG_AMOUNT',
    explanation: 'SCALE',
  },
  {
    name: 'a balance counts a payment a hundred times too large',
    plant: (all, [, id]) => shift(all, id, (value) => value.times(99)),
    sections: ['balances'],
    kind: 'WRONG_AMOUNT',
    explanation: 'SCALE',
  },
  {
    name: 'an operation has a wrong account',
    plant: (all, [, id]) => (operationOf(all, id)['account'] = operationOf(all, id)['id']),
    sections: ['operations'],
    kind: 'WRONG_ACCOUNT',
  },
  {
    name: 'an entry has a wrong account',
    plant: (all, [, id]) => (entryOf(all, id)['account'] = id),
    sections: ['entries'],
    kind: 'WRONG_ACCOUNT',
  },
  {
    name: 'a status is out of date',
    plant: (all, [, id]) => (operationOf(all, id)['status'] = 'REQUESTED'),
    sections: ['operations'],
    kind: 'WRONG_STATUS',
  },
  {
    name: 'the operations end too early',
    plant: (all, [, id]) => all.operations.splice(all.operations.indexOf(operationOf(all, id))),
    sections: ['operations'],
    kind: 'NOT_BOOKED',
  },
  {
    name: 'the entries end too early',
    plant: (all, [, id]) => all.entries.splice(all.entries.indexOf(entryOf(all, id))),
    sections: ['entries'],
    kind: 'NOT_BOOKED',
  },
  {
    name: 'a balance lacks the last payments',
    plant: (all, [, second, third]) => {
      shift(all, second, (value) => value.neg());
      shift(all, third, (value) => value.neg());
    },
    sections: ['balances'],
    kind: 'NOT_BOOKED',
  },
  {
    name: 'an unknown operation is in the records',
    plant: (all) => all.operations.push({ id: crypto.randomUUID(), status: 'COMPLETED' }),
    sections: ['operations'],
    kind: 'UNKNOWN_OPERATION',
    about: null,
  },
  {
    name: 'an unknown entry is in the records',
    plant: (all, [, id]) => all.entries.push({ ...entryOf(all, id), operation: crypto.randomUUID() }),
    sections: ['entries'],
    kind: 'UNKNOWN_OPERATION',
    about: null,
  },
  {
    name: 'an amount of an operation is one cent off',
    plant: (all, [, id]) =>
      (amount(operationOf(all, id), 'target').value = new Decimal(amount(operationOf(all, id), 'target').value).plus('0.01').toFixed(2)),
    sections: ['operations'],
    kind: 'WRONG_AMOUNT',
    explanation: 'ROUNDING',
  },
  {
    name: 'an entry is one cent off',
    plant: (all, [, id]) => (entryOf(all, id)['value'] = new Decimal(entryOf(all, id)['value'] as string).plus('0.01').toFixed()),
    sections: ['entries'],
    kind: 'WRONG_AMOUNT',
    explanation: 'ROUNDING',
  },
  {
    name: 'a balance is one cent off',
    plant: (all, [, id]) => shift(all, id, () => '0.01'),
    sections: ['balances'],
    kind: 'BALANCE',
    explanation: 'ROUNDING',
    about: null,
  },
  {
    name: 'two errors are in the operations',
    plant: (all, [, second, third]) => {
      remove(all.operations, operationOf(all, second));
      operationOf(all, third)['status'] = 'FAILED';
    },
    sections: ['operations'],
    kind: 'NOT_BOOKED',
  },
  {
    name: 'two errors are in the entries',
    plant: (all, [, second, third]) => {
      remove(all.entries, entryOf(all, second));
      all.entries.push({ ...entryOf(all, third) });
    },
    sections: ['entries'],
    kind: 'NOT_BOOKED',
  },
  {
    name: 'two errors are in a balance',
    plant: (all, [first, , third]) => {
      shift(all, first, (value) => value.neg());
      shift(all, third, (value) => value.times(-2));
    },
    sections: ['balances'],
    kind: 'NOT_BOOKED',
    about: 0,
  },
];

describe('the first difference', () => {
  it.each(corruptions)(
    'names operation and kind of difference if $name',
    async ({ plant, sections, kind, explanation = null, about = 1 }) => {
      const { reconcile, correct, ids } = await settled();
      plant(correct, ids);
      const sent = Object.fromEntries(sections.map((name) => [name, correct[name]]));
      const result = await reconcile({ ...sent, complete: sections.filter((name) => name !== 'balances') });
      expect(result.verdict).toBe('DIFFERENT');
      expect(result.first).toEqual(result.differences[0]);
      expect(summaryOf(result.first)!.slice(0, 4)).toEqual([sections[0], kind, explanation, about === null ? null : ids[about]]);
      if (explanation !== null && sections[0] !== 'balances') expect(result.first!.what).toContain(`(${explanation.replace('_', ' ')}).`);
      for (const { claimed, truth, explained, unexplained } of result.balances)
        expect(new Decimal(claimed).minus(truth).toFixed()).toBe(new Decimal(explained).plus(unexplained).toFixed());
    },
  );

  it.each(['operations', 'entries', 'balances'] as const)('names FEE as the explanation if a fee is missing in the %s', async (section) => {
    const { reconcile, records, payOut, advance, world } = await reconcileScene(harness);
    const { id } = await payOut();
    await advance();
    const correct = records();
    const fee = harness.sandbox.world(world).state.operations.get(id)!.fees[0]!.amount.value;
    if (section === 'operations') amount(operationOf(correct, id), 'source').value = new Decimal('27.903399').minus(fee).toFixed();
    if (section === 'entries') entryOf(correct, id)['value'] = new Decimal(fee).minus('27.903399').toFixed();
    if (section === 'balances') shift(correct, id, () => fee);
    const { first } = await reconcile({ [section]: correct[section] });
    expect(summaryOf(first)!.slice(0, 4)).toEqual([section, 'WRONG_AMOUNT', 'FEE', id]);
  });
});
