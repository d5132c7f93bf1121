import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetDecimals, type AssetCode } from '../contract/shared/common.js';
import type { Operation } from '../contract/public/operations.js';
import type { Report } from '../contract/public/reports.js';
import { Decimal } from '../domain/money.js';
import { useHarness } from '../testing/harness.js';
import { fixtureIds, withdrawalBody } from '../testing/withdrawals.js';
import { inLength } from '../testing/long-run.js';

const harness = useHarness();
const numRuns = inLength(25, 1000);

const value = fc
  .tuple(fc.integer({ min: 0, max: 300_000 }), fc.integer({ min: 1, max: 99 }))
  .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, '0')}`);
const accountIndex = fc.constantFrom(0, 1);
const anyAsset = fc.constantFrom('BRL', 'USD', 'EUR', 'USDT');
const pick = fc.nat({ max: 50 });

/** Operations that use a quote: kind, index of the account, source and target asset, rail. */
const quotedKinds = fc.constantFrom(
  ['withdrawal', 0, 'BRL', 'BRL'],
  ['withdrawal', 0, 'USDT', 'BRL'],
  ['withdrawal', 1, 'EUR', 'BRL'],
  ['swap', 0, 'BRL', 'USD'],
  ['swap', 0, 'USD', 'USDT'],
  ['swap', 0, 'USDT', 'BRL'],
  ['swap', 1, 'EUR', 'BRL'],
  ['swap', 1, 'BRL', 'USD'],
  ['deposit', 0, 'BRL', 'BRL', 'PIX_KEY'],
  ['deposit', 0, 'USDC', 'USDT', 'CRYPTO'],
  ['deposit', 0, 'PHP', 'BRL', 'SWIFT'],
  ['deposit', 1, 'EUR', 'EUR', 'SEPA'],
  ['deposit', 1, 'USD', 'EUR', 'WIRE'],
  ['deposit', 1, 'BRL', 'BRL', 'WIRE'],
) as fc.Arbitrary<[kind: 'withdrawal' | 'swap' | 'deposit', account: 0 | 1, source: AssetCode, target: AssetCode, rail?: string]>;

/** An action of a client. The sandbox rejects some actions, which is part of the test. */
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('quoted' as const), what: quotedKinds, value, fixesSource: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('transfer' as const),
      account: accountIndex,
      asset: fc.constantFrom('BRL', 'BRL', 'USD'),
      value,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('force' as const),
      pick,
      verb: fc.constantFrom('complete', 'fail', 'process', 'hold', 'require-action', 'resume', 'next'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pay' as const), pick, amount: fc.option(value, { nil: undefined }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('money' as const),
      account: accountIndex,
      asset: anyAsset,
      value,
      verb: fc.constantFrom('credit', 'debit'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 0, max: 10 }) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** Runs actions in a world and returns the ids of its operations. */
async function live(world: string, story: readonly Action[]): Promise<string[]> {
  const { accountIds, approved } = fixtureIds(harness, world);
  const operations: string[] = [];
  const request = async (kind: string, body: unknown) => {
    const answer = await harness.api('POST', `/api/operations/${kind}`, { body }, world);
    if (answer.status === 201) operations.push(answer.body.id as string);
  };
  for (const each of story) {
    if (each.do === 'wait') await harness.control('POST', '/clock/advance', { by: `${each.seconds}s` }, world);
    else if (each.do === 'money') {
      const amount = { value: each.value, asset: each.asset };
      await harness.control('POST', `/accounts/${accountIds[each.account]}/${each.verb}`, { amount }, world);
    } else if (each.do === 'force' || each.do === 'pay') {
      const id = operations[each.pick % Math.max(1, operations.length)];
      const [verb, body] = each.do === 'pay' ? ['pay', { amount: each.amount }] : [each.verb, undefined];
      if (id !== undefined) await harness.control('POST', `/operations/${id}/${verb}`, body, world);
    } else if (each.do === 'transfer') {
      const [sourceAccountId, targetAccountId] = each.account === 0 ? accountIds : [accountIds[1], accountIds[0]];
      await request('transfer', { sourceAccountId, targetAccountId, amount: { value: each.value, asset: each.asset } });
    } else {
      const [kind, account, sourceAsset, targetAsset, rail] = each.what;
      const accountId = accountIds[account]!;
      const fixed = { [each.fixesSource ? 'sourceAmount' : 'targetAmount']: each.value };
      const quote = await harness.api('POST', '/api/quotes', { body: { accountId, sourceAsset, targetAsset, ...fixed } }, world);
      const quoteId = quote.body.id as string;
      if (kind === 'withdrawal') await request(kind, withdrawalBody(accountId, quoteId, approved));
      else await request(kind, { accountId, quoteId, ...(rail ? { fundingInstruction: { rail } } : {}) });
    }
  }
  return operations;
}

const add = (sums: Map<string, Decimal>, key: string, amount: Decimal | string) =>
  sums.set(key, (sums.get(key) ?? new Decimal(0)).plus(amount));
const sorted = (sums: Map<string, Decimal>) => [...sums].map(([key, sum]) => `${key} ${sum.toFixed(6)}`).toSorted();

/** Fails if the ledger of a world is wrong: if money was lost or created, or an amount has the wrong number of decimals. */
function checkBooks(world: string): void {
  const { ledgerEntries, balances } = harness.sandbox.world(world).state;
  const byAccount = new Map<string, Decimal>();
  for (const { postings } of ledgerEntries.values()) {
    const byAsset = new Map<string, Decimal>();
    for (const { account, asset, amount } of postings) {
      expect(amount).toMatch(new RegExp(`^-?[0-9]+\\.[0-9]{${assetDecimals[asset]}}$`));
      add(byAsset, asset, amount);
      add(byAccount, `${account}/${asset}`, amount);
    }
    expect([...byAsset.values()].filter((sum) => !sum.isZero())).toEqual([]);
    const traded = postings.filter((each) => each.account === 'fx').map((each) => each.asset);
    expect(traded.toSorted()).toEqual(byAsset.size > 1 ? [...byAsset.keys()].toSorted() : []);
  }
  const held = new Map([...balances].map(([id, row]) => [id, new Decimal(row.value)]));
  expect(sorted(held)).toEqual(sorted(byAccount));
}

/** Fails if the two amounts of an operation do not match its rate, except for rounding. */
function checkRate({ sourceAmount, targetAmount, quote }: Operation): void {
  const unitOf = (asset: AssetCode) => new Decimal(10).pow(-assetDecimals[asset]);
  const source = new Decimal(sourceAmount.value);
  const rate = new Decimal(quote.effectiveRate.value);
  const gap = source.times(rate).minus(targetAmount.value);
  const roundedTarget = gap.lt(unitOf(targetAmount.asset));
  const roundedSource = gap.lt(unitOf(sourceAmount.asset).times(rate));
  expect(gap.gte(0) && (roundedTarget || roundedSource)).toBe(true);
}

interface Flow {
  accountId: string;
  side: 'inflows' | 'outflows';
  amount: Operation['sourceAmount'];
  type: string;
}

/** Returns the inflows and outflows that an operation, as the API shows it, adds to a report. */
function flowsOf({ account, intent, sourceAmount, targetAmount }: Operation): Flow[] {
  const { type } = intent;
  const out: Flow = { accountId: account.id, side: 'outflows', amount: sourceAmount, type };
  const into = (accountId: string): Flow => ({ accountId, side: 'inflows', amount: targetAmount, type });
  if (intent.type === 'WITHDRAWAL') return [out];
  if (intent.type === 'DEPOSIT') return [into(account.id)];
  return [out, into(intent.type === 'TRANSFER' ? intent.targetAccount.id : account.id)];
}

function expectedTotals(operations: readonly Operation[], start: string, end: string, passes: (flow: Flow) => boolean): Report['totals'] {
  const settled = operations.filter(
    ({ currentState: { status, createdAt } }) => status === 'COMPLETED' && createdAt >= start && createdAt < end,
  );
  const flows = settled.flatMap(flowsOf).filter(passes);
  const side = (asset: string, name: Flow['side']) => {
    const mine = flows.filter((flow) => flow.side === name && flow.amount.asset === asset);
    if (mine.length === 0) return {};
    const sum = mine.reduce((total, { amount }) => total.plus(amount.value), new Decimal(0));
    const { decimals } = mine[0]!.amount;
    return { [name]: { sum: { value: sum.toFixed(decimals), asset, decimals }, count: mine.length } };
  };
  const assets = [...new Set(flows.map((flow) => flow.amount.asset))].toSorted();
  return assets.map((asset) => ({ asset, ...side(asset, 'inflows'), ...side(asset, 'outflows') }));
}

describe('random actions', () => {
  let worlds = 0;

  it(
    'neither create nor lose money, and reports contain the sums of the operations',
    async () => {
      const instant = fc.integer({ min: 0, max: 90_000 }).map((ms) => new Date(Date.parse('2026-11-21T12:00:00Z') + ms).toISOString());
      await fc.assert(
        fc.asyncProperty(
          fc.array(action, { minLength: 15, maxLength: 40 }),
          fc.constantFrom('default', 'instant', 'manual'),
          fc.tuple(instant, instant).filter(([a, b]) => a !== b),
          accountIndex,
          anyAsset,
          async (story, scenario, instants, index, other) => {
            const world = await harness.world(`story-${(worlds += 1)}`, { scenario });
            const ids = await live(world, story);
            checkBooks(world);

            const read = await Promise.all(ids.map((id) => harness.api('GET', `/api/operations/${id}`, {}, world)));
            const operations = read.map((each) => each.body as Operation);
            operations.forEach(checkRate);
            const [start, end] = instants.toSorted() as [string, string];
            const accountId = fixtureIds(harness, world).accountIds[index]!;
            const filters: [string, (flow: Flow) => boolean][] = [
              ['', () => true],
              [`account.id[eq]=${accountId}`, (flow) => flow.accountId === accountId],
              [
                `asset[ne]=${other};intent.type[in]=SWAP|TRANSFER`,
                ({ amount, type }) => amount.asset !== other && (type === 'SWAP' || type === 'TRANSFER'),
              ],
            ];
            for (const [text, passes] of filters) {
              const query = new URLSearchParams({ periodStart: start, periodEnd: end, ...(text ? { filters: text } : {}) });
              const { body } = await harness.api('GET', `/api/reports?${query.toString()}`, {}, world);
              expect(body).toEqual({ period: { start, end }, totals: expectedTotals(operations, start, end, passes) });
            }
            await harness.control('DELETE', `/worlds/${world}`);
          },
        ),
        { numRuns },
      );
    },
    numRuns * 1000,
  );
});
