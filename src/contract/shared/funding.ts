import { z } from '@hono/zod-openapi';
import { AmountSchema, AssetCodeSchema, TimestampSchema } from './common.js';
import { PixKeyTypeSchema } from './identifiers/pix-key.js';
import { fundingSchema, NetworkSchema, type FundingRail } from './rails.js';

const accountTypes = ['CHECKING', 'SAVINGS'] as const;
export const BankAccountTypeSchema = z
  .enum(accountTypes)
  .openapi('BankAccountType', { description: 'Type of a Brazilian bank account: CHECKING for payments, or SAVINGS.' });

const BankNameSchema = z.string().meta({ description: 'Bank that holds the receiving account.', example: 'Sandbox Bank NA' });
const AccountNameSchema = z
  .string()
  .meta({ description: 'Payee: the holder of the bank account.', example: 'Aurora Comércio Exterior Ltda' });
const ReferenceSchema = z
  .string()
  .meta({ description: 'Reference to put on the payment. It identifies the account that receives the money.', example: 'CB4K7Q2M9X1D' });

const inDeposit = 'Only in the instruction of a deposit';

/** The fields of the PIX charge of a deposit. */
const pixCharge = {
  txid: z
    .string()
    .optional()
    .meta({ description: `${inDeposit}: id of its charge, 32 letters and digits.`, example: '3f0a7a3f9e21425291c60d5ab5a21f0c' }),
  amount: AmountSchema.optional().describe(`${inDeposit}: amount to pay.`),
  expiresAt: TimestampSchema.optional().describe(`${inDeposit}: time at which an unpaid deposit fails.`),
};
const depositReference = ReferenceSchema.optional().describe(`${inDeposit}: reference to put on the payment.`);

/** The fields of all instructions. `rail` is the discriminator. */
const railFields = <R extends FundingRail>(rail: R) => ({
  asset: AssetCodeSchema.describe('Asset that the payer sends.'),
  rail: z.literal(rail).describe('Payment system for the deposit.'),
});

const PixKeyFundingSchema = z
  .object({
    ...railFields('PIX_KEY'),
    keyType: PixKeyTypeSchema.describe('Kind of identifier in `key`.'),
    key: z.string().describe('The PIX key to pay to.'),
    qrCode: z
      .string()
      .optional()
      .describe(`${inDeposit}: dynamic BR Code of its charge, with its amount. Payers scan it or copy and paste it.`),
    ...pixCharge,
  })
  .openapi(...fundingSchema('PIX_KEY', 'Funding'));

const PixStaticQrCodeFundingSchema = z
  .object({
    ...railFields('PIX_STATIC_QR_CODE'),
    qrCode: z.string().meta({
      description:
        'BR Code: the content of the QR code, which a payer can also copy and paste. Only the code of a deposit has an amount: it is dynamic, with the amount of the charge.',
    }),
    ...pixCharge,
  })
  .openapi(...fundingSchema('PIX_STATIC_QR_CODE', 'Funding'));

const TedFundingSchema = z
  .object({
    ...railFields('TED'),
    bankCode: z.string().meta({ description: 'Clearing number of the bank.', example: '999' }),
    branch: z.string().meta({ description: 'Number of the branch of the bank.', example: '0001' }),
    accountNumber: z.string().meta({ description: 'Account number with its check digit.', example: '48151623-6' }),
    accountType: BankAccountTypeSchema.describe('Whether the account is for payments or savings.'),
    reference: depositReference,
  })
  .openapi(...fundingSchema('TED', 'Funding'));

const BoletoFundingSchema = z
  .object({
    ...railFields('BOLETO'),
    barcode: z.string().meta({
      description:
        'The digitable line of the boleto: 47 digits including check digits. Only the line of a deposit has an amount, if the amount has at most 8 digits before the decimal point.',
    }),
    dueDate: z.iso.date().meta({ description: 'Last day to pay the boleto, yyyy-MM-dd.', example: '2027-11-21' }),
    amount: pixCharge.amount,
    expiresAt: pixCharge.expiresAt,
  })
  .openapi(...fundingSchema('BOLETO', 'Funding'));

const CryptoFundingSchema = z
  .object({
    ...railFields('CRYPTO'),
    network: NetworkSchema.describe('Blockchain to pay on. A payment on another blockchain would be lost.'),
    walletAddress: z.string().describe('Address to pay to, in the format of its network.'),
    reference: depositReference,
  })
  .openapi(...fundingSchema('CRYPTO', 'Funding'));

const usBankFields = {
  bankName: BankNameSchema,
  routingNumber: z.string().meta({ description: 'ABA routing number of the bank.', example: '099999902' }),
  accountNumber: z.string().describe('Account number at the bank.'),
  accountName: AccountNameSchema,
  reference: ReferenceSchema,
};

const WireFundingSchema = z.object({ ...railFields('WIRE'), ...usBankFields }).openapi(...fundingSchema('WIRE', 'Funding'));
const AchFundingSchema = z.object({ ...railFields('ACH'), ...usBankFields }).openapi(...fundingSchema('ACH', 'Funding'));

const internationalFields = {
  bankName: BankNameSchema,
  bic: z.string().describe('BIC (ISO 9362) of the bank.'),
  iban: z.string().nullable().meta({ description: 'IBAN of the account; null if the bank uses account numbers.' }),
  accountNumber: z.string().nullable().meta({ description: 'Account number; null if the bank uses IBANs.' }),
  accountName: AccountNameSchema,
  reference: ReferenceSchema,
};

const SwiftFundingSchema = z.object({ ...railFields('SWIFT'), ...internationalFields }).openapi(...fundingSchema('SWIFT', 'Funding'));
const SepaFundingSchema = z.object({ ...railFields('SEPA'), ...internationalFields }).openapi(...fundingSchema('SEPA', 'Funding'));

export const FundingInstructionSchema = z
  .discriminatedUnion('rail', [
    PixKeyFundingSchema,
    PixStaticQrCodeFundingSchema,
    TedFundingSchema,
    BoletoFundingSchema,
    CryptoFundingSchema,
    WireFundingSchema,
    AchFundingSchema,
    SwiftFundingSchema,
    SepaFundingSchema,
  ])
  .openapi('FundingInstruction', { description: 'How to pay money into an account. `rail` selects the variant.' });

export type FundingInstruction = z.infer<typeof FundingInstructionSchema>;
