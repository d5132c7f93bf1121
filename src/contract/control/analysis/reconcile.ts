import { z } from '@hono/zod-openapi';
import { OperationStatusSchema, operationStatuses } from '../../public/operations.js';
import { assetCodes, AssetCodeSchema, DecimalSchema, InstantSchema, TimestampSchema, orNull } from '../../shared/common.js';
import { patternSchema, textSchema } from '../../shared/messages/forms.js';
import { atLeastOne, fieldsOf, rule } from '../../shared/rule.js';

/** The records of a client, and their differences from the operations and the ledger of a world. */

/** Maximum number of rows in a request, counted over all sections. */
export const maxRows = 10_000;
export const maxRecordBytes = 5 * 1024 * 1024;
/** Maximum number of differences in a response. Further differences are only counted. */
export const maxDifferences = 1000;
/** Maximum number of listed explanations of one balance. */
export const maxExplanations = 20;

export const sections = ['operations', 'entries', 'balances'] as const;
export const SectionSchema = z.enum(sections).openapi('RecordSection', { description: 'A part of the records of a client.' });
export type Section = z.infer<typeof SectionSchema>;

const key = (description: string) => textSchema(200).optional().describe(description);

/** The fields that identify the operation of a row, in the order in which they are tried. */
const keyShape = {
  idempotencyKey: key('Idempotency key of the request that created the operation.'),
  endToEnd: key('End-to-end id of the PIX payment of the operation.'),
  uetr: key('UETR of the SWIFT payment of the operation.'),
  transactionHash: key('Hash of the blockchain transaction, for a stablecoin.'),
  quoteId: key('Id of the quote that the operation used. One operation can use a quote.'),
};
export const keyFields = ['id', 'idempotencyKey', 'endToEnd', 'uetr', 'transactionHash', 'quoteId'] as const;
export type KeyField = (typeof keyFields)[number];

const RefSchema = textSchema(200).optional().describe('Your name for the row. Differences show it.');
const ClaimSchema = z
  .strictObject({
    value: DecimalSchema.describe('Amount as a decimal string.'),
    asset: AssetCodeSchema.describe('Currency or stablecoin of the amount.'),
    decimals: z.number().optional().describe('Ignored, so that you can send amounts as the API returns them.'),
  })
  .openapi('RecordedAmount', { description: 'An amount in the records of a client.' });
export type Claim = z.output<typeof ClaimSchema>;

const hasKey = (row: Record<string, unknown>) => keyFields.some((name) => row[name] !== undefined);
const wantedKey = `expected at least one of ${keyFields.join(', ')}, source and target` as const;

export const OperationRowSchema = rule(
  z.strictObject({
    ref: RefSchema,
    id: key('Id of the operation, as the API returned it. It identifies the operation before all other fields.'),
    ...keyShape,
    status: textSchema(64).optional().describe('Status in your records: a status of the API, or a word from `statuses`.'),
    source: ClaimSchema.optional().describe('Source amount in your records.'),
    target: ClaimSchema.optional().describe('Target amount in your records.'),
    account: key('Id of the account that pays, or that receives a deposit.'),
    purpose: textSchema(100)
      .optional()
      .describe(
        'What the payment is for, for example the number of an invoice. Two payments with one purpose are one payment made twice, unless one failed. Two payments with different purposes are never a pair.',
      ),
    at: InstantSchema.optional().describe('Time of the row. Only used for rows without any id.'),
  }),
  (raw, report) => {
    const row = fieldsOf(raw);
    if (!hasKey(row) && row['source'] === undefined && row['target'] === undefined) report('REQUIRED', ['id'], wantedKey);
  },
).openapi('OperationRow', { description: 'An operation in the records of a client.', ...atLeastOne(...keyFields, 'source', 'target') });
export type OperationRow = z.output<typeof OperationRowSchema>;

export const EntryRowSchema = z
  .strictObject({
    ref: RefSchema,
    operation: key('Id of the operation, or of the ledger entry for a credit or debit by the control API.'),
    ...keyShape,
    account: textSchema(200).describe('Id of the account whose balance changes.'),
    asset: AssetCodeSchema.describe('Currency or stablecoin of the entry.'),
    value: DecimalSchema.describe('Amount as a decimal string; negative if the money leaves the account.'),
    at: InstantSchema.optional().describe('Time of the entry. Only used for rows without any id.'),
  })
  .openapi('EntryRow', { description: 'A change of a balance in the records of a client.' });
