import boletos from 'boleto-brasileiro-validator';
import iban from 'iban';
import wallets from 'multicoin-address-validator';
import { hasError, isStaticPix, parsePix } from 'pix-utils';
import { describe, expect, it } from 'vitest';
import { isBic, isBrazilianAccount, isIban, isRoutingNumber, isSepaIban } from '../../contract/shared/identifiers/bank-account.js';
import type { AssetCode } from '../../contract/shared/common.js';
import { FundingInstructionSchema, type FundingInstruction } from '../../contract/shared/funding.js';
import { isPixKey } from '../../contract/shared/identifiers/pix-key.js';
import { fundingRailsOf, networksOf, type FundingRail, type Network } from '../../contract/shared/rails.js';
import { normalizeWalletAddress } from '../../contract/shared/identifiers/wallet-address.js';
import { inLength } from '../../testing/long-run.js';
import { deriveUuid } from '../../world/ids.js';
import type { AccountRecord } from '../accounts/account.js';
import { dueDateFactor } from './boleto.js';
import { fundingInstruction } from './funding-instruction.js';

const times = inLength(100, 1000);

function accountOf(index: number): AccountRecord {
  const names = ['Aurora Comércio Exterior Ltda', 'Zoë Ümlaut', '株式会社', 'A'.repeat(120), 'São João & Filhos'];
  return {
    id: deriveUuid('account', String(index)),
    seq: index,
    customerId: deriveUuid('customer'),
    owner: {
      type: 'COMPANY',
      legalName: names[index % names.length]!,
      taxId: { type: 'CNPJ', value: '31415926000171' },
      industry: 'WHOLESALE',
      incorporateDate: null,
      address: {
        addressLine1: 'Rua 1',
        addressLine2: null,
        city: 'Vila Bela da Santíssima Trindade',
        state: 'MT',
        country: 'BR',
        postalCode: '1',
      },
    },
    ubos: [],
    assets: [],
    requirements: [],
    tags: [],
    states: [],
    createdAt: `202${5 + (index % 5)}-0${1 + (index % 9)}-21T12:00:00.000Z`,
    updatedAt: '2026-11-21T12:00:00.000Z',
    sourceAccountId: null,
  };
}

const context = { now: '2026-11-21T12:00:00.000Z', deriveId: (kind: string, key: string) => deriveUuid('seed', kind, key) };

function made<R extends FundingRail>(asset: AssetCode, rail: R, network?: Network): Extract<FundingInstruction, { rail: R }>[] {
  return Array.from({ length: times }, (_, index) => {
    const instruction = fundingInstruction(context, accountOf(index), { asset, rail, network });
    expect(FundingInstructionSchema.parse(instruction)).toEqual(instruction);
    return instruction as Extract<FundingInstruction, { rail: R }>;
  });
}

/** Returns the text with one letter or digit, chosen by `index`, replaced by another one. */
function damaged(text: string, index: number): string {
  const places = Array.from(text, (_, place) => place).filter((place) => /[0-9A-Za-z]/.test(text[place]!));
  const place = places[index % places.length]!;
  const kind = ['0123456789', 'ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz'].find((each) => each.includes(text[place]!)) ?? 'ab';
  const other = kind[(kind.indexOf(text[place]!) + 1 + (index % (kind.length - 1))) % kind.length]!;
  return text.slice(0, place) + other + text.slice(place + 1);
}

