import { z } from '@hono/zod-openapi';
import { UuidSchema } from './common.js';
import { BankAccountTypeSchema } from './funding.js';
import { PixKeyTypeSchema } from './identifiers/pix-key.js';
import { NetworkSchema } from './rails.js';

const american = {
  routingNumber: z.string().describe('ABA routing number of the bank.'),
  accountNumber: z.string().describe('Account number at the bank.'),
};

const railOf = <R extends string>(rail: R) => z.literal(rail).describe('The payment system that pays the payee.');

/** The fields of an instruction for each rail, in all responses and events. */
const addressFields = {
  PIX_KEY: {
    rail: railOf('PIX_KEY'),
    keyType: PixKeyTypeSchema.describe('Kind of identifier in `key`.'),
    key: z.string().meta({
      description: 'The PIX key as the directory stores it: tax ids without punctuation, e-mail addresses in lower case.',
      example: 'caio.menezes@example.com',
    }),
  },
  TED: {
    rail: railOf('TED'),
    bankCode: z.string().describe('Clearing number of the bank, 3 digits.'),
    branch: z.string().describe('Number of the branch, 4 digits.'),
    accountNumber: z.string().describe('Account number with its check digit, as in the request.'),
    accountType: BankAccountTypeSchema.describe('Whether the account is for payments or savings.'),
  },
  SEPA: {
    rail: railOf('SEPA'),
    iban: z.string().describe('IBAN of the account, without spaces.'),
    bic: z.string().nullable().describe('BIC of the bank in capital letters; null if the request had none.'),
  },
  SWIFT: {
    rail: railOf('SWIFT'),
    bic: z.string().describe('BIC of the bank in capital letters.'),
    iban: z.string().nullable().describe('IBAN of the account, without spaces; null if the account has a number instead.'),
    accountNumber: z.string().nullable().describe('Account number; null if the account has an IBAN instead.'),
  },
  WIRE: { rail: railOf('WIRE'), ...american },
  ACH: { rail: railOf('ACH'), ...american },
  CRYPTO: {
    rail: railOf('CRYPTO'),
    network: NetworkSchema.describe('Blockchain of the wallet.'),
    address: z.string().describe('Address of the wallet in its usual notation, including the checksum.'),
  },
} as const;

const pixKeyType = { type: z.literal('PixKey').describe('Marks a PIX key.') };
const bankType = { type: z.literal('BankAccount').describe('Marks a bank account.') };
const walletType = { type: z.literal('CryptoWallet').describe('Marks a wallet.') };

export const InstructionAddressSchema = z
  .discriminatedUnion('rail', [
    z.object({ ...pixKeyType, ...addressFields.PIX_KEY }).openapi('PixKeyAddress', { description: 'PIX key in a payment instruction.' }),
    z
      .object({ ...bankType, ...addressFields.TED })
      .openapi('TedAddress', { description: 'Account at a Brazilian bank in a payment instruction.' }),
    z
      .object({ ...bankType, ...addressFields.SEPA })
      .openapi('SepaAddress', { description: 'Account in the euro area in a payment instruction.' }),
    z
      .object({ ...bankType, ...addressFields.SWIFT })
      .openapi('SwiftAddress', { description: 'Account for SWIFT transfers in a payment instruction.' }),
    z
      .object({ ...bankType, ...addressFields.WIRE })
      .openapi('WireAddress', { description: 'Account for wire transfers in a payment instruction.' }),
    z
      .object({ ...bankType, ...addressFields.ACH })
      .openapi('AchAddress', { description: 'Account for ACH transfers in a payment instruction.' }),
    z
      .object({ ...walletType, ...addressFields.CRYPTO })
      .openapi('CryptoWalletAddress', { description: 'Wallet in a payment instruction.' }),
  ])
  .openapi('InstructionAddress', { description: 'Destination of a payment instruction. `rail` selects the variant.' });

export type InstructionAddress = z.infer<typeof InstructionAddressSchema>;

const own = { id: UuidSchema.describe('Id of the payment instruction.') };

/** The payment instruction in the intent of a withdrawal: its id and the fields of its address at one level. */
export const WithdrawalInstructionSchema = z
  .discriminatedUnion('rail', [
    z
      .object({ ...own, ...addressFields.PIX_KEY })
      .openapi('WithdrawalPixKey', { description: 'Destination of a withdrawal that is paid by PIX.' }),
    z
      .object({ ...own, ...addressFields.TED })
      .openapi('WithdrawalTed', { description: 'Destination of a withdrawal: an account at a Brazilian bank.' }),
    z
      .object({ ...own, ...addressFields.SEPA })
      .openapi('WithdrawalSepa', { description: 'Destination of a withdrawal: an account in the euro area.' }),
    z
      .object({ ...own, ...addressFields.SWIFT })
      .openapi('WithdrawalSwift', { description: 'Destination of a withdrawal: an account paid by SWIFT.' }),
    z
      .object({ ...own, ...addressFields.WIRE })
      .openapi('WithdrawalWire', { description: 'Destination of a withdrawal: an account paid by wire transfer.' }),
    z
      .object({ ...own, ...addressFields.ACH })
      .openapi('WithdrawalAch', { description: 'Destination of a withdrawal: an account paid by ACH.' }),
    z
      .object({ ...own, ...addressFields.CRYPTO })
      .openapi('WithdrawalCryptoWallet', { description: 'Destination of a withdrawal: a wallet on a blockchain.' }),
  ])
  .openapi('WithdrawalInstruction', {
    description: 'Destination of a withdrawal: the id of the instruction and the fields of its address.',
  });

export type WithdrawalInstruction = z.infer<typeof WithdrawalInstructionSchema>;