export type EntryRow = z.output<typeof EntryRowSchema>;

export const BalanceRowSchema = z
  .strictObject({
    ref: RefSchema,
    account: textSchema(200).describe('Id of the account that has the balance.'),
    asset: AssetCodeSchema.describe('Currency or stablecoin of the balance.'),
    value: DecimalSchema.describe('Balance as a decimal string.'),
  })
  .openapi('BalanceRow', { description: 'A balance in the records of a client.' });
export type BalanceRow = z.output<typeof BalanceRowSchema>;

export const rowSchemas = { operations: OperationRowSchema, entries: EntryRowSchema, balances: BalanceRowSchema } as const;

const maxWords = 100;

/** The statuses of the API to which a status of the client corresponds. */
export const StatusWordsSchema = rule(
  z.record(
    z.string().describe('A word in your records.'),
    z.array(OperationStatusSchema).max(operationStatuses.length).describe('The statuses that the word can mean.'),
  ),
  (raw, report) => {
    if (Object.keys(fieldsOf(raw)).length > maxWords)
      report('OUT_OF_RANGE', [], `expected at most ${maxWords} words`, { maximum: maxWords });
  },
).openapi('StatusWords', {
  description:
    'Meanings of the words in `status` that are not statuses of the API. An empty list means that no operation exists for the row.',
  example: { paid: ['COMPLETED'], sent: ['REQUESTED', 'PROCESSING'] } as never,
});

const TolerancePartSchema = patternSchema(/^[0-9]+(\.[0-9]+)?$/, 'a decimal number of zero or more as a string', '0.01', 64);
export const ToleranceSchema = rule(
  z.record(z.string().describe('An asset.'), TolerancePartSchema.describe('The largest difference that counts as equal.')),
  (raw, report) => {
    for (const asset of Object.keys(fieldsOf(raw)))
      if (!(assetCodes as readonly string[]).includes(asset))
        report('INVALID_ENUM', [asset], `expected an asset: ${assetCodes.join(', ')}`, { allowed: assetCodes });
  },
).openapi('Tolerance', {
  description: 'The largest difference of two amounts that counts as equal, by asset. Default: zero.',
  example: { BRL: '0.00' } as never,
});

const rows = <S extends z.ZodType>(schema: S, what: string) =>
  z.array(schema).max(maxRows).optional().describe(`${what} At most ${maxRows} rows in all sections together.`);

/** The fields of a request except its rows. */
const settings = {
  asOf: InstantSchema.optional().describe('World time to compare with. Default: now.'),
  complete: z
    .array(z.enum(['operations', 'entries']).openapi('CompletableSection', { description: 'A section that can be complete.' }))
    .max(2)
    .optional()
    .describe('Sections in which every row is present. In these, a missing row is a difference.'),
  tolerance: ToleranceSchema.optional().describe('Differences to ignore, by asset.'),
  statuses: StatusWordsSchema.optional().describe('The meaning of your words for statuses.'),
};

/** A request without its rows. */
export const ReconcileHeadSchema = z.strictObject({
  ...settings,
  operations: z.array(z.unknown()).optional(),
  entries: z.array(z.unknown()).optional(),
  balances: z.array(z.unknown()).optional(),
});
export type ReconcileSettings = Pick<z.output<typeof ReconcileHeadSchema>, keyof typeof settings>;

export const ReconcileRequestSchema = z
  .strictObject({
    ...settings,
    operations: rows(OperationRowSchema, 'Your operations.'),
    entries: rows(EntryRowSchema, 'Your entries: every change of a balance.'),
    balances: rows(BalanceRowSchema, 'Your balances.'),
  })
  .openapi('ReconcileRequest', {
    description: 'The records of a client. At least one of the three sections is needed.',
    ...atLeastOne(...sections),
    example: {
      complete: ['operations'],
      statuses: { paid: ['COMPLETED'] },
      operations: [
        { ref: 'pay_17', id: '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417', status: 'paid', target: { value: '150.00', asset: 'BRL' } },
      ],
    } as never,
  });

