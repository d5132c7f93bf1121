import { z } from '@hono/zod-openapi';
import {
  bankCodePattern,
  branchPattern,
  brazilianAccountPattern,
  correctedIban,
  correctedRoutingNumber,
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
import { normalizeWalletAddress, walletsWanted, withChecksum } from './identifiers/wallet-address.js';
import { startOf } from './messages/cut.js';

/** Maximum length of an identifier. Longer values are rejected without decoding, because decoding base 58 takes quadratic time. */
const maxIdentifierLength = 100;

/** Returns the schema of an identifier. A rule validates the value; `form` is only for the OpenAPI document. */
const identifier = (description: string, example: string, form?: RegExp) =>
  z.string().meta({ description, example, minLength: 1, maxLength: maxIdentifierLength, ...(form ? { pattern: form.source } : {}) });

const BicSchema = identifier('BIC of the bank, 8 or 11 characters (ISO 9362).', 'COBADEFFXXX');
const IbanSchema = identifier('IBAN of the account, with or without spaces. The check digits must be correct.', 'DE89370400440532013000');
const bicCheck: IdentifierCheck = { wanted: expected('a BIC of 8 or 11 characters', 'COBADEFFXXX'), isRight: isBic };
const americanAccount = /^[0-9]{4,17}$/;
const foreignAccount = /^[0-9A-Za-z]{1,34}$/;

/** The expected format of an identifier for the error message, and its validation. */
interface IdentifierCheck {
  readonly wanted: Expected | ((instruction: Record<string, unknown>, value: string) => Expected);
  readonly isRight: (value: string, instruction: Record<string, unknown>) => boolean;
}

/** Adds identifier checks to the schema of an instruction, by field name, in the order of the fields. */
function checked<S extends z.ZodType>(schema: S, checks: Record<string, IdentifierCheck>, also?: RuleOfInstruction): S {
  return rule(schema, (raw, report) => {
    const instruction = fieldsOf(raw);
    also?.(instruction, report);
    for (const [field, { wanted, isRight }] of Object.entries(checks)) {
      const value = instruction[field];
      if (typeof value !== 'string' || (value.length <= maxIdentifierLength && isRight(value, instruction))) continue;
      report('INVALID_IDENTIFIER', [field], typeof wanted === 'string' ? wanted : wanted(instruction, startOf(value, maxIdentifierLength)));
    }
  });
}

/** Returns a function for the error message: it names the correct check digits of an IBAN if only these are wrong, else an example. */
function ibanWanted(
  what: string,
  example: string,
  isAccepted: (iban: string) => boolean,
): (instruction: unknown, value: string) => Expected {
  return (_instruction, value) => {
    const corrected = correctedIban(value);
    if (corrected === null || isIban(value) || !isAccepted(corrected)) return expected(what, example);
    return expected(`${what} with the check digits ${corrected.slice(2, 4)} after ${corrected.slice(0, 2)}`, corrected);
  };
}

type RuleOfInstruction = (instruction: Record<string, unknown>, report: Report) => void;

const PixInstructionRequestSchema = checked(
  z.object({
    type: z.literal('PIX').describe('Marks a PIX key.'),
    asset: z.enum(['BRL']).meta({ description: 'Asset of the payment: PIX supports BRL only.' }),
    dictKeyType: PixKeyTypeSchema.describe('Kind of identifier in `dictKey`.'),
    dictKey: identifier(
      "The key in the central bank's directory (DICT): a CPF or CNPJ with or without punctuation, an e-mail address of at most 77 characters, a telephone number like +5548991234567, or a UUID.",
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
  .openapi('PixInstructionRequest', { description: 'PIX key to pay to.' });

const assetsOf = (rail: BankRail) => fiatAssets.filter((asset) => bankRailsOf(asset).includes(rail));

/** The fields of all instructions for a bank account. */
const bankFields = <R extends BankRail>(rail: R) => ({
  type: z.literal('BANK_ACCOUNT').describe('Marks a bank account.'),
  asset: z.enum(fiatAssets).meta({ enum: assetsOf(rail), description: `Asset that the account receives; ${rail} must support it.` }),
  rail: z.literal(rail).describe('The payment system that pays the account.'),
});

const railServesAsset: RuleOfInstruction = ({ asset, rail }, report) => {
  const known = fiatAssets.find((each) => each === asset);
  if (known === undefined) return;
  const allowed = bankRailsOf(known);
  if (allowed.some((each) => each === rail)) return;
  report('INVALID_ENUM', ['rail'], `expected one of ${allowed.join(', ')}, which support ${known}`, { asset: known, allowed });
};

const TedInstructionRequestSchema = checked(
  z.object({
    ...bankFields('TED'),
    rail: z.literal('TED').meta({ description: 'The payment system. Optional, because it is the only one for BRL to a bank account.' }),
    bankCode: identifier('Clearing number of the bank, 3 digits.', '341', bankCodePattern),
    branch: identifier('Number of the branch, 4 digits, followed by a hyphen and the check digit if it has one.', '0001', branchPattern),
    accountNumber: identifier('Account number with its check digit, optionally after a hyphen.', '123456-7', brazilianAccountPattern),
    accountType: BankAccountTypeSchema.default('CHECKING').describe('Type of the account. Default: CHECKING.'),
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
  description: 'Account at a Brazilian bank to pay to.',
  required: ['type', 'asset', 'bankCode', 'branch', 'accountNumber'],
});

const SepaInstructionRequestSchema = checked(
  z.object({
    ...bankFields('SEPA'),
    iban: IbanSchema.describe('IBAN of the account, with or without spaces, of a country in SEPA.'),
    bic: BicSchema.optional().describe('BIC of the bank. SEPA does not need it.'),
  }),
  {
    iban: { wanted: ibanWanted('an IBAN of a country in SEPA', 'DE89370400440532013000', isSepaIban), isRight: isSepaIban },
    bic: bicCheck,
  },
  railServesAsset,
)
  .overwrite(withPlainIdentifiers)
  .openapi('SepaInstructionRequest', { description: 'Account in the euro area to pay to.' });

const SwiftInstructionRequestSchema = checked(
  z.object({
    ...bankFields('SWIFT'),
    asset: z
      .enum(fiatAssets)
      .openapi('SwiftAsset', { enum: assetsOf('SWIFT'), description: 'Currency that SWIFT transfers support.' })
      .describe('Asset that the account receives.'),
    bic: BicSchema,
    iban: IbanSchema.optional().describe(
      'IBAN of the account, with or without spaces. Exactly one of `iban` and `accountNumber` is required.',
    ),
    accountNumber: identifier(
      'Account number in a country without IBANs, 1 to 34 letters and digits. Exactly one of `iban` and `accountNumber` is required.',
      '000123456789',
      foreignAccount,
    ).optional(),
  }),
  {
    bic: bicCheck,
    iban: { wanted: ibanWanted('an IBAN', 'GB29NWBK60161331926819', isIban), isRight: isIban },
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
    description: 'Account in any country to pay to, with its IBAN or its number.',
    ...exactlyOne('iban', 'accountNumber'),
    example: { type: 'BANK_ACCOUNT', asset: 'GBP', rail: 'SWIFT', bic: 'BUKBGB22', iban: 'GB29NWBK60161331926819' },
  });

const americanFields = {
  routingNumber: identifier('ABA routing number of the bank, 9 digits with a correct check digit.', '021000021', /^[0-9]{9}$/),
  accountNumber: identifier('Account number at the bank, 4 to 17 digits.', '000123456789', americanAccount),
};

const americanChecks: Record<string, IdentifierCheck> = {
  routingNumber: {
    wanted: (_instruction, value) => {
      const corrected = correctedRoutingNumber(value);
      return corrected === null
        ? expected('an ABA routing number of 9 digits', '021000021')
        : expected(`an ABA routing number with the check digit ${corrected.at(-1)} at its end`, corrected);
    },
    isRight: isRoutingNumber,
  },
  accountNumber: {
    wanted: expected('an account number of 4 to 17 digits', '000123456789'),
    isRight: (value) => americanAccount.test(value),
  },
};

const WireInstructionRequestSchema = checked(
  z.object({ ...bankFields('WIRE'), ...americanFields }),
  americanChecks,
  railServesAsset,
).openapi('WireInstructionRequest', { description: 'Account in the United States to pay by wire transfer.' });

const AchInstructionRequestSchema = checked(z.object({ ...bankFields('ACH'), ...americanFields }), americanChecks, railServesAsset).openapi(
  'AchInstructionRequest',
  { description: 'Account in the United States to pay by the Automated Clearing House (ACH).' },
);

// Not a named schema: the contract has one union of all instructions, because many code generators do not support nested unions.
const BankAccountInstructionRequestSchema = z.discriminatedUnion('rail', [
  TedInstructionRequestSchema,
  SepaInstructionRequestSchema,
  SwiftInstructionRequestSchema,
  WireInstructionRequestSchema,
  AchInstructionRequestSchema,
]);

const CryptoWalletInstructionRequestSchema = checked(
  z.object({
    type: z.literal('CRYPTO_WALLET').describe('Marks a wallet.'),
    asset: z
      .enum(cryptoAssets)
      .openapi('CryptoAsset', { description: 'Stablecoin on a blockchain.' })
      .meta({ description: 'Asset that the wallet receives.', example: 'USDT' }),
    network: NetworkSchema.meta({ description: 'Blockchain of the wallet. It must support the asset.', example: 'TRON' }),
    address: identifier(
      'Address of the wallet in the format of its network. The checksum must be correct.',
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    ),
  }),
  {
    address: {
      wanted: ({ network }, value) => {
        const known = NetworkSchema.safeParse(network).data ?? 'ETHEREUM';
        const corrected = withChecksum(known, value);
        if (corrected === null) return walletsWanted[known];
        return expected(`an address on ${known} with the capital letters of its checksum (EIP-55), or without capital letters`, corrected);
      },
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
    report('INVALID_ENUM', ['network'], `expected one of ${allowed.join(', ')}, which support ${known}`, {
      asset: known,
      allowed,
    });
  },
)
  .overwrite((wallet) => ({ ...wallet, address: normalizeWalletAddress(wallet.network, wallet.address) ?? wallet.address }))
  .openapi('CryptoWalletInstructionRequest', { description: 'Wallet on a blockchain to pay to.' });

/**
 * Adds the only possible rail to an instruction for a bank account in BRL. For any other asset, reports a missing rail, with the rails that
 * support the asset.
 */
function withItsRail(raw: unknown, { issues }: z.core.$RefinementCtx): unknown {
  const { type, asset, rail } = fieldsOf(raw);
  const known = fiatAssets.find((each) => each === asset);
  if (type !== 'BANK_ACCOUNT' || known === undefined || (rail ?? null) !== null) return raw;
  if (known === 'BRL') return { ...fieldsOf(raw), rail: 'TED' };
  if (rail === null) return raw; // Its type is wrong.
  const allowed = bankRailsOf(known);
  const wanted: Expected = `expected ${allowed.length === 1 ? allowed[0]! : `one of ${allowed.join(', ')}`} for ${known}`;
  issues.push({
    code: 'custom',
    path: ['rail'],
    message: wanted,
    params: { code: 'REQUIRED', params: { asset: known, allowed } },
    input: raw,
  });
  return raw;
}

export const PaymentInstructionRequestSchema = z
  .preprocess(
    withItsRail,
    z.discriminatedUnion('type', [PixInstructionRequestSchema, BankAccountInstructionRequestSchema, CryptoWalletInstructionRequestSchema]),
  )
  .openapi('PaymentInstructionRequest', {
    description:
      'Where to pay a beneficiary: a PIX key, a bank account or a wallet. `type` selects the variant, and `rail` that of a bank account.',
  });

export type PaymentInstructionRequest = z.output<typeof PaymentInstructionRequestSchema>;

export const instructionTypes = ['PIX', 'BANK_ACCOUNT', 'CRYPTO_WALLET'] as const;

function withPlainIdentifiers<I extends { iban?: string | undefined; bic?: string | undefined }>(instruction: I): I {
  const { iban, bic } = instruction;
  return { ...instruction, ...(iban && { iban: normalizeIban(iban) }), ...(bic && { bic: bic.toUpperCase() }) };
}
