import { z } from '@hono/zod-openapi';
import { isBankCode, isBic, isBranch, isBrazilianAccount, isIban, isRoutingNumber, isSepaIban, normalizeIban } from './bank-account.js';
import { UuidSchema } from './common.js';
import { accountTypes } from './funding.js';
import { isPixKey, normalizePixKey, pixKeyTypes } from './pix-key.js';
import { NetworkSchema, bankRailsOf, cryptoAssets, fiatAssets, networksOf, type BankRail } from './rails.js';
import { fieldsOf, rule, type Report } from './rule.js';
import { normalizeWalletAddress } from './wallet-address.js';

const PixKeyTypeSchema = z.enum(pixKeyTypes).openapi('PixKeyType', { example: 'EMAIL' });
const AccountTypeSchema = z.enum(accountTypes).openapi('BankAccountType');

/** A text that is an identifier of some register; whether it is a right one is for a rule to say. */
const identifier = (description: string, example: string) => z.string().meta({ description, example });

const BicSchema = identifier('BIC of the bank, 8 or 11 characters.', 'COBADEFFXXX');
const IbanSchema = identifier('IBAN, with or without spaces.', 'DE89370400440532013000');
const BankAccountNumberSchema = identifier('Number of the account at its bank.', '000123456789');

/** Longer than any identifier of any register. What is longer is not looked at, since decoding base 58 costs the square of the length. */
const maxIdentifierLength = 100;

type IdentifierCheck = (value: string, instruction: Record<string, unknown>) => boolean;

/** Adds the check of identifiers to an instruction: each by its field, in the order of the fields. */
function checked<S extends z.ZodType>(
  schema: S,
  checks: Record<string, [what: string, isRight: IdentifierCheck]>,
  also?: RuleOfInstruction,
): S {
  return rule(schema, (raw, report) => {
    const instruction = fieldsOf(raw);
    also?.(instruction, report);
    for (const [field, [what, isRight]] of Object.entries(checks)) {
      const value = instruction[field];
      if (typeof value !== 'string' || (value.length <= maxIdentifierLength && isRight(value, instruction))) continue;
      report('INVALID_IDENTIFIER', [field], `"${value.slice(0, maxIdentifierLength)}" is not a valid ${what}.`);
    }
  });
}

type RuleOfInstruction = (instruction: Record<string, unknown>, report: Report) => void;

const PixInstructionRequestSchema = checked(
  z.object({
    type: z.literal('PIX'),
    asset: z.enum(['BRL']).meta({ description: 'PIX settles in BRL.' }),
    dictKeyType: PixKeyTypeSchema,
    dictKey: z.string().meta({ example: 'caio.menezes@example.com' }),
  }),
  {
    dictKey: [
      'PIX key of its type',
      (key, { dictKeyType }) => {
        const type = pixKeyTypes.find((each) => each === dictKeyType);
        return type === undefined || isPixKey(type, key);
      },
    ],
  },
)
  .overwrite((pix) => ({ ...pix, dictKey: normalizePixKey(pix.dictKeyType, pix.dictKey) }))
  .openapi('PixInstructionRequest');

/** The fields that all instructions for a bank account share. */
const bankFields = <R extends BankRail>(rail: R) => ({
  type: z.literal('BANK_ACCOUNT'),
  asset: z.enum(fiatAssets).meta({ enum: fiatAssets.filter((asset) => bankRailsOf(asset).includes(rail)) }),
  rail: z.literal(rail),
});

const railServesAsset: RuleOfInstruction = ({ asset, rail }, report) => {
  const known = fiatAssets.find((each) => each === asset);
  if (known === undefined) return;
  const allowed = bankRailsOf(known);
  if (allowed.some((each) => each === rail)) return;
  report('INVALID_ENUM', ['rail'], `${String(rail)} does not carry ${known}; ${allowed.join(', ')} would.`, { asset: known, allowed });
};

const TedInstructionRequestSchema = checked(
  z.object({
    ...bankFields('TED'),
    rail: z.literal('TED').meta({ description: 'May be left out: of the rails to a bank account, BRL has this one.' }),
    bankCode: identifier('Number of the bank at the clearing, 3 digits.', '341'),
    branch: identifier('Number of the branch, 4 digits.', '0001'),
    accountNumber: identifier('Number of the account with its check digit.', '123456-7'),
    accountType: AccountTypeSchema.default('CHECKING').meta({ description: 'CHECKING when left out.' }),
  }),
  {
    bankCode: ['bank code of 3 digits', isBankCode],
    branch: ['branch number of 4 digits', isBranch],
    accountNumber: [
      'account number with a check digit',
      (accountNumber, { bankCode }) => isBrazilianAccount(String(bankCode), accountNumber),
    ],
  },
  railServesAsset,
).openapi('TedInstructionRequest', { required: ['type', 'asset', 'bankCode', 'branch', 'accountNumber'] });