export const ReconcileQuerySchema = z.object({
  section: SectionSchema.optional().meta({ description: 'CSV only: the section that the rows belong to.', example: 'operations' }),
  map: textSchema(2000).optional().meta({
    description: 'CSV only: the field of each column, as `column:field` separated by commas.',
    example: 'provider_ref:id,amount:source.value',
  }),
  asOf: InstantSchema.optional().meta({ description: 'CSV only: `asOf` of the body in JSON.', example: '2027-01-31T10:00:30Z' }),
  complete: z
    .enum(['operations', 'entries'])
    .optional()
    .meta({ description: 'CSV only: the section, if every row of the section is present.', example: 'operations' }),
  statuses: textSchema(4000).optional().meta({
    description: 'CSV only: `statuses` of the body in JSON, as JSON.',
    example: '{"paid":["COMPLETED"]}',
  }),
  tolerance: textSchema(2000)
    .optional()
    .meta({ description: 'CSV only: `tolerance` of the body in JSON, as JSON.', example: '{"BRL":"0.01"}' }),
});
export type ReconcileQuery = z.output<typeof ReconcileQuerySchema>;

export const differenceKinds = [
  'NOT_BOOKED',
  'BOOKED_TWICE',
  'PAID_TWICE',
  'UNKNOWN_OPERATION',
  'WRONG_STATUS',
  'WRONG_ACCOUNT',
  'WRONG_AMOUNT',
  'BALANCE',
] as const;
const DifferenceKindSchema = z.enum(differenceKinds).openapi('DifferenceKind', {
  description:
    'NOT_BOOKED: the records lack an operation or entry. BOOKED_TWICE: they have it more than once. PAID_TWICE: two operations have the same purpose, and neither failed. ' +
    'UNKNOWN_OPERATION: the world has no such operation. ' +
    'WRONG_STATUS, WRONG_ACCOUNT, WRONG_AMOUNT: the field differs. BALANCE: a balance differs, and no explanation was found.',
});
export type DifferenceKind = z.infer<typeof DifferenceKindSchema>;

const AmountExplanationSchema = z.enum(['FEE', 'OTHER_SIDE', 'SCALE', 'SIGN', 'ROUNDING']).openapi('AmountExplanation', {
  description:
    'FEE: the amount without or with the fees. OTHER_SIDE: the amount of the other side of the operation. SCALE: a power of ten apart. ' +
    'SIGN: the opposite sign. ROUNDING: at most 0.01 apart.',
});
export type AmountExplanation = z.infer<typeof AmountExplanationSchema>;

export const suspects = [
  'PAID_TWICE',
  'DUPLICATE_APPLIED',
  'ACKNOWLEDGED_NOT_APPLIED',
  'READ_NOT_APPLIED',
  'BOOKED_BEFORE_OUTCOME',
  'MISSED_AND_NOT_READ',
  'NOT_YET_NOTIFIED',
] as const;
const SuspectSchema = z.enum(suspects).openapi('Suspect', {
  description:
    'PAID_TWICE: another operation has the same request or the same purpose; `finding` names the finding. DUPLICATE_APPLIED: the client accepted the same webhook twice. ' +
    'ACKNOWLEDGED_NOT_APPLIED: the client responded with 2xx to a webhook about the change. READ_NOT_APPLIED: a complete response contained the change. ' +
    'BOOKED_BEFORE_OUTCOME: the client booked before the outcome was known. MISSED_AND_NOT_READ: no webhook reached the client, and it did not read the operation. ' +
    'NOT_YET_NOTIFIED: the webhook is still to be sent.',
});
export type Suspect = z.infer<typeof SuspectSchema>;

const MatchedBySchema = z
  .enum(['ID', 'IDEMPOTENCY_KEY', 'END_TO_END', 'UETR', 'TRANSACTION_HASH', 'QUOTE_ID', 'LIKENESS'])
  .openapi('MatchedBy', {
    description:
      'The field by which a row was matched. LIKENESS: the row has no such field and was matched by asset, amount and day; such a row never decides the verdict.',
  });
