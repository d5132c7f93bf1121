import { z } from '@hono/zod-openapi';
import {
  bankCodePattern,
  branchPattern,
  brazilianAccountPattern,
  isBankCode,
  isBic,
  isBranch,
  isBrazilianAccount,
  isIban,
  isRoutingNumber,
  isSepaIban,
  normalizeIban,
} from './identifiers/bank-account.js';
import { BankAccountTypeSchema } from './funding.js';
import { PixKeyTypeSchema, isPixKey, normalizePixKey, pixKeyTypes, pixKeysWanted } from './identifiers/pix-key.js';
import { NetworkSchema, bankRailsOf, cryptoAssets, fiatAssets, networksOf, type BankRail } from './rails.js';
import { expected, type Expected } from './messages/forms.js';
import { exactlyOne, fieldsOf, rule, type Report } from './rule.js';
import { normalizeWalletAddress, walletsWanted } from './identifiers/wallet-address.js';

/** Longer than any identifier of any register. What is longer is not looked at, since decoding base 58 costs the square of the length. */
const maxIdentifierLength = 100;

/** A text that is an identifier of some register. Whether it is a right one is for a rule to say; the form is here for the document. */
const identifier = (description: string, example: string, form?: RegExp) =>
  z.string().meta({ description, example, minLength: 1, maxLength: maxIdentifierLength, ...(form ? { pattern: form.source } : {}) });

const BicSchema = identifier('BIC of the bank, 8 or 11 characters of ISO 9362.', 'COBADEFFXXX');
const IbanSchema = identifier('IBAN of the account, with or without spaces; its check digits have to be right.', 'DE89370400440532013000');
const bicCheck: IdentifierCheck = { wanted: expected('a BIC of 8 or 11 characters', 'COBADEFFXXX'), isRight: isBic };
const americanAccount = /^[0-9]{4,17}$/;
const foreignAccount = /^[0-9A-Za-z]{1,34}$/;

/** What an identifier has to be, as a refusal says it, and whether it is. */
interface IdentifierCheck {
  readonly wanted: Expected | ((instruction: Record<string, unknown>) => Expected);
  readonly isRight: (value: string, instruction: Record<string, unknown>) => boolean;
}

/** Adds the check of identifiers to an instruction: each by its field, in the order of the fields. */
function checked<S extends z.ZodType>(schema: S, checks: Record<string, IdentifierCheck>, also?: RuleOfInstruction): S {
  return rule(schema, (raw, report) => {
    const instruction = fieldsOf(raw);
    also?.(instruction, report);
    for (const [field, { wanted, isRight }] of Object.entries(checks)) {
      const value = instruction[field];
      if (typeof value !== 'string' || (value.length <= maxIdentifierLength && isRight(value, instruction))) continue;
      report('INVALID_IDENTIFIER', [field], typeof wanted === 'string' ? wanted : wanted(instruction));
    }
  });
}

type RuleOfInstruction = (instruction: Record<string, unknown>, report: Report) => void;

const PixInstructionRequestSchema = checked(
  z.object({
    type: z.literal('PIX').describe('Says that the money goes to a PIX key.'),
    asset: z.enum(['BRL']).meta({ description: 'PIX settles in BRL alone.' }),
    dictKeyType: PixKeyTypeSchema.describe('What kind of thing `dictKey` is.'),
    dictKey: identifier(
      "The key in the central bank's directory (DICT): a CPF or CNPJ with or without punctuation, an e-mail address of at most 77 characters, a telephone number as +5548991234567, or a UUID.",
      'caio.menezes@example.com',
    ),
  }),
  {
    dictKey: {
      wanted: ({ dictKeyType }) => pixKeysWanted[pixKeyTypes.find((each) => each === dictKeyType) ?? 'EMAIL'],
      isRight: (key, { dictKeyType }) => {
        const type = pixKeyTypes.find((each) => each === dictKeyType);
        return type === undefined || isPixKey(type, key);
      },
    },
  },
)
  .overwrite((pix) => ({ ...pix, dictKey: normalizePixKey(pix.dictKeyType, pix.dictKey) }))
  .openapi('PixInstructionRequest', { description: 'A PIX key to pay to.' });

