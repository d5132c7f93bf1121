import { z } from '@hono/zod-openapi';
import { AssetCodeSchema } from './common.js';
import { pixKeyTypes } from './pix-key.js';
import { NetworkSchema } from './rails.js';

export const accountTypes = ['CHECKING', 'SAVINGS'] as const;

const BankNameSchema = z.string().meta({ example: 'Sandbox Bank NA' });
const AccountNameSchema = z.string().meta({ description: 'Who to pay.', example: 'Aurora Comércio Exterior Ltda' });
const ReferenceSchema = z
  .string()
  .meta({ description: 'What to write on the payment, so that it finds its account.', example: 'CB4K7Q2M9X1D' });

const PixKeyFundingSchema = z
  .object({ asset: AssetCodeSchema, rail: z.literal('PIX_KEY'), keyType: z.enum(pixKeyTypes), key: z.string() })
  .openapi('PixKeyFunding');

const PixStaticQrCodeFundingSchema = z
  .object({
    asset: AssetCodeSchema,
    rail: z.literal('PIX_STATIC_QR_CODE'),
    qrCode: z.string().meta({ description: 'A BR Code: the text of the QR code, which can also be copied and pasted.' }),
  })
  .openapi('PixStaticQrCodeFunding');

const TedFundingSchema = z
  .object({
    asset: AssetCodeSchema,
    rail: z.literal('TED'),
    bankCode: z.string().meta({ example: '999' }),
    branch: z.string().meta({ example: '0001' }),
    accountNumber: z.string().meta({ description: 'With its check digit.', example: '48151623-6' }),
    accountType: z.enum(accountTypes),
  })
  .openapi('TedFunding');

const BoletoFundingSchema = z
  .object({
    asset: AssetCodeSchema,
    rail: z.literal('BOLETO'),
    barcode: z.string().meta({ description: 'The digitable line, 47 digits. It leaves the amount open.' }),
    dueDate: z.iso.date().meta({ example: '2027-11-21' }),
  })
  .openapi('BoletoFunding');

const CryptoFundingSchema = z
  .object({ asset: AssetCodeSchema, rail: z.literal('CRYPTO'), network: NetworkSchema, walletAddress: z.string() })
  .openapi('CryptoFunding');

const usBankFields = {
  bankName: BankNameSchema,
  routingNumber: z.string().meta({ example: '099999902' }),
  accountNumber: z.string(),
  accountName: AccountNameSchema,
  reference: ReferenceSchema,
};

const WireFundingSchema = z.object({ asset: AssetCodeSchema, rail: z.literal('WIRE'), ...usBankFields }).openapi('WireFunding');
const AchFundingSchema = z.object({ asset: AssetCodeSchema, rail: z.literal('ACH'), ...usBankFields }).openapi('AchFunding');

const internationalFields = {
  bankName: BankNameSchema,
  bic: z.string(),
  iban: z.string().nullable().meta({ description: 'Null where the bank goes by account number.' }),
  accountNumber: z.string().nullable().meta({ description: 'Null where the bank goes by IBAN.' }),
  accountName: AccountNameSchema,
  reference: ReferenceSchema,
};

const SwiftFundingSchema = z.object({ asset: AssetCodeSchema, rail: z.literal('SWIFT'), ...internationalFields }).openapi('SwiftFunding');
const SepaFundingSchema = z.object({ asset: AssetCodeSchema, rail: z.literal('SEPA'), ...internationalFields }).openapi('SepaFunding');

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
  .openapi('FundingInstruction', { description: 'Where to pay money in for an account, by one rail.' });

export type FundingInstruction = z.infer<typeof FundingInstructionSchema>;
