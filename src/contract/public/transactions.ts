import { z } from '@hono/zod-openapi';
import { AmountSchema, NameSchema, TimestampSchema, UuidSchema } from '../shared/common.js';
import { TaxIdRequestSchema, TaxIdSchema } from '../shared/tax-ids.js';
import { NetworkSchema } from '../shared/rails.js';

const transactionStatuses = ['PROCESSING', 'CONFIRMED', 'FAILED'] as const;
const directions = ['CREDIT', 'DEBIT'] as const;
export type Direction = (typeof directions)[number];

export const TransactionStatusSchema = z
  .enum(transactionStatuses)
  .openapi('TransactionStatus', { description: 'Whether a payment is in progress, has arrived, or has failed.' });
export const DirectionSchema = z.enum(directions).openapi('Direction', {
  description: 'Direction of the money from the view of the account: CREDIT is incoming, DEBIT is outgoing.',
  example: 'DEBIT',
});

/** The identifiers to trace a payment, for the rails that have them. */
const traces = {
  PIX: {
    endToEnd: z.string().meta({
      description: "End-to-end id of the payment in the central bank's format, 32 characters.",
      example: 'E9999010120261121140300a1B2c3D4e',
    }),
  },
  CRYPTO: {
    network: NetworkSchema.describe('Blockchain of the payment.'),
    transactionHash: z.string().meta({
      description: 'Hash of the transaction in the format of its network.',
      example: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    }),
  },
  SWIFT: {
    uetr: z
      .string()
      .meta({ format: 'uuid', description: 'Unique end-to-end transaction reference, which banks use to trace the payment.' }),
  },
} as const;

export const PayerSchema = z
  .object({
    name: z.string().meta({ description: 'Legal name of a company, or first and last name of a person.', example: 'Joana Alves' }),
    taxId: TaxIdSchema.describe('Number of the person or company in its register.'),
  })
  .openapi('Payer', { description: 'The person or company that paid a deposit.' });

export type Payer = z.infer<typeof PayerSchema>;

/** A payer in a request or a scenario. */
export const PayerRequestSchema = z
  .strictObject({
    name: NameSchema.meta({ description: 'Legal name of a company, or first and last name of a person.', example: 'Joana Alves' }),
    taxId: TaxIdRequestSchema.describe('Number of the person or company in its register.'),
  })
  .openapi('PayerRequest', { description: 'The person or company that pays a deposit.' });

/** Returns the optional field for the payer of a deposit. */
export const payerField = () => PayerSchema.optional().describe('Payer of the deposit; absent if the payment does not name one.');

/** The types of transaction, in the order of the documents: the name in schemas, the fields to trace the payment, and what it is. */
const transactionFacts = {
  PIX: { name: 'Pix', trace: traces.PIX, what: 'A payment by PIX, the instant payment system of Brazil' },
  TED: { name: 'Ted', trace: {}, what: 'A transfer between Brazilian banks' },
  BOLETO: { name: 'Boleto', trace: {}, what: 'A paid boleto, the Brazilian payment slip' },
  CRYPTO: { name: 'Crypto', trace: traces.CRYPTO, what: 'A transfer on a blockchain' },
  WIRE: { name: 'Wire', trace: {}, what: 'A wire transfer in the United States' },
  ACH: { name: 'Ach', trace: {}, what: 'A payment by the Automated Clearing House' },
  SWIFT: { name: 'Swift', trace: traces.SWIFT, what: 'An international transfer' },
  SEPA: { name: 'Sepa', trace: {}, what: 'A transfer within the euro area' },
  BOOK: { name: 'Book', trace: {}, what: 'A movement inside the service: a transfer, or one leg of a swap' },
} as const;

export type TransactionType = keyof typeof transactionFacts;

/** The schema of a transaction of one type, with these fields. */
type SchemaOf<T extends TransactionType, F extends z.ZodRawShape> = z.ZodObject<
  { type: z.ZodLiteral<T> } & F & (typeof transactionFacts)[T]['trace']
>;
type AnySchema<F extends z.ZodRawShape> = { [T in TransactionType]: SchemaOf<T, F> }[TransactionType];

/**
 * Returns the schemas of all types of transaction.
 * @param prefix start of their names @param place where they occur, for their descriptions @param id the first field @param rest the fields of all types
 */
export function transactionSchemas<I extends z.ZodType, F extends z.ZodRawShape>(
  prefix: string,
  place: string,
  id: I,
  rest: F,
): [AnySchema<{ id: I } & F>, ...AnySchema<{ id: I } & F>[]] {
  const schemas = Object.entries(transactionFacts).map(([type, { name, trace, what }]) =>
    z
      .object({ id, type: z.literal(type).describe('The payment system of the transaction.'), ...rest, ...trace })
      .openapi(`${prefix}${name}Transaction`, { description: `${what}${place}.` }),
  );
  return schemas as never;
}

export const TransactionSchema = z
  .discriminatedUnion(
    'type',
    transactionSchemas('', '', UuidSchema.describe('Id of the transaction in the service.'), {
      direction: DirectionSchema.describe('Whether the account receives or pays the money.'),
      amount: AmountSchema.describe('Amount that the transaction moves.'),
      status: TransactionStatusSchema.describe('Progress of the payment at its rail.'),
      createdAt: TimestampSchema.describe('Time at which the payment started.'),
      payer: payerField(),
    }),
  )
  .openapi('Transaction', { description: 'A payment in progress or completed. `type` selects the variant.' });

export type Transaction = z.infer<typeof TransactionSchema>;