const SepaInstructionRequestSchema = checked(
  z.object({ ...bankFields('SEPA'), iban: IbanSchema, bic: BicSchema.optional() }),
  { iban: ['IBAN of a country in SEPA', isSepaIban], bic: ['BIC', isBic] },
  railServesAsset,
)
  .overwrite(withPlainIdentifiers)
  .openapi('SepaInstructionRequest');

const SwiftInstructionRequestSchema = checked(
  z.object({
    ...bankFields('SWIFT'),
    bic: BicSchema,
    iban: IbanSchema.optional().meta({ description: 'Either this or accountNumber.' }),
    accountNumber: BankAccountNumberSchema.optional().meta({ description: 'Either this or iban.' }),
  }),
  {
    bic: ['BIC', isBic],
    iban: ['IBAN', isIban],
    accountNumber: ['account number of 1 to 34 letters and digits', (value) => /^[0-9A-Za-z]{1,34}$/.test(value)],
  },
  (instruction, report) => {
    railServesAsset(instruction, report);
    const { iban, accountNumber } = instruction;
    if (iban === undefined && accountNumber === undefined) report('REQUIRED', ['iban'], 'Give either iban or accountNumber.');
    if (typeof iban === 'string' && typeof accountNumber === 'string') {
      report('INVALID_FORMAT', ['accountNumber'], 'Give either iban or accountNumber, not both.');
    }
  },
)
  .overwrite(withPlainIdentifiers)
  .openapi('SwiftInstructionRequest', {
    example: { type: 'BANK_ACCOUNT', asset: 'GBP', rail: 'SWIFT', bic: 'BUKBGB22', iban: 'GB29NWBK60161331926819' },
  });

const americanFields = {
  routingNumber: identifier('ABA routing number, 9 digits.', '021000021'),
  accountNumber: BankAccountNumberSchema,
};

const americanChecks: Record<string, [string, IdentifierCheck]> = {
  routingNumber: ['ABA routing number', isRoutingNumber],
  accountNumber: ['account number of 4 to 17 digits', (value) => /^[0-9]{4,17}$/.test(value)],
};

const WireInstructionRequestSchema = checked(
  z.object({ ...bankFields('WIRE'), ...americanFields }),
  americanChecks,
  railServesAsset,
).openapi('WireInstructionRequest');

const AchInstructionRequestSchema = checked(z.object({ ...bankFields('ACH'), ...americanFields }), americanChecks, railServesAsset).openapi(
  'AchInstructionRequest',
);

// Without a name: the contract has one union of all instructions, since many generators know no union within a union.
const BankAccountInstructionRequestSchema = z.discriminatedUnion('rail', [
  TedInstructionRequestSchema,
  SepaInstructionRequestSchema,
  SwiftInstructionRequestSchema,
  WireInstructionRequestSchema,
  AchInstructionRequestSchema,
]);

