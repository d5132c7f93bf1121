import { describe, expect, it } from 'vitest';
import { InstructionEventSchema, OperationEventSchema } from '../../contract/public/events.js';
import type { FundingInstruction } from '../../contract/shared/funding.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdrawalBody } from '../../testing/withdrawals.js';

const harness = useHarness();

const bank = (asset: string, rail: string, fields: Record<string, unknown>) => ({ type: 'BANK_ACCOUNT', asset, rail, ...fields });
const wallet = (asset: string, network: string, address: string) => ({ type: 'CRYPTO_WALLET', asset, network, address });
const request = (paymentInstruction: Record<string, unknown>) => ({ ...pixBeneficiary(), paymentInstruction });

const ted = { bankCode: '341', branch: '0001', accountNumber: '123456-7', accountType: 'CHECKING' };
const us = { routingNumber: '021000021', accountNumber: '000123456789' };
const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const solana = 'EPjFWdd5AufqSSqeM2qNStxk7GQFzqzSw8nNRYvAPcGn';

/** For each rail: an instruction, its address in responses, and the tracing ids of its transactions. */
const rails: [name: string, instruction: Record<string, unknown>, address: Record<string, unknown>, trace: Record<string, unknown>][] = [
  [
    'PIX',
    { type: 'PIX', asset: 'BRL', dictKeyType: 'PHONE', dictKey: '+5511987654321' },
    { type: 'PixKey', rail: 'PIX_KEY', keyType: 'PHONE', key: '+5511987654321' },
    { endToEnd: expect.stringMatching(/^E[0-9]{8}202611211200[0-9A-Za-z]{11}$/) },
  ],
  ['TED', bank('BRL', 'TED', ted), { type: 'BankAccount', rail: 'TED', ...ted }, {}],
  [
    'SEPA',
    bank('EUR', 'SEPA', { iban: 'de89 3704 0044 0532 0130 00' }),
    { type: 'BankAccount', rail: 'SEPA', iban: 'DE89370400440532013000', bic: null },
    {},
  ],
  [
    'SWIFT',
    bank('GBP', 'SWIFT', { bic: 'bukbgb22', iban: 'GB29NWBK60161331926819' }),
    { type: 'BankAccount', rail: 'SWIFT', bic: 'BUKBGB22', iban: 'GB29NWBK60161331926819', accountNumber: null },
    { uetr: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  ],
  ['WIRE', bank('USD', 'WIRE', us), { type: 'BankAccount', rail: 'WIRE', ...us }, {}],
  ['ACH', bank('USD', 'ACH', us), { type: 'BankAccount', rail: 'ACH', ...us }, {}],
  [
    'CRYPTO',
    wallet('USDT', 'TRON', tron),
    { type: 'CryptoWallet', rail: 'CRYPTO', network: 'TRON', address: tron },
    { network: 'TRON', transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ],
  [
    'CRYPTO',
    wallet('USDC', 'POLYGON', evm.toLowerCase()),
    { type: 'CryptoWallet', rail: 'CRYPTO', network: 'POLYGON', address: evm },
    { network: 'POLYGON', transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  ],
  [
    'CRYPTO',
    wallet('EURC', 'SOLANA', solana),
    { type: 'CryptoWallet', rail: 'CRYPTO', network: 'SOLANA', address: solana },
    { network: 'SOLANA', transactionHash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/) },
  ],
];

describe('payment instructions', () => {
  // §D10-instructions §D10-flat-instruction §D9-transactions §2.2-intent-withdrawal
  it.each(rails)(
    'by %s are registered, reviewed, used in a withdrawal, and reported by webhooks (%o)',
    async (name, instruction, address, trace) => {
      const world = await harness.world(`rail-${name}-${String(instruction['asset'])}`.toLowerCase());
      harness.attempts.length = 0;
      await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
      const created = await harness.api('POST', '/api/beneficiaries', { body: request(instruction) }, world);
      expect(created.status).toBe(201);
      expect(created.body.paymentInstruction).toMatchObject({ type: instruction['type'], asset: instruction['asset'], address });
      await harness.control('POST', '/clock/advance', { by: 'PT2S' }, world);

      const { accountId } = fixtureIds(harness, world);
      const targetAsset = instruction['asset'];
      const quoted = { accountId, sourceAsset: 'BRL', targetAsset, sourceAmount: '100.00' };
      const quote = await harness.api('POST', '/api/quotes', { body: quoted }, world);
      const withdrawal = withdrawalBody(accountId, quote.body.id, created.body);
      const requested = await harness.api('POST', '/api/operations/withdrawal', { body: withdrawal }, world);
      expect(requested.status).toBe(201);
      const { type: _type, ...flat } = address;
      expect(requested.body.intent.beneficiary.paymentInstruction).toEqual({ id: created.body.paymentInstruction.id, ...flat });

      await harness.control('POST', '/clock/advance', { by: 'PT5S' }, world);
      const { body } = await harness.api('GET', `/api/operations/${requested.body.id}`, {}, world);
      expect(body.currentState.status).toBe('COMPLETED');
      expect(body.transactions).toEqual([
        {
          id: expect.any(String),
          type: name,
          direction: 'DEBIT',
          amount: body.targetAmount,
          status: 'CONFIRMED',
          createdAt: '2026-11-21T12:00:03.000Z',
          ...trace,
        },
      ]);
      const entry = [...harness.sandbox.world(world).state.ledgerEntries.values()].at(-1);
      expect(entry?.postings).toContainEqual({
        account: `rail:${String(address['rail'])}`,
        asset: targetAsset,
        amount: body.targetAmount.value,
      });

      const payloads = harness.attempts.map((attempt) => JSON.parse(attempt.body));
      const [registered, , , completed] = payloads;
      expect(InstructionEventSchema.parse(registered)).toEqual(registered);
      expect(registered.instruction.address).toEqual(address);
      expect(OperationEventSchema.parse(completed)).toEqual(completed);
      expect(completed.intent.beneficiary).toMatchObject({
        id: created.body.id,
        instruction: { id: created.body.paymentInstruction.id, address },
      });
      const { createdAt: _createdAt, status: _status, ...shared } = body.transactions[0];
      expect(completed.transactions).toEqual([
        { ...shared, currentState: { status: 'CONFIRMED', createdAt: '2026-11-21T12:00:05.000Z', reason: null } },
      ]);
    },
  );

  // §D10-brl-account
  it.each([{}, { rail: null, accountType: null }, { rail: 'TED' }])(
    'for a bank account in BRL with %o default to a checking account by TED',
    async (left) => {
      const account = { bankCode: '341', branch: '0001', accountNumber: '123456-7' };
      const body = request({ type: 'BANK_ACCOUNT', asset: 'BRL', ...account, ...left });
      const created = await harness.api('POST', '/api/beneficiaries', { body });
      expect(created.status).toBe(201);
      const { type, address } = created.body.paymentInstruction;
      expect([type, address]).toEqual(['BANK_ACCOUNT', { type: 'BankAccount', rail: 'TED', ...account, accountType: 'CHECKING' }]);
    },
  );

  // §D7-funding-values §D13-networks
  it('accept the bank details, keys and addresses of every funding instruction of the sandbox', async () => {
    const world = await harness.world('own-instructions');
    const { accountIds } = fixtureIds(harness, world);
    const listed = await Promise.all(
      accountIds.map((id) => harness.api('GET', `/api/accounts/${id}/fundingInstructions?limit=100`, {}, world)),
    );
    const asRequest = (each: FundingInstruction) => {
      switch (each.rail) {
        case 'PIX_KEY':
          return [{ type: 'PIX', asset: each.asset, dictKeyType: each.keyType, dictKey: each.key }];
        case 'CRYPTO':
          return [wallet(each.asset, each.network, each.walletAddress)];
        case 'BOLETO':
        case 'PIX_STATIC_QR_CODE':
          return [];
        default: {
          const given = Object.entries(each).filter(
            ([field, value]) => !['bankName', 'accountName', 'reference'].includes(field) && value !== null,
          );
          return [{ type: 'BANK_ACCOUNT', ...Object.fromEntries(given) }];
        }
      }
    };
    const instructions = listed.flatMap(({ body }) => (body.data as FundingInstruction[]).flatMap(asRequest));
    expect(instructions.length).toBeGreaterThan(8);
    for (const instruction of instructions) {
      const { status, body } = await harness.api('POST', '/api/beneficiaries', { body: request(instruction) }, world);
      expect([status, body.details ?? null]).toEqual([201, null]);
    }
  });

  // §D10-identifiers §D10-rail-asset §D13-networks
  it.each([
    ['a bank code of two digits', bank('BRL', 'TED', { ...ted, bankCode: '34' }), ['INVALID_IDENTIFIER bankCode']],
    ['a branch of letters', bank('BRL', 'TED', { ...ted, branch: 'main' }), ['INVALID_IDENTIFIER branch']],
    ['an account without a check digit', bank('BRL', 'TED', { ...ted, accountNumber: '7' }), ['INVALID_IDENTIFIER accountNumber']],
    [
      'an account number of the sandbox bank with a wrong check digit',
      bank('BRL', 'TED', { ...ted, bankCode: '999', accountNumber: '00210169-7' }),
      ['INVALID_IDENTIFIER accountNumber'],
    ],
    ['an unknown account type', bank('BRL', 'TED', { ...ted, accountType: 'SALARY' }), ['INVALID_ENUM accountType']],
    ['an IBAN with a wrong check digit', bank('EUR', 'SEPA', { iban: 'DE88370400440532013000' }), ['INVALID_IDENTIFIER iban']],
    ['an IBAN of a country outside SEPA', bank('EUR', 'SEPA', { iban: 'BR1500000000000010932840814P2' }), ['INVALID_IDENTIFIER iban']],
    ['an empty IBAN', bank('EUR', 'SEPA', { iban: '' }), ['INVALID_IDENTIFIER iban']],
    ['an invalid BIC', bank('EUR', 'SEPA', { iban: 'DE89370400440532013000', bic: 'COBADEF' }), ['INVALID_IDENTIFIER bic']],
    ['neither IBAN nor account number', bank('GBP', 'SWIFT', { bic: 'BUKBGB22' }), ['REQUIRED iban']],
    [
      'both IBAN and account number',
      bank('GBP', 'SWIFT', { bic: 'BUKBGB22', iban: 'GB29NWBK60161331926819', accountNumber: '1' }),
      ['INVALID_FORMAT accountNumber'],
    ],
    ['no BIC', bank('GBP', 'SWIFT', { accountNumber: '12345678' }), ['REQUIRED bic']],
    [
      'a routing number with a wrong check digit',
      bank('USD', 'WIRE', { ...us, routingNumber: '021000022' }),
      ['INVALID_IDENTIFIER routingNumber'],
    ],
    [
      'several wrong identifiers, which are reported in order',
      bank('USD', 'ACH', { routingNumber: '000000000', accountNumber: '12 34' }),
      ['INVALID_IDENTIFIER routingNumber', 'INVALID_IDENTIFIER accountNumber'],
    ],
    ['a rail that does not carry the asset', bank('GBP', 'SEPA', { iban: 'GB29NWBK60161331926819' }), ['INVALID_ENUM rail']],
    ['SWIFT for BRL', bank('BRL', 'SWIFT', { bic: 'BUKBGB22', accountNumber: '1' }), ['INVALID_ENUM rail']],
    ['a bank account for a stablecoin', bank('USDC', 'WIRE', us), ['INVALID_ENUM asset']],
    ['an unknown rail', bank('USD', 'PIGEON', us), ['INVALID_ENUM rail']],
    ['no rail', { type: 'BANK_ACCOUNT', asset: 'USD', ...us }, ['REQUIRED rail']],
    ['an unknown type', { type: 'CASH', asset: 'USD' }, ['INVALID_ENUM type']],
    ['PIX for USD', { type: 'PIX', asset: 'USD', dictKeyType: 'EVP', dictKey: 'x' }, ['INVALID_ENUM asset', 'INVALID_IDENTIFIER dictKey']],
    ['a network that does not carry the asset', wallet('USDT', 'SOLANA', solana), ['INVALID_ENUM network']],
    ['an unknown network', wallet('USDT', 'BITCOIN', tron), ['INVALID_ENUM network']],
    ['a fiat asset in a wallet', wallet('USD', 'TRON', tron), ['INVALID_ENUM asset']],
    ['an address of another network', wallet('USDT', 'ETHEREUM', tron), ['INVALID_IDENTIFIER address']],
    [
      'an address with a letter case that violates EIP-55',
      wallet('USDC', 'ETHEREUM', evm.replace('5aA', '5AA')),
      ['INVALID_IDENTIFIER address'],
    ],
    ['no address', { type: 'CRYPTO_WALLET', asset: 'USDT', network: 'TRON' }, ['REQUIRED address']],
  ])('are rejected with %s', async (_what, instruction, expected) => {
    const { status, body } = await harness.api('POST', '/api/beneficiaries', { body: request(instruction) });
    expect([status, body.code]).toEqual([400, 'INVALID_DATA']);
    const items = body.details.errors as { code: string; field: string }[];
    expect(items.map((item) => `${item.code} ${item.field.replace('body:paymentInstruction.', '')}`)).toEqual(expected);
  });

  it('with a wrong rail are rejected with the rails that support the asset', async () => {
    const { body } = await harness.api('POST', '/api/beneficiaries', { body: request(bank('EUR', 'WIRE', us)) });
    expect(body.details.errors[0].params).toEqual({ asset: 'EUR', allowed: ['SEPA', 'SWIFT'] });
  });

  // §D9-instruction-asset
  it('cannot be used in a withdrawal of another asset', async () => {
    const world = await harness.world('instruction-asset');
    const created = await harness.api('POST', '/api/beneficiaries', { body: request(wallet('USDT', 'TRON', tron)) }, world);
    await harness.control('POST', '/clock/advance', { by: 'PT2S' }, world);
    const { accountId } = fixtureIds(harness, world);
    const quoted = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '100.00' };
    const quote = await harness.api('POST', '/api/quotes', { body: quoted }, world);
    const withdrawal = withdrawalBody(accountId, quote.body.id, created.body);
    const { status, body } = await harness.api('POST', '/api/operations/withdrawal', { body: withdrawal }, world);
    expect([status, body.code]).toEqual([422, 'INSTRUCTION_ASSET_MISMATCH']);
  });
});
