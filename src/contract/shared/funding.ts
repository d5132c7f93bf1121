import { z } from '@hono/zod-openapi';
import { AssetCodeSchema } from './common.js';
import { PixKeyTypeSchema } from './identifiers/pix-key.js';
import { NetworkSchema, type FundingRail } from './rails.js';

const accountTypes = ['CHECKING', 'SAVINGS'] as const;
export const BankAccountTypeSchema = z
  .enum(accountTypes)
  .openapi('BankAccountType', { description: 'What a Brazilian bank account is for: payments (CHECKING) or savings.' });

const BankNameSchema = z.string().meta({ description: 'Bank that the money goes to.', example: 'Sandbox Bank NA' });
const AccountNameSchema = z
  .string()
  .meta({ description: 'Who to pay: the holder of the bank account.', example: 'Aurora Comércio Exterior Ltda' });
const ReferenceSchema = z
  .string()
  .meta({ description: 'What to write on the payment, so that it finds its account.', example: 'CB4K7Q2M9X1D' });

/** The fields that all instructions have; `rail` tells them apart. */
const railFields = <R extends FundingRail>(rail: R) => ({
  asset: AssetCodeSchema.describe('What is to be paid in.'),
  rail: z.literal(rail).describe('The payment system that the money comes by.'),
});

const PixKeyFundingSchema = z
  .object({
    ...railFields('PIX_KEY'),
    keyType: PixKeyTypeSchema.describe('What kind of thing `key` is.'),
    key: z.string().describe('The PIX key to pay to.'),
  })
  .openapi('PixKeyFunding', { description: 'How to pay in by PIX, the instant payments of Brazil, to a key.' });

const PixStaticQrCodeFundingSchema = z
  .object({
    ...railFields('PIX_STATIC_QR_CODE'),
    qrCode: z
      .string()
      .meta({ description: 'A BR Code: the text of the QR code, which can also be copied and pasted. It leaves the amount open.' }),
  })
  .openapi('PixStaticQrCodeFunding', { description: 'Pay in by PIX, with a QR code.' });

const TedFundingSchema = z
  .object({
    ...railFields('TED'),
    bankCode: z.string().meta({ description: 'Number of the bank at the clearing.', example: '999' }),
    branch: z.string().meta({ description: 'Number of the branch of that bank.', example: '0001' }),
    accountNumber: z.string().meta({ description: 'Number of the account with its check digit.', example: '48151623-6' }),
    accountType: BankAccountTypeSchema.describe('Whether the account is for payments or for savings.'),
  })
  .openapi('TedFunding', { description: 'Pay in by transfer between Brazilian banks.' });

const BoletoFundingSchema = z
  .object({
    ...railFields('BOLETO'),
    barcode: z
      .string()
      .meta({ description: 'The digitable line of the boleto, 47 digits with their check digits. It leaves the amount open.' }),
    dueDate: z.iso.date().meta({ description: 'Last day to pay it, yyyy-MM-dd.', example: '2027-11-21' }),
  })
  .openapi('BoletoFunding', { description: 'Pay in by boleto, the Brazilian payment slip.' });

const CryptoFundingSchema = z
  .object({
    ...railFields('CRYPTO'),
    network: NetworkSchema.describe('The blockchain to pay on; on another one the money would be lost.'),
    walletAddress: z.string().describe('Address to pay to, in the form of its network.'),
  })
  .openapi('CryptoFunding', { description: 'Pay in by a transaction on a blockchain.' });

const usBankFields = {
  bankName: BankNameSchema,
  routingNumber: z.string().meta({ description: 'ABA routing number of the bank.', example: '099999902' }),
  accountNumber: z.string().describe('Number of the account at its bank.'),
  accountName: AccountNameSchema,
  reference: ReferenceSchema,
};

const WireFundingSchema = z
  .object({ ...railFields('WIRE'), ...usBankFields })
  .openapi('WireFunding', { description: 'Pay in by wire transfer in the United States.' });
const AchFundingSchema = z
  .object({ ...railFields('ACH'), ...usBankFields })
  .openapi('AchFunding', { description: 'Pay in by the Automated Clearing House of the United States.' });

const internationalFields = {
  bankName: BankNameSchema,
  bic: z.string().describe('BIC of the bank, which finds it anywhere.'),
  iban: z.string().nullable().meta({ description: 'IBAN of the account; null where the bank goes by account number.' }),
  accountNumber: z.string().nullable().meta({ description: 'Number of the account; null where the bank goes by IBAN.' }),
  accountName: AccountNameSchema,
  reference: ReferenceSchema,
};

const SwiftFundingSchema = z
  .object({ ...railFields('SWIFT'), ...internationalFields })
  .openapi('SwiftFunding', { description: 'Pay in by international transfer.' });
const SepaFundingSchema = z
  .object({ ...railFields('SEPA'), ...internationalFields })
  .openapi('SepaFunding', { description: 'Pay in by transfer within the euro area.' });

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
  .openapi('FundingInstruction', { description: 'Where to pay money in for an account; `rail` tells which of the shapes it is.' });

export type FundingInstruction = z.infer<typeof FundingInstructionSchema>;