const CryptoWalletInstructionRequestSchema = checked(
  z.object({
    type: z.literal('CRYPTO_WALLET'),
    asset: z.enum(cryptoAssets).meta({ example: 'USDT' }),
    network: NetworkSchema.meta({ example: 'TRON' }),
    address: identifier('Address of the wallet on the network.', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
  }),
  {
    address: [
      'address on its network',
      (address, { network }) => {
        const known = NetworkSchema.safeParse(network);
        return !known.success || normalizeWalletAddress(known.data, address) !== null;
      },
    ],
  },
  ({ asset, network }, report) => {
    const known = cryptoAssets.find((each) => each === asset);
    const allowed = known ? networksOf(known) : [];
    if (!known || !NetworkSchema.safeParse(network).success || allowed.some((each) => each === network)) return;
    report('INVALID_ENUM', ['network'], `${String(network)} does not carry ${known}; ${allowed.join(', ')} would.`, {
      asset: known,
      allowed,
    });
  },
)
  .overwrite((wallet) => ({ ...wallet, address: normalizeWalletAddress(wallet.network, wallet.address) ?? wallet.address }))
  .openapi('CryptoWalletInstructionRequest');

/** An instruction for a bank account in BRL with the one rail that it can have. */
function withItsRail(raw: unknown): unknown {
  const { type, asset, rail } = fieldsOf(raw);
  return type === 'BANK_ACCOUNT' && asset === 'BRL' && (rail ?? null) === null ? { ...fieldsOf(raw), rail: 'TED' } : raw;
}

export const PaymentInstructionRequestSchema = z
  .preprocess(
    withItsRail,
    z.discriminatedUnion('type', [PixInstructionRequestSchema, BankAccountInstructionRequestSchema, CryptoWalletInstructionRequestSchema]),
  )
  .openapi('PaymentInstructionRequest');

export type PaymentInstructionRequest = z.output<typeof PaymentInstructionRequestSchema>;

export const instructionTypes = ['PIX', 'BANK_ACCOUNT', 'CRYPTO_WALLET'] as const;

function withPlainIdentifiers<I extends { iban?: string | undefined; bic?: string | undefined }>(instruction: I): I {
  const { iban, bic } = instruction;
  return { ...instruction, ...(iban && { iban: normalizeIban(iban) }), ...(bic && { bic: bic.toUpperCase() }) };
}

const american = { routingNumber: z.string(), accountNumber: z.string() };

/** What an instruction says on each rail, wherever it is shown. */
const addressFields = {
  PIX_KEY: { rail: z.literal('PIX_KEY'), keyType: PixKeyTypeSchema, key: z.string().meta({ example: 'caio.menezes@example.com' }) },
  TED: {
    rail: z.literal('TED'),
    bankCode: z.string(),
    branch: z.string(),
    accountNumber: z.string(),
    accountType: AccountTypeSchema,
  },
  SEPA: { rail: z.literal('SEPA'), iban: z.string(), bic: z.string().nullable() },
  SWIFT: { rail: z.literal('SWIFT'), bic: z.string(), iban: z.string().nullable(), accountNumber: z.string().nullable() },
  WIRE: { rail: z.literal('WIRE'), ...american },
  ACH: { rail: z.literal('ACH'), ...american },
  CRYPTO: { rail: z.literal('CRYPTO'), network: NetworkSchema, address: z.string() },
} as const;

const bankType = { type: z.literal('BankAccount') };

export const InstructionAddressSchema = z
  .discriminatedUnion('rail', [
    z.object({ type: z.literal('PixKey'), ...addressFields.PIX_KEY }).openapi('PixKeyAddress'),
    z.object({ ...bankType, ...addressFields.TED }).openapi('TedAddress'),
    z.object({ ...bankType, ...addressFields.SEPA }).openapi('SepaAddress'),
    z.object({ ...bankType, ...addressFields.SWIFT }).openapi('SwiftAddress'),
    z.object({ ...bankType, ...addressFields.WIRE }).openapi('WireAddress'),
    z.object({ ...bankType, ...addressFields.ACH }).openapi('AchAddress'),
    z.object({ type: z.literal('CryptoWallet'), ...addressFields.CRYPTO }).openapi('CryptoWalletAddress'),
  ])
  .openapi('InstructionAddress', { description: 'Where the money of a payment instruction goes.' });

export type InstructionAddress = z.infer<typeof InstructionAddressSchema>;

/** An instruction inside the intent of a withdrawal: its id, and its address flat. */
export const WithdrawalInstructionSchema = z
  .discriminatedUnion('rail', [
    z.object({ id: UuidSchema, ...addressFields.PIX_KEY }).openapi('WithdrawalPixKey'),
    z.object({ id: UuidSchema, ...addressFields.TED }).openapi('WithdrawalTed'),
    z.object({ id: UuidSchema, ...addressFields.SEPA }).openapi('WithdrawalSepa'),
    z.object({ id: UuidSchema, ...addressFields.SWIFT }).openapi('WithdrawalSwift'),
    z.object({ id: UuidSchema, ...addressFields.WIRE }).openapi('WithdrawalWire'),
    z.object({ id: UuidSchema, ...addressFields.ACH }).openapi('WithdrawalAch'),
    z.object({ id: UuidSchema, ...addressFields.CRYPTO }).openapi('WithdrawalCryptoWallet'),
  ])
  .openapi('WithdrawalInstruction');

export type WithdrawalInstruction = z.infer<typeof WithdrawalInstructionSchema>;