const assetsOf = (rail: BankRail) => fiatAssets.filter((asset) => bankRailsOf(asset).includes(rail));

/** The fields that all instructions for a bank account share. */
const bankFields = <R extends BankRail>(rail: R) => ({
  type: z.literal('BANK_ACCOUNT').describe('Says that the money goes to a bank account.'),
  asset: z.enum(fiatAssets).meta({ enum: assetsOf(rail), description: `What the account receives: an asset that ${rail} carries.` }),
  rail: z.literal(rail).describe('The payment system that reaches the account.'),
});

const railServesAsset: RuleOfInstruction = ({ asset, rail }, report) => {
  const known = fiatAssets.find((each) => each === asset);
  if (known === undefined) return;
  const allowed = bankRailsOf(known);
  if (allowed.some((each) => each === rail)) return;
  report('INVALID_ENUM', ['rail'], `expected one of ${allowed.join(', ')}, which carry ${known}`, { asset: known, allowed });
};

const TedInstructionRequestSchema = checked(
  z.object({
    ...bankFields('TED'),
    rail: z
      .literal('TED')
      .meta({ description: 'The payment system; may be left out, since it is the only one that BRL has to a bank account.' }),
    bankCode: identifier('Number of the bank at the clearing, 3 digits.', '341', bankCodePattern),
    branch: identifier('Number of the branch, 4 digits, with its check digit behind a hyphen if it has one.', '0001', branchPattern),
    accountNumber: identifier(
      'Number of the account with its check digit, which may stand behind a hyphen.',
      '123456-7',
      brazilianAccountPattern,
    ),
    accountType: BankAccountTypeSchema.default('CHECKING').describe(
      'Whether the account is for payments or for savings; CHECKING when left out.',
    ),
  }),
  {
    bankCode: { wanted: expected('a bank code of 3 digits', '341'), isRight: isBankCode },
    branch: { wanted: expected('a branch number of 4 digits', '0001'), isRight: isBranch },
    accountNumber: {
      wanted: expected('an account number with a check digit', '123456-7'),
      isRight: (accountNumber, { bankCode }) => isBrazilianAccount(String(bankCode), accountNumber),
    },
  },
  railServesAsset,
).openapi('TedInstructionRequest', {
  description: 'An account at a Brazilian bank to pay to.',
  required: ['type', 'asset', 'bankCode', 'branch', 'accountNumber'],
});

const SepaInstructionRequestSchema = checked(
  z.object({
    ...bankFields('SEPA'),
    iban: IbanSchema.describe('IBAN of the account, with or without spaces, of a country that SEPA reaches.'),
    bic: BicSchema.optional().describe('BIC of the bank; SEPA finds the bank without it.'),
  }),
  { iban: { wanted: expected('an IBAN of a country in SEPA', 'DE89370400440532013000'), isRight: isSepaIban }, bic: bicCheck },
  railServesAsset,
)
  .overwrite(withPlainIdentifiers)
  .openapi('SepaInstructionRequest', { description: 'An account in the euro area to pay to.' });

const SwiftInstructionRequestSchema = checked(
  z.object({
    ...bankFields('SWIFT'),
    asset: z
      .enum(fiatAssets)
      .openapi('SwiftAsset', { enum: assetsOf('SWIFT'), description: 'A currency that international transfers carry.' })
      .describe('What the account receives.'),
    bic: BicSchema,
    iban: IbanSchema.optional().describe('IBAN of the account, with or without spaces. Either this or accountNumber, not both.'),
    accountNumber: identifier(
      'Number of the account where there are no IBANs, 1 to 34 letters and digits. Either this or iban, not both.',
      '000123456789',
      foreignAccount,
    ).optional(),
  }),
  {
    bic: bicCheck,
    iban: { wanted: expected('an IBAN', 'GB29NWBK60161331926819'), isRight: isIban },
    accountNumber: {
      wanted: expected('an account number of 1 to 34 letters and digits', '000123456789'),
      isRight: (value) => foreignAccount.test(value),
    },
  },
  (instruction, report) => {
    railServesAsset(instruction, report);
    const { iban, accountNumber } = instruction;
    if (iban === undefined && accountNumber === undefined) report('REQUIRED', ['iban'], 'expected either iban or accountNumber');
    if (typeof iban === 'string' && typeof accountNumber === 'string') {
      report('INVALID_FORMAT', ['accountNumber'], 'expected either iban or accountNumber, not both');
    }
  },
)
  .overwrite(withPlainIdentifiers)
  .openapi('SwiftInstructionRequest', {
    description: 'An account anywhere to pay to, by its IBAN or by its number.',
    ...exactlyOne('iban', 'accountNumber'),
    example: { type: 'BANK_ACCOUNT', asset: 'GBP', rail: 'SWIFT', bic: 'BUKBGB22', iban: 'GB29NWBK60161331926819' },
  });