export type MatchedBy = z.infer<typeof MatchedBySchema>;

const MoneySchema = z
  .object({
    value: z.string().meta({ description: 'Amount as a decimal string.', example: '27.903399' }),
    asset: AssetCodeSchema.describe('Currency or stablecoin of the amount.'),
  })
  .openapi('ReconciledAmount', { description: 'An amount in a reconciliation, with as many decimal places as needed.' });
export type Money = z.infer<typeof MoneySchema>;

const EvidenceSchema = z
  .object({
    kind: z
      .enum(['WEBHOOK', 'READ'])
      .openapi('ReconciliationEvidenceKind', { description: 'A delivery of a webhook, or a response of the API.' })
      .describe('Type of the evidence.'),
    id: z.string().describe('Id of the delivery, or X-Request-Id of the response.'),
    at: orNull(TimestampSchema).describe('World time of the attempt or the request.'),
    status: z.number().int().nullable().meta({ description: 'HTTP status of the response; null if there was none.', example: 204 }),
    what: z.string().meta({ description: 'The evidence as a sentence.' }),
  })
  .openapi('ReconciliationEvidence', { description: 'The webhook or response that shows whether the client could have known a change.' });
export type Evidence = z.infer<typeof EvidenceSchema>;

export const DifferenceSchema = z
  .object({
    section: SectionSchema.describe('The section of the records that differs.'),
    kind: DifferenceKindSchema.describe('How the records differ.'),
    explanation: orNull(AmountExplanationSchema).describe('Probable cause of a wrong amount; null if unknown.'),
    suspect: orNull(SuspectSchema).describe('Probable reason why the client has different data; null if unknown.'),
    finding: z.string().nullable().meta({ description: 'Id of the finding about a payment made twice; null without one.', example: 'F1' }),
    at: orNull(TimestampSchema).describe('World time of the change that the records lack or contradict; null for an unknown operation.'),
    ref: z.string().nullable().meta({ description: '`ref` of the row, or its position; null if the row is missing.', example: 'pay_17' }),
    operation: z.string().nullable().meta({ description: 'Id of the operation, or of the ledger entry without one; null if unknown.' }),
    account: z.string().nullable().meta({ description: 'Id of the account of an entry or a balance; null in other cases.' }),
    expected: z.string().nullable().meta({ description: 'The value in the world; null if it has none.', example: 'COMPLETED' }),
    found: z.string().nullable().meta({ description: 'The value in the records; null if they have none.', example: 'sent' }),
    money: orNull(MoneySchema).describe('Amount concerned; null if unknown.'),
    evidence: orNull(EvidenceSchema).describe('The webhook or response that supports `suspect`; null without one.'),
    what: z.string().meta({ description: 'The difference as a sentence.' }),
    because: z.array(z.string()).max(10).meta({ description: 'The causes of the change, the nearest first.' }),
    advice: z.string().meta({ description: 'How to find or fix the error.' }),
    matchedBy: orNull(MatchedBySchema).describe('The field by which the row was matched; null without a row or without a match.'),
  })
  .openapi('Difference', { description: 'A difference between the records of a client and the world.' });
export type Difference = z.infer<typeof DifferenceSchema>;

const BalanceExplanationSchema = z
  .object({
    kind: DifferenceKindSchema.describe('How the records differ.'),
    explanation: orNull(AmountExplanationSchema).describe('Probable cause of a wrong amount; null if unknown.'),
    operation: z.string().describe('Id of the operation, or of the ledger entry without one.'),
    value: z.string().meta({ description: 'The part of the difference that this error explains.', example: '-27.903399' }),
  })
  .openapi('BalanceExplanation', { description: 'One error that explains a part of the difference of a balance.' });

