import { expect, it } from 'vitest';
import { assetDecimals, type AssetCode } from '../../contract/shared/common.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdrawalBody } from '../../testing/withdrawals.js';
import { operationIn, quoteIn, request } from '../../testing/money.js';

const harness = useHarness();

const pix = { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'caio.menezes@example.com' };
const bank = (asset: string, rail: string, fields: Record<string, unknown>) => ({ type: 'BANK_ACCOUNT', asset, rail, ...fields });
const us = { routingNumber: '021000021', accountNumber: '000123456789' };
const instructions: Record<string, Record<string, unknown>> = {
  PIX_KEY: pix,
  TED: bank('BRL', 'TED', { bankCode: '341', branch: '0001', accountNumber: '123456-7' }),
  SEPA: bank('EUR', 'SEPA', { iban: 'DE89370400440532013000' }),
  SWIFT: bank('GBP', 'SWIFT', { bic: 'BUKBGB22', iban: 'GB29NWBK60161331926819' }),
  WIRE: bank('USD', 'WIRE', us),
  ACH: bank('USD', 'ACH', us),
  CRYPTO: { type: 'CRYPTO_WALLET', asset: 'USDT', network: 'TRON', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
};
const fundingAssets: Record<string, AssetCode> = {
  PIX_KEY: 'BRL',
  PIX_STATIC_QR_CODE: 'BRL',
  TED: 'BRL',
  BOLETO: 'BRL',
  CRYPTO: 'USDT',
  WIRE: 'USD',
  ACH: 'USD',
  SWIFT: 'USD',
  SEPA: 'EUR',
};

const provider = 'FAILED PROVIDER_ERROR';
const always = { '15': 'FAILED COMPLIANCE_REJECTED', '16': 'FAILED LIMIT_EXCEEDED', '17': 'ON_HOLD COMPLIANCE_REVIEW' };
const later = { '19': 'ACTION_REQUIRED ADDITIONAL_INFORMATION_REQUIRED', '20': provider };
const toBank = {
  '11': 'FAILED INSUFFICIENT_BALANCE',
  '12': 'FAILED BENEFICIARY_ACCOUNT_CLOSED',
  '13': 'FAILED BENEFICIARY_BANK_REJECTED',
  '14': 'FAILED RAIL_UNAVAILABLE',
  ...always,
  '18': 'COMPLETED',
  ...later,
  '21': 'COMPLETED',
};
const toWallet = { ...toBank, '12': provider, '13': provider };
const inside = { ...toWallet, '14': provider };
const deposit = {
  ...inside,
  '11': provider,
  '14': 'FAILED RAIL_UNAVAILABLE',
  '18': 'FAILED PAYMENT_NOT_RECEIVED',
  '21': 'ON_HOLD AMOUNT_MISMATCH',
};

const amountOf = (cents: string, asset: AssetCode) => `50.${cents.padEnd(assetDecimals[asset], '0')}`;

type Maker = (world: string, cents: string) => Promise<string>;

async function quoted(world: string, sourceAsset: AssetCode, targetAsset: AssetCode, cents: string): Promise<string> {
  const { accountId } = fixtureIds(harness, world);
  return (await quoteIn(harness, world, { accountId, sourceAsset, targetAsset, sourceAmount: amountOf(cents, sourceAsset) })).id as string;
}

const withdrawalBy =
  (rail: string): Maker =>
  async (world, cents) => {
    const { accountId } = fixtureIds(harness, world);
    const paymentInstruction = instructions[rail]!;
    const { body: beneficiary } = await harness.api(
      'POST',
      '/api/beneficiaries',
      { body: { ...pixBeneficiary(), paymentInstruction } },
      world,
    );
    await harness.control('POST', `/beneficiaries/${beneficiary.id}/approve`, undefined, world);
    const quoteId = await quoted(world, 'BRL', paymentInstruction['asset'] as AssetCode, cents);
    const body = withdrawalBody(accountId, quoteId, { id: beneficiary.id, paymentInstructions: [beneficiary.paymentInstruction] });
    return (await harness.api('POST', '/api/operations/withdrawal', { body }, world)).body.id as string;
  };

const depositBy =
  (rail: string): Maker =>
  async (world, cents) => {
    const { accountId } = fixtureIds(harness, world);
    const quoteId = await quoted(world, fundingAssets[rail]!, 'BRL', cents);
    return (await request(harness, world, 'deposit', { accountId, quoteId, fundingInstruction: { rail } })).body.id as string;
  };

const swap: Maker = async (world, cents) => {
  const { accountId } = fixtureIds(harness, world);
  return (await request(harness, world, 'swap', { accountId, quoteId: await quoted(world, 'BRL', 'USD', cents) })).body.id as string;
};

const transfer: Maker = async (world, cents) => {
  const [sourceAccountId, targetAccountId] = fixtureIds(harness, world).accountIds;
  const amount = { value: amountOf(cents, 'BRL'), asset: 'BRL' };
  return (await request(harness, world, 'transfer', { sourceAccountId, targetAccountId, amount })).body.id as string;
};

const ways: [name: string, ends: Record<string, string>, make: Maker][] = [
  ...Object.keys(instructions).map((rail): [string, Record<string, string>, Maker] => [
    `a withdrawal by ${rail}`,
    rail === 'CRYPTO' ? toWallet : toBank,
    withdrawalBy(rail),
  ]),
  ...Object.keys(fundingAssets).map((rail): [string, Record<string, string>, Maker] => [`a deposit by ${rail}`, deposit, depositBy(rail)]),
  ['a transfer', inside, transfer],
  ['a swap', inside, swap],
];

async function endsIn(world: string, make: Maker, cents: readonly string[]): Promise<Record<string, string>> {
  const ids: string[] = [];
  for (const each of cents) ids.push(await make(world, each));
  await harness.control('POST', '/clock/advance', { by: '1m' }, world);
  const operations = await Promise.all(ids.map((id) => operationIn(harness, world, id)));
  return Object.fromEntries(
    operations.map(({ currentState: { status, reason } }, index) => [cents[index]!, reason ? `${status} ${reason.code}` : status]),
  );
}

it.each(ways)('%s ends in the status of its magic cents, with a reason that fits the rail', async (name, ends, make) => {
  const world = await harness.world(name.replaceAll(/[ _]/g, '-').toLowerCase());
  expect(await endsIn(world, make, Object.keys(ends))).toEqual(ends);
});

it.each([
  ['a withdrawal by PIX', 'FAILED BENEFICIARY_BANK_REJECTED', withdrawalBy('PIX_KEY')],
  ['a withdrawal to a wallet', provider, withdrawalBy('CRYPTO')],
  ['a deposit', provider, depositBy('PIX_KEY')],
  ['a transfer', provider, transfer],
  ['a swap', provider, swap],
])('the scenario "declines" makes %s fail with a reason that fits the operation', async (name, end, make) => {
  const world = await harness.world(`declines-${name.replaceAll(' ', '-').toLowerCase()}`, { scenario: 'declines' });
  expect(await endsIn(world, make, ['00', '15'])).toEqual({ '00': end, '15': 'FAILED COMPLIANCE_REJECTED' });
});

it.each(ways.filter(([name]) => /PIX_KEY|CRYPTO|transfer|swap/.test(name)))(
  'in the scenario success, magic cents have no effect on %s',
  async (name, ends, make) => {
    const world = await harness.world(`success-${name.replaceAll(/[ _]/g, '-').toLowerCase()}`, { scenario: 'success' });
    const cents = Object.keys(ends);
    expect(await endsIn(world, make, cents)).toEqual(Object.fromEntries(cents.map((each) => [each, 'COMPLETED'])));
  },
);

it('in the scenario success, magic names have no effect', async () => {
  const world = await harness.world('success-names', { scenario: 'success' });
  const body = { ...pixBeneficiary({ lastName: 'Sanctioned' }), paymentInstruction: instructions['TED'] };
  const { body: beneficiary } = await harness.api('POST', '/api/beneficiaries', { body }, world);
  await harness.control('POST', '/clock/advance', { by: '3s' }, world);
  expect((await harness.api('GET', `/api/beneficiaries/${beneficiary.id}`, {}, world)).body.status).toBe('APPROVED');
});
