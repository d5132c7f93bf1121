import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdrawalBody } from '../../testing/withdrawals.js';
import { createdInWorld, quoteIn } from '../../testing/money.js';

const harness = useHarness();

/** Violations of the business rules for each kind of operation, in the order of the checks, with the error code of each. */
const rules = {
  withdrawal: {
    expired: 'QUOTE_EXPIRED',
    mismatch: 'QUOTE_ACCOUNT_MISMATCH',
    consumed: 'QUOTE_ALREADY_CONSUMED',
    inactive: 'ACCOUNT_NOT_ACTIVE',
    sourceDisabled: 'ASSET_NOT_ENABLED',
    instruction: 'PAYMENT_INSTRUCTION_NOT_APPROVED',
    beneficiary: 'BENEFICIARY_NOT_APPROVED',
    instructionAsset: 'INSTRUCTION_ASSET_MISMATCH',
  },
  swap: {
    expired: 'QUOTE_EXPIRED',
    mismatch: 'QUOTE_ACCOUNT_MISMATCH',
    consumed: 'QUOTE_ALREADY_CONSUMED',
    sameAsset: 'SWAP_SAME_ASSET',
    inactive: 'ACCOUNT_NOT_ACTIVE',
    sourceDisabled: 'ASSET_NOT_ENABLED',
    targetDisabled: 'ASSET_NOT_ENABLED',
  },
  deposit: {
    expired: 'QUOTE_EXPIRED',
    mismatch: 'QUOTE_ACCOUNT_MISMATCH',
    consumed: 'QUOTE_ALREADY_CONSUMED',
    inactive: 'ACCOUNT_NOT_ACTIVE',
    targetDisabled: 'ASSET_NOT_ENABLED',
    rail: 'RAIL_NOT_AVAILABLE',
  },
  transfer: {
    inactive: 'ACCOUNT_NOT_ACTIVE',
    targetInactive: 'ACCOUNT_NOT_ACTIVE',
    sourceDisabled: 'ASSET_NOT_ENABLED',
    targetDisabled: 'ASSET_NOT_ENABLED',
  },
} as const;
type Kind = keyof typeof rules;
const kinds = Object.keys(rules) as Kind[];

/** Test cases: each violation alone, each pair, and all together. The first violation determines the error. */
const cases = kinds.flatMap((kind) => {
  const faults = Object.entries<string>(rules[kind]);
  const several = faults.flatMap(([fault, code], index) => faults.slice(index).map(([other]) => ({ kind, faults: [fault, other], code })));
  return [...several, { kind, faults: faults.map(([fault]) => fault), code: faults[0]![1] }];
});

let worlds = 0;

/** Requests an operation with exactly these violations, in a new world. */
async function attempt(kind: Kind, faults: readonly string[]) {
  const world = await harness.world(`rules-${(worlds += 1)}`, { scenario: 'manual' });
  const has = (fault: string) => faults.includes(fault);
  const force = async (path: string) => expect((await harness.control('POST', path, undefined, world)).status).toBe(200);
  const { accountIds, approved, rejected } = fixtureIds(harness, world);
  const [first = '', second = ''] = accountIds;
  const accountId = has('mismatch') ? second : first;
  const targetAsset = has('instructionAsset') || (kind === 'swap' && !has('sameAsset')) ? 'USD' : 'BRL';
  const quote = await quoteIn(harness, world, { accountId: first, sourceAsset: 'BRL', targetAsset, sourceAmount: '10.00' });
  const create = (of: string, body: unknown) => harness.api('POST', `/api/operations/${of}`, { body }, world);
  if (has('consumed')) {
    const swap = { accountId: first, quoteId: quote.id };
    const consuming =
      targetAsset === 'USD' ? await create('swap', swap) : await create('withdrawal', withdrawalBody(first, quote.id, approved));
    expect(consuming.status).toBe(201);
  }
  if (has('instruction') && !has('beneficiary')) await force(`/beneficiaries/${rejected.id}/approve`);
  if (has('beneficiary') && !has('instruction')) await force(`/beneficiaries/${approved.id}/reject`);
  if (has('sourceDisabled') || (has('targetDisabled') && kind === 'deposit')) await force(`/accounts/${accountId}/assets/BRL/freeze`);
  if (has('targetDisabled') && kind === 'swap' && !has('mismatch') && !has('sameAsset'))
    await force(`/accounts/${accountId}/assets/USD/freeze`);
  if (has('targetDisabled') && kind === 'transfer') await force(`/accounts/${second}/assets/BRL/freeze`);
  if (has('inactive')) await force(`/accounts/${accountId}/close`);
  if (has('targetInactive')) await force(`/accounts/${second}/close`);
  if (has('expired')) await harness.control('POST', '/clock/advance', { by: 'PT31S' }, world);

  const beneficiary = has('instruction') ? rejected : approved;
  const bodies: Record<Kind, unknown> = {
    withdrawal: withdrawalBody(accountId, quote.id, beneficiary),
    swap: { accountId, quoteId: quote.id },
    deposit: { accountId, quoteId: quote.id, fundingInstruction: { rail: has('rail') ? 'WIRE' : 'TED' } },
    transfer: { sourceAccountId: first, targetAccountId: second, amount: { value: '10.00', asset: 'BRL' } },
  };
  const before = createdInWorld(harness, world, 'operations').length;
  const answer = await create(kind, bodies[kind]);
  return { answer, quote, first, second, accountId, beneficiary, created: createdInWorld(harness, world, 'operations').length - before };
}