const BalanceResultSchema = z
  .object({
    account: z.string().describe('Id of the account whose balance differs.'),
    asset: AssetCodeSchema.describe('Currency or stablecoin of the balance.'),
    claimed: z.string().meta({ description: 'The balance in the records.', example: '972.096601' }),
    truth: z.string().meta({ description: 'The balance in the ledger.', example: '944.193202' }),
    explained: z.string().meta({ description: 'The explained part of the difference `claimed` - `truth`.', example: '27.903399' }),
    unexplained: z.string().meta({ description: 'The rest of the difference.', example: '0.000000' }),
    explanations: z
      .array(z.array(BalanceExplanationSchema).max(maxRows).describe('Errors that together explain the difference.'))
      .max(maxExplanations)
      .meta({ description: 'All explanations that fit, the chosen one first; at most 20.' }),
  })
  .openapi('ReconciledBalance', { description: 'A balance that differs. `claimed` - `truth` is always `explained` + `unexplained`.' });
export type BalanceResult = z.infer<typeof BalanceResultSchema>;

export const verdicts = ['AGREED', 'DIFFERENT', 'PENDING', 'INCONCLUSIVE'] as const;
export const ReconciliationVerdictSchema = z.enum(verdicts).openapi('ReconciliationVerdict', {
  description:
    'AGREED: no difference. DIFFERENT: at least one difference. PENDING: the only differences are changes that the client cannot know yet. ' +
    'INCONCLUSIVE: the only differences concern rows that were matched by LIKENESS, or the recorded requests that would show whether the client could know a change were evicted.',
});
export type ReconciliationVerdict = z.infer<typeof ReconciliationVerdictSchema>;

const count = (description: string) => z.number().int().meta({ description, example: 0 });

export const ReconciliationSchema = z
  .object({
    verdict: ReconciliationVerdictSchema.describe('Result of the comparison.'),
    asOf: TimestampSchema.describe('World time of the comparison.'),
    matched: count('Number of rows without a difference.'),
    first: orNull(DifferenceSchema).describe(
      'The earliest difference that decides the verdict, or the earliest one if none does; null without differences.',
    ),
    differences: z.array(DifferenceSchema).max(maxDifferences).describe('The differences by world time; at most the first 1,000.'),
    omitted: count('Number of further differences.'),
    pending: z
      .array(DifferenceSchema)
      .max(maxDifferences)
      .describe('Changes that the records lack because the client cannot know them yet; at most 1,000. They are not differences.'),
    balances: z.array(BalanceResultSchema).max(maxRows).describe('Balances that differ from the ledger, with their explanations.'),
    unexplained: z.array(MoneySchema).max(assetCodes.length).describe('The sum of the unexplained parts by asset, if it is not zero.'),
    evicted: z
      .boolean()
      .meta({ description: 'True if a suspect is null because recorded requests that would show it were evicted or deleted.' }),
    ignoredColumns: z.array(z.string()).max(1000).describe('CSV only: the columns that are neither a field nor mapped to one.'),
  })
  .openapi('Reconciliation', { description: 'The comparison of the records of a client with a world.' });
export type Reconciliation = z.infer<typeof ReconciliationSchema>;

/** Maximum number of differences of a reconciliation in a report. */
export const maxReportedDifferences = 20;

export const ReportedReconciliationSchema = ReconciliationSchema.pick({ verdict: true, asOf: true, matched: true, evicted: true })
  .extend({
    world: z.string().meta({ description: 'Name of the compared world.', example: 'ci-7' }),
    complete: z.boolean().meta({
      description:
        'True if the records had all rows: `complete` named `operations` or `entries`, in this or an earlier reconciliation since the last created operation.',
    }),
    worst: ReconciliationVerdictSchema.describe(
      'The worst verdict since the last created operation. A later verdict replaces PENDING, but neither DIFFERENT nor INCONCLUSIVE.',
    ),
    outdated: z
      .boolean()
      .meta({ description: 'True if the client has created operations since the last reconciliation, or after its `asOf`.' }),
    differences: z.array(DifferenceSchema).max(maxReportedDifferences).describe('The first 20 differences.'),
    count: count('Number of all differences.'),
    pending: count('Number of changes that the client cannot know yet.'),
    unexplained: ReconciliationSchema.shape.unexplained,
  })
  .openapi('ReportedReconciliation', { description: 'The last reconciliation of a world, in a report.' });
export type ReportedReconciliation = z.infer<typeof ReportedReconciliationSchema>;