// §D7-funding-values
describe('generated funding instructions', () => {
  it('are BR Codes that a PIX decoder accepts, but not with one wrong character', () => {
    for (const [index, { qrCode }] of made('BRL', 'PIX_STATIC_QR_CODE').entries()) {
      const pix = parsePix(qrCode);
      if (hasError(pix) || !isStaticPix(pix)) throw new Error(`${qrCode} is not a static PIX code`);
      const { key } = fundingInstruction(context, accountOf(index), { asset: 'BRL', rail: 'PIX_KEY' }) as { key: string };
      expect(pix.pixKey).toBe(key);
      expect(pix.merchantName).toMatch(/^[\x20-\x7e]{1,25}$/);
      expect(pix.merchantCity).toBe('Vila Bela da Sa');
      expect(pix.txid).toMatch(/^CB[0-9A-Z]{10}$/);
      expect(hasError(parsePix(damaged(qrCode, index)))).toBe(true);
    }
  });

  it('are boletos that a validator accepts, but not with one wrong digit', () => {
    for (const [index, { barcode, dueDate }] of made('BRL', 'BOLETO').entries()) {
      expect(barcode).toMatch(/^[0-9]{47}$/);
      expect(barcode.slice(33)).toBe(`${dueDateFactor(dueDate)}0000000000`);
      expect(boletos.boletoBancario(barcode, true)).toBe(true);
      // The last 14 digits, factor and amount, are protected by modulo 11 only, where three remainders share the digit 1.
      expect(boletos.boletoBancario(damaged(barcode, index % 33), true)).toBe(false);
    }
  });

  // FEBRABAN published these values when the factor restarted, on 2025-02-22.
  it.each([
    ['2000-07-03', '1000'],
    ['2022-05-13', '8984'],
    ['2025-02-21', '9999'],
    ['2025-02-22', '1000'],
    ['2025-02-23', '1001'],
    ['2049-10-13', '9999'],
    ['2049-10-14', '1000'],
  ])('encode the due date %s as factor %s', (day, factor) => {
    expect(dueDateFactor(day)).toBe(factor);
  });

  it.each([
    ['2025-01-21T12:00:00.000Z', '2026-01-21'],
    ['2026-01-21T11:59:59.999Z', '2026-01-21'],
    ['2026-01-21T12:00:00.000Z', '2027-01-21'],
    ['2029-06-01T00:00:00.000Z', '2030-01-20'],
  ])('are never overdue: the boleto of %s can be paid until %s', (now, dueDate) => {
    const account = { ...accountOf(0), createdAt: '2025-01-21T12:00:00.000Z' };
    expect(fundingInstruction({ ...context, now }, account, { asset: 'BRL', rail: 'BOLETO' })).toMatchObject({ dueDate });
  });

  it('by PIX_KEY have a valid PIX key', () => {
    for (const { keyType, key } of made('BRL', 'PIX_KEY')) expect(isPixKey(keyType, key)).toBe(true);
  });

  it('by TED have an account number whose check digit detects any wrong digit', () => {
    for (const [index, { bankCode, accountNumber }] of made('BRL', 'TED').entries()) {
      expect(accountNumber).toMatch(/^[0-9]{8}-[0-9]$/);
      expect(isBrazilianAccount(bankCode, accountNumber)).toBe(true);
      expect(isBrazilianAccount(bankCode, damaged(accountNumber, index % 8))).toBe(false);
    }
  });

  it.each([
    ['USDC', 'ETHEREUM', 'eth'],
    ['USDC', 'POLYGON', 'eth'],
    ['USDC', 'SOLANA', 'sol'],
    ['USDT', 'TRON', 'trx'],
  ] as const)('for %s on %s have a valid wallet address', (asset, network, currency) => {
    for (const [index, { walletAddress }] of made(asset, 'CRYPTO', network).entries()) {
      expect(wallets.validate(walletAddress, currency)).toBe(true);
      expect(normalizeWalletAddress(network, walletAddress)).toBe(walletAddress);
      // A Solana address has no checksum: only its length can be wrong.
      const wrong = network === 'SOLANA' ? walletAddress.slice(0, -2) : damaged(walletAddress, index + 1);
      expect(normalizeWalletAddress(network, wrong)).toBeNull();
    }
  });

  it.each(['WIRE', 'ACH'] as const)('are valid American accounts for %s', (rail) => {
    for (const [index, { routingNumber, accountNumber }] of made('USD', rail).entries()) {
      expect(isRoutingNumber(routingNumber)).toBe(true);
      expect(isRoutingNumber(damaged(routingNumber, index))).toBe(false);
      expect(accountNumber).toMatch(/^[0-9]{12}$/);
    }
  });

  it('are valid IBANs for SEPA', () => {
    for (const [index, each] of made('EUR', 'SEPA').entries()) {
      expect(iban.isValid(each.iban!)).toBe(true);
      expect(isSepaIban(each.iban!)).toBe(true);
      expect(isIban(damaged(each.iban!, index))).toBe(false);
      expect(isBic(each.bic)).toBe(true);
    }
  });

  it.each(['USD', 'EUR', 'GBP', 'CAD', 'PLN', 'SGD'] as const)('contain either an IBAN or an account number for %s by SWIFT', (asset) => {
    for (const each of made(asset, 'SWIFT').slice(0, 50)) {
      expect(isBic(each.bic)).toBe(true);
      expect([each.iban, each.accountNumber].filter((value) => value === null)).toHaveLength(1);
      expect(each.iban === null || iban.isValid(each.iban)).toBe(true);
    }
  });

  it.each([
    [{ asset: 'BRL', rail: 'SWIFT' }, fundingRailsOf('BRL')],
    [{ asset: 'GBP', rail: 'SEPA' }, fundingRailsOf('GBP')],
    [{ asset: 'USDT', rail: 'CRYPTO', network: 'SOLANA' }, networksOf('USDT')],
  ] as const)('do not exist for %o', (route, available) => {
    expect(() => fundingInstruction(context, accountOf(1), route)).toThrow(
      expect.objectContaining({ code: 'RAIL_NOT_AVAILABLE', details: expect.objectContaining({ available }) }),
    );
  });
});