const americanFields = {
  routingNumber: identifier('ABA routing number of the bank, 9 digits with a right check digit.', '021000021', /^[0-9]{9}$/),
  accountNumber: identifier('Number of the account at its bank, 4 to 17 digits.', '000123456789', americanAccount),
};

const americanChecks: Record<string, IdentifierCheck> = {
  routingNumber: { wanted: expected('an ABA routing number of 9 digits', '021000021'), isRight: isRoutingNumber },
  accountNumber: {
    wanted: expected('an account number of 4 to 17 digits', '000123456789'),
    isRight: (value) => americanAccount.test(value),
  },
};

const WireInstructionRequestSchema = checked(
  z.object({ ...bankFields('WIRE'), ...americanFields }),
  americanChecks,
  railServesAsset,
).openapi('WireInstructionRequest', { description: 'An account in the United States to pay to by wire transfer.' });

const AchInstructionRequestSchema = checked(z.object({ ...bankFields('ACH'), ...americanFields }), americanChecks, railServesAsset).openapi(
  'AchInstructionRequest',
  { description: 'An account in the United States to pay to by the Automated Clearing House.' },
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
    type: z.literal('CRYPTO_WALLET').describe('Says that the money goes to a wallet.'),
    asset: z
      .enum(cryptoAssets)
      .openapi('CryptoAsset', { description: 'An asset that blockchains carry.' })
      .meta({ description: 'What the wallet receives.', example: 'USDT' }),
    network: NetworkSchema.meta({ description: 'The blockchain that the wallet is on; it has to carry the asset.', example: 'TRON' }),
    address: identifier(
      'Address of the wallet in the form of its network; its checksum has to be right.',
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    ),
  }),
  {
    address: {
      wanted: ({ network }) => walletsWanted[NetworkSchema.safeParse(network).data ?? 'ETHEREUM'],
      isRight: (address, { network }) => {
        const known = NetworkSchema.safeParse(network);
        return !known.success || normalizeWalletAddress(known.data, address) !== null;
      },
    },
  },
  ({ asset, network }, report) => {
    const known = cryptoAssets.find((each) => each === asset);
    const allowed = known ? networksOf(known) : [];
    if (!known || !NetworkSchema.safeParse(network).success || allowed.some((each) => each === network)) return;
    report('INVALID_ENUM', ['network'], `expected one of ${allowed.join(', ')}, which carry ${known}`, {
      asset: known,
      allowed,
    });
  },
)
  .overwrite((wallet) => ({ ...wallet, address: normalizeWalletAddress(wallet.network, wallet.address) ?? wallet.address }))
  .openapi('CryptoWalletInstructionRequest', { description: 'A wallet on a blockchain to pay to.' });

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
  .openapi('PaymentInstructionRequest', {
    description:
      'A way to pay somebody: a PIX key, a bank account on one of five rails, or a wallet. `type` tells which, and `rail` of a bank account.',
  });

export type PaymentInstructionRequest = z.output<typeof PaymentInstructionRequestSchema>;

export const instructionTypes = ['PIX', 'BANK_ACCOUNT', 'CRYPTO_WALLET'] as const;

function withPlainIdentifiers<I extends { iban?: string | undefined; bic?: string | undefined }>(instruction: I): I {
  const { iban, bic } = instruction;
  return { ...instruction, ...(iban && { iban: normalizeIban(iban) }), ...(bic && { bic: bic.toUpperCase() }) };
}