describe('the rules of an operation', () => {
  // §D1-order-of-rules §3-quote-expired §2.3-one-account §3-only-approved §4.8-active §4.8-enabled §D1-not-active §D1-not-enabled §D9-enabled
  // §D9-swap-assets §D9-deposit-rail §D9-instruction-asset §D10-not-approved §7-quote-expired
  it.each(cases)('return $code for a $kind with the violations $faults', async ({ kind, faults, code }) => {
    const { answer, created } = await attempt(kind, faults);
    expect([answer.status, answer.body.code]).toEqual([422, code]);
    expect(created).toBe(0);
  });

  it.each(kinds)('accept a valid %s', async (kind) => {
    const { answer, created } = await attempt(kind, []);
    expect([answer.status, created]).toEqual([201, 1]);
  });

  // §D1-quote-details
  it('name in the error the quote, and its expiry or the operation that used the quote', async () => {
    const expired = await attempt('swap', ['expired']);
    expect(expired.answer.body.details).toEqual({ quoteId: expired.quote.id, expiredAt: '2026-11-21T12:00:30.000Z' });
    const consumed = await attempt('swap', ['consumed']);
    expect(consumed.answer.body.details).toEqual({
      quoteId: consumed.quote.id,
      consumedByOperationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      consumedAt: '2026-11-21T12:00:00.000Z',
    });
    const mismatch = await attempt('swap', ['mismatch']);
    expect(mismatch.answer.body.details).toEqual({
      quoteId: mismatch.quote.id,
      accountId: mismatch.second,
      quoteAccountId: mismatch.first,
    });
  });

  it('report the account and asset of the source, not of the target, if both violate a rule', async () => {
    const closed = await attempt('transfer', ['inactive', 'targetInactive']);
    expect(closed.answer.body.details).toEqual({ accountId: closed.first, status: 'CLOSED' });
    const frozen = await attempt('transfer', ['sourceDisabled', 'targetDisabled']);
    expect(frozen.answer.body.details).toEqual({ accountId: frozen.first, asset: 'BRL', status: 'FROZEN' });
    const swap = await attempt('swap', ['sourceDisabled', 'targetDisabled']);
    expect(swap.answer.body.details).toMatchObject({ asset: 'BRL', status: 'FROZEN' });
  });

  // §D1-order-of-checks §7-not-found
  it('are checked after the existence of all resources that the request names', async () => {
    const world = await harness.world('existence', { scenario: 'manual' });
    const { accountId, approved, rejected } = fixtureIds(harness, world);
    const quote = await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10.00' });
    await harness.control('POST', '/clock/advance', { by: 'PT31S' }, world);
    const good = withdrawalBody(accountId, quote.id, rejected);
    const { beneficiary } = good;
    const foreign = approved.paymentInstructions[0]!.id;
    const absent = randomUUID();
    for (const [body, resource] of [
      [{ ...good, accountId: absent, quoteId: absent, beneficiary: { ...beneficiary, id: absent } }, 'Account'],
      [{ ...good, quoteId: absent, beneficiary: { ...beneficiary, id: absent } }, 'Quote'],
      [{ ...good, beneficiary: { ...beneficiary, id: absent } }, 'Beneficiary'],
      [{ ...good, beneficiary: { ...beneficiary, paymentInstruction: { type: 'REFERENCE', id: absent } } }, 'PaymentInstruction'],
      [{ ...good, beneficiary: { ...beneficiary, paymentInstruction: { type: 'REFERENCE', id: foreign } } }, 'PaymentInstruction'],
    ] as const) {
      const answer = await harness.api('POST', '/api/operations/withdrawal', { body }, world);
      expect([answer.status, answer.body.details.resource]).toEqual([404, resource]);
    }
    expect((await harness.api('POST', '/api/operations/withdrawal', { body: good }, world)).body.code).toBe('QUOTE_EXPIRED');
  });

  // §5-identity §D1-foreign §4.8-same-customer
  it('never reveal resources of another customer', async () => {
    const [own, other] = [await harness.world('own'), await harness.world('other')];
    const { accountId, approved } = fixtureIds(harness, own);
    const foreign = fixtureIds(harness, other);
    const quoted = { accountId: foreign.accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10.00' };
    const foreignQuote = await quoteIn(harness, other, quoted);
    const quote = await quoteIn(harness, own, { ...quoted, accountId });
    const amount = { value: '1.00', asset: 'BRL' };
    for (const [path, body, resource] of [
      ['/api/quotes', quoted, 'Account'],
      ['/api/operations/transfer', { sourceAccountId: accountId, targetAccountId: foreign.accountId, amount }, 'Account'],
      ['/api/operations/transfer', { sourceAccountId: foreign.accountId, targetAccountId: accountId, amount }, 'Account'],
      ['/api/operations/swap', { accountId, quoteId: foreignQuote.id }, 'Quote'],
      ['/api/operations/deposit', { accountId, quoteId: foreignQuote.id, fundingInstruction: { rail: 'TED' } }, 'Quote'],
      ['/api/operations/withdrawal', withdrawalBody(accountId, quote.id, foreign.approved), 'Beneficiary'],
      ['/api/operations/withdrawal', withdrawalBody(accountId, foreignQuote.id, approved), 'Quote'],
    ] as const) {
      const answer = await harness.api('POST', path, { body }, own);
      expect([answer.status, answer.body.code, answer.body.details.resource]).toEqual([404, 'RESOURCE_NOT_FOUND', resource]);
    }
  });

  // §2.3-one-operation §8-quote §3-quote-consumed §D9-consumed
  it('let only one of many concurrent operations use a quote', async () => {
    const world = await harness.world('race');
    const { accountId, approved } = fixtureIds(harness, world);
    const quote = await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10.00' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? harness.api('POST', '/api/operations/withdrawal', { body: withdrawalBody(accountId, quote.id, approved) }, world)
          : harness.api(
              'POST',
              '/api/operations/deposit',
              { body: { accountId, quoteId: quote.id, fundingInstruction: { rail: 'TED' } } },
              world,
            ),
      ),
    );
    const winner = answers.find(({ status }) => status === 201);
    expect(winner!.body.quote).toMatchObject({ id: quote.id, consumedAt: '2026-11-21T12:00:00.000Z' });
    const refused = answers.filter((each) => each !== winner);
    expect(new Set(refused.map(({ body }) => `${body.code} ${body.details.consumedByOperationId}`))).toEqual(
      new Set([`QUOTE_ALREADY_CONSUMED ${winner!.body.id}`]),
    );
    await harness.control('POST', `/operations/${winner!.body.id}/fail`, undefined, world);
    const again = await harness.api('POST', '/api/operations/withdrawal', { body: withdrawalBody(accountId, quote.id, approved) }, world);
    expect(again.body.code).toBe('QUOTE_ALREADY_CONSUMED');
  });

  // §D9-quote-anywhere
  it('require only an existing account for a quote', async () => {
    const world = await harness.world('quote-anywhere');
    const { accountIds } = fixtureIds(harness, world);
    for (const [accountId, sourceAsset] of [
      [accountIds[3]!, 'BRL'],
      [accountIds[0]!, 'SEK'],
    ] as const)
      expect(await quoteIn(harness, world, { accountId, sourceAsset, targetAsset: 'NOK', sourceAmount: '10.00' })).toBeDefined();
    const body = { accountId: randomUUID(), sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1' };
    expect((await harness.api('POST', '/api/quotes', { body }, world)).body.code).toBe('RESOURCE_NOT_FOUND');
  });
});
