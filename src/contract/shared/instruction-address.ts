import { z } from '@hono/zod-openapi';
import { UuidSchema } from './common.js';
import { BankAccountTypeSchema } from './funding.js';
import { PixKeyTypeSchema } from './identifiers/pix-key.js';
import { NetworkSchema } from './rails.js';

const american = {
  routingNumber: z.string().describe('ABA routing number of the bank.'),
  accountNumber: z.string().describe('Number of the account at its bank.'),
};

const railOf = <R extends string>(rail: R) => z.literal(rail).describe('The payment system that reaches the payee.');

/** What an instruction says on each rail, wherever it is shown. */
const addressFields = {
  PIX_KEY: {
    rail: railOf('PIX_KEY'),
    keyType: PixKeyTypeSchema.describe('What kind of thing `key` is.'),
    key: z.string().meta({
      description: 'The PIX key as the directory stores it: tax ids without punctuation, e-mail addresses in lower case.',
      example: 'caio.menezes@example.com',
    }),
  },
  TED: {
    rail: railOf('TED'),
    bankCode: z.string().describe('Number of the bank at the clearing, 3 digits.'),
    branch: z.string().describe('Number of the branch, 4 digits.'),
    accountNumber: z.string().describe('Number of the account with its check digit, as it was given.'),
    accountType: BankAccountTypeSchema.describe('Whether the account is for payments or for savings.'),
  },
  SEPA: {
    rail: railOf('SEPA'),
    iban: z.string().describe('IBAN of the account, without spaces.'),
    bic: z.string().nullable().describe('BIC of the bank in capital letters; null when not given.'),
  },
  SWIFT: {
    rail: railOf('SWIFT'),
    bic: z.string().describe('BIC of the bank in capital letters.'),
    iban: z.string().nullable().describe('IBAN of the account, without spaces; null where it goes by its number.'),
    accountNumber: z.string().nullable().describe('Number of the account; null where it goes by its IBAN.'),
  },
  WIRE: { rail: railOf('WIRE'), ...american },
  ACH: { rail: railOf('ACH'), ...american },
  CRYPTO: {
    rail: railOf('CRYPTO'),
    network: NetworkSchema.describe('The blockchain that the wallet is on.'),
    address: z.string().describe('Address of the wallet as wallets show it, checksum and all.'),
  },
} as const;

const pixKeyType = { type: z.literal('PixKey').describe('Says that this is a PIX key.') };
const bankType = { type: z.literal('BankAccount').describe('Says that this is a bank account.') };
const walletType = { type: z.literal('CryptoWallet').describe('Says that this is a wallet.') };

export const InstructionAddressSchema = z
  .discriminatedUnion('rail', [
    z
      .object({ ...pixKeyType, ...addressFields.PIX_KEY })
      .openapi('PixKeyAddress', { description: 'A PIX key, as an instruction shows it.' }),
    z
      .object({ ...bankType, ...addressFields.TED })
      .openapi('TedAddress', { description: 'An account at a Brazilian bank, as an instruction shows it.' }),
    z
      .object({ ...bankType, ...addressFields.SEPA })
      .openapi('SepaAddress', { description: 'An account in the euro area, as an instruction shows it.' }),
    z
      .object({ ...bankType, ...addressFields.SWIFT })
      .openapi('SwiftAddress', { description: 'An account that SWIFT reaches, as an instruction shows it.' }),
    z
      .object({ ...bankType, ...addressFields.WIRE })
      .openapi('WireAddress', { description: 'An account that wire transfers reach, as an instruction shows it.' }),
    z
      .object({ ...bankType, ...addressFields.ACH })
      .openapi('AchAddress', { description: 'An account that ACH reaches, as an instruction shows it.' }),
    z
      .object({ ...walletType, ...addressFields.CRYPTO })
      .openapi('CryptoWalletAddress', { description: 'A wallet, as an instruction shows it.' }),
  ])
  .openapi('InstructionAddress', { description: 'Where the money of a payment instruction goes; `rail` tells which of the shapes it is.' });

export type InstructionAddress = z.infer<typeof InstructionAddressSchema>;

const own = { id: UuidSchema.describe('Id of the payment instruction.') };

/** An instruction inside the intent of a withdrawal: its id, and its address flat. */
export const WithdrawalInstructionSchema = z
  .discriminatedUnion('rail', [
    z
      .object({ ...own, ...addressFields.PIX_KEY })
      .openapi('WithdrawalPixKey', { description: 'Where the money of a withdrawal goes: a PIX key.' }),
    z
      .object({ ...own, ...addressFields.TED })
      .openapi('WithdrawalTed', { description: 'An account at a Brazilian bank that a withdrawal pays to.' }),
    z
      .object({ ...own, ...addressFields.SEPA })
      .openapi('WithdrawalSepa', { description: 'An account in the euro area that a withdrawal pays to.' }),
    z
      .object({ ...own, ...addressFields.SWIFT })
      .openapi('WithdrawalSwift', { description: 'An account that a withdrawal pays to by SWIFT.' }),
    z
      .object({ ...own, ...addressFields.WIRE })
      .openapi('WithdrawalWire', { description: 'An account that a withdrawal pays to by wire transfer.' }),
    z.object({ ...own, ...addressFields.ACH }).openapi('WithdrawalAch', { description: 'An account that a withdrawal pays to by ACH.' }),
    z
      .object({ ...own, ...addressFields.CRYPTO })
      .openapi('WithdrawalCryptoWallet', { description: 'Where the money of a withdrawal goes: a wallet on a blockchain.' }),
  ])
  .openapi('WithdrawalInstruction', {
    description: 'Where the money of a withdrawal goes: the id of the instruction, and its address beside it.',
  });

export type WithdrawalInstruction = z.infer<typeof WithdrawalInstructionSchema>;
