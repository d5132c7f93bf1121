import { z } from '@hono/zod-openapi';
import { AccountSchema, RequirementSchema, accountStatuses, maxRequirements } from '../contract/public/accounts.js';
import { BeneficiarySchema, PaymentInstructionSchema, reviewStatuses } from '../contract/public/beneficiaries.js';
import {
  AmountSchema,
  AssetCodeSchema,
  DecimalSchema,
  TimestampSchema,
  UuidSchema,
  stateSchema,
  maxStates,
} from '../contract/shared/common.js';
import { TaxIdSchema } from '../contract/shared/tax-ids.js';
import { AddressSchema } from '../contract/shared/address.js';
import { DeliverySchema, InboxMessageSchema, InboxResponsesSchema } from '../contract/control/deliveries.js';
import { DocumentSchema, documentStatuses } from '../contract/public/documents.js';
import { FeeSchema, OperationSchema, operationStatuses } from '../contract/public/operations.js';
import { QuoteSchema } from '../contract/public/quotes.js';
import { maxDuplicates, UntilSchema } from '../contract/scenario/effects.js';
import { FaultRequestSchema, ScenarioSchema, ScenarioStepSchema } from '../contract/scenario/scenario.js';
import { resourceTriggers } from '../contract/shared/kinds.js';
import { ScenarioSettingsSchema } from '../contract/scenario/settings.js';
import { PayerSchema, TransactionSchema } from '../contract/public/transactions.js';
import { uboStatuses, maxUbos } from '../contract/public/ubos.js';
import { ExecutionLogSchema, SentEventTypeSchema, SubscriptionSchema } from '../contract/public/webhooks.js';
import { requirementStatuses } from '../domain/accounts/requirement.js';

// Schemas of the rows in each table, for files and documents that users may have edited. Unknown fields are detected separately, with
// suggestions of names.

const text = z.string();
const id = z.string().min(1);
const count = z.number().int().min(0);
const listed = { seq: count };
/** The position of a delivery; an unknown event has the position of the event that it follows plus a half. */
const position = z.number().multipleOf(0.5).min(0);
const isJson = (value: string) => {
  try {
    return JSON.parse(value) !== undefined;
  } catch {
    return false;
  }
};

/** Returns the schema of a status history: a non-empty list of statuses, each with its cause. */
const history = <const T extends readonly [string, ...string[]]>(statuses: T) =>
  z
    .array(stateSchema(z.enum(statuses)).extend({ causeId: text }))
    .min(1)
    .max(maxStates);

const clockModes = { mode: z.enum(['RUNNING', 'FROZEN']) };
const shown = { currentState: true, states: true } as const;

const [company, individual] = AccountSchema.shape.owner.options;

const UboRowSchema = z.object({
  id: UuidSchema,
  name: text,
  taxId: TaxIdSchema,
  address: AddressSchema,
  ownershipPercentage: z.number().nullable(),
  phone: text.nullable(),
  email: text.nullable(),
  isLegalRepresentative: z.boolean(),
  states: history(uboStatuses),
});

const transactionRow = { statusAt: TimestampSchema, failure: text.nullable() };

const DeliveryEffectRowSchema = z.object({
  delayMs: z.exactOptional(count),
  duplicate: z.exactOptional(count.max(maxDuplicates)),
  reorder: z.exactOptional(z.literal(true)),
  until: z.exactOptional(UntilSchema),
  again: z.exactOptional(z.strictObject({ until: UntilSchema })),
  overlap: z.exactOptional(z.literal(true)),
  simultaneous: z.exactOptional(z.literal(true)),
  drop: z.exactOptional(z.literal(true)),
  dropResponse: z.exactOptional(z.literal(true)),
  lost: z.exactOptional(z.literal(true)),
  corruptSignature: z.exactOptional(z.literal(true)),
  unsigned: z.exactOptional(z.literal(true)),
  staleTimestamp: z.exactOptional(z.literal(true)),
  unknownFields: z.exactOptional(z.literal(true)),
  unknownEvent: z.exactOptional(z.literal(true)),
});

/** The owner of a world and its creation parameters. A reset keeps this row and recreates all others from it. */
export const IdentityRowSchema = z.object({
  id: z.literal('identity'),
  name: id,
  customerId: UuidSchema,
  companyId: UuidSchema,
  clientId: id,
  clientSecret: id,
  seed: text,
  /** True if the sandbox drew the seed, so that its random decisions could not be foreseen. */
  isSeedDrawn: z.exactOptional(z.literal(true)),
  /** Random id that differs from earlier worlds of the same name, whose access tokens are invalid. */
  incarnation: id,
  /** The client secret before the last rotation, and the end of its validity in Unix milliseconds of real time; absent if it ended at once. */
  former: z.exactOptional(z.object({ clientSecret: id, incarnation: id, untilMs: count })),
  scenario: id,
  fixtures: z.enum(['default', 'empty']),
  clock: z.object({ ...clockModes, now: z.exactOptional(z.iso.datetime()) }),
  /** Time to live after the last request, in milliseconds of real time; absent: unlimited. */
  ttlMs: z.exactOptional(count),
  /** Number of the newest id series. Each reset with fresh ids begins a new one; absent before the first. */
  lastIdSeries: z.exactOptional(count),
});
/** World time. RUNNING: real time plus an offset, but at least `seenMs` (Unix milliseconds). FROZEN: the fixed time `at`. */
export const ClockRowSchema = z.discriminatedUnion('mode', [
  z.object({ id: z.literal('clock'), mode: z.literal('RUNNING'), offsetMs: z.number(), seenMs: z.exactOptional(z.number()) }),
  z.object({ id: z.literal('clock'), mode: z.literal('FROZEN'), at: TimestampSchema }),
]);
/** The scenario of a world, from a file or inline. */
export const ScenarioRowSchema = z.object({
  id: z.literal('scenario'),
  name: id,
  inline: ScenarioSchema.nullable(),
  /** Time at which the scenario was set; the `ttl` of its rules starts then. */
  since: TimestampSchema,
});
/** The settings of a world, as far as control requests have changed them. */
export const SettingsRowSchema = ScenarioSettingsSchema.extend({ id: z.literal('settings') });
export const RuleCountRowSchema = z.object({ id, seen: count, hits: count });
/** A rule of one world for requests or deliveries. */
export const FaultRowSchema = z.object({ id: UuidSchema, ...listed, request: FaultRequestSchema, createdAt: TimestampSchema });
export const ExpiredTokenRowSchema = z.object({ id, at: TimestampSchema });
/** A named copy of a world. */
export const SnapshotRowSchema = z.object({
  id,
  clock: z.object({ mode: z.enum(['RUNNING', 'FROZEN']), now: TimestampSchema }),
  /** Number of parts; each is fast to write and read. */
  parts: count,
});
/** Compressed rows of one table in a snapshot. Its `id` contains the id of the snapshot and the index of the part, from 0. */
export const SnapshotPartRowSchema = z.object({
  id,
  /** Name of the table. */
  table: text,
  /** The rows: JSON array, deflated, base64. */
  packed: z.base64(),
});
export const CounterRowSchema = z.object({ id, value: count });
export const AccountRowSchema = AccountSchema.omit({ ...shown, customer: true }).extend({
  ...listed,
  customerId: UuidSchema,
  owner: z.discriminatedUnion('type', [company.omit({ ubos: true }), individual]),
  ubos: z.array(UboRowSchema).max(maxUbos),
  requirements: z
    .array(RequirementSchema.extend({ status: z.enum(requirementStatuses), documentId: UuidSchema.nullable(), attempts: count }))
    .max(maxRequirements),
  states: history(accountStatuses),
});
export const UboPlaceRowSchema = z.object({ id: UuidSchema, accountId: UuidSchema });
export const DocumentRowSchema = DocumentSchema.omit(shown).extend({ ...listed, states: history(documentStatuses) });
export const BeneficiaryRowSchema = BeneficiarySchema.omit({ status: true }).extend({
  ...listed,
  states: history(reviewStatuses),
  paymentInstructions: z
    .array(PaymentInstructionSchema.omit({ ...shown, status: true }).extend({ states: history(reviewStatuses) }))
    .min(1)
    .max(10),
});
const TermsRowSchema = z.object({ rate: DecimalSchema, fixed: DecimalSchema });

export const QuoteRowSchema = QuoteSchema.extend({
  ...listed,
  requestedAmount: AmountSchema,
  fees: z.array(FeeSchema).max(20),
  terms: z.exactOptional(TermsRowSchema),
  createdAt: TimestampSchema,
  consumedAt: TimestampSchema.nullable(),
  consumedBy: UuidSchema.nullable(),
});
export const OperationRowSchema = OperationSchema.omit(shown).extend({
  ...listed,
  requestedAmount: AmountSchema,
  terms: z.exactOptional(TermsRowSchema),
  transactions: z.array(z.intersection(TransactionSchema, z.object(transactionRow))).max(10),
  states: history(operationStatuses),
});
export const SubscriptionRowSchema = SubscriptionSchema.extend({
  ...listed,
  url: z.url(),
  version: z.string().optional(),
  includeAll: z.literal(true).optional(),
});
export const PayloadRowSchema = z.object({ id: UuidSchema, text: text.refine(isJson, 'expected JSON') });
const TraceContextSchema = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  flags: z.string().regex(/^[0-9a-f]{2}$/),
  state: z.exactOptional(z.string().max(512)),
});
/** The trace context of the request that created a resource, by the id of the resource. */
export const TraceRowSchema = TraceContextSchema.extend({ id });
export const DeliveryRowSchema = DeliverySchema.omit({ payload: true, url: true, nextAttemptAt: true }).extend({
  seq: position,
  trace: z.exactOptional(TraceContextSchema),
  payloadId: UuidSchema,
  attempts: count,
  retries: count,
});
/** A pending attempt of a delivery. */
export const OutboxRowSchema = z.object({
  id,
  messageId: UuidSchema,
  subscriptionId: UuidSchema,
  kind: z.enum(['FIRST', 'RETRY', 'DUPLICATE', 'RESEND']),
  /** Order among the attempts of its subscription. */
  order: position,
  /** The effect of rules and faults: null for none, absent before they are applied. */
  effect: z.exactOptional(DeliveryEffectRowSchema.nullable()),
  /** True while an effect delays the attempt; a job with this subject releases it. */
  held: z.exactOptional(z.literal(true)),
  /** Key of the attempt that ends the delay; absent if only a job ends it, or without a delay. */
  awaits: z.exactOptional(id),
  /** Id of the attempt whose end releases this one; absent before there is one. */
  behind: z.exactOptional(id),
  /** True if the attempt is sent at the same time as the next attempt of its subscription. */
  beside: z.exactOptional(z.literal(true)),
});
export const ExecutionLogRowSchema = ExecutionLogSchema.omit({ payload: true }).extend({
  ...listed,
  eventType: SentEventTypeSchema,
  unknownFields: z.literal(true).optional(),
});
export const InboxRowSchema = z.object({ id, responses: InboxResponsesSchema });
export const InboxMessageRowSchema = InboxMessageSchema.omit({ receivedAt: true }).extend({
  id,
  ...listed,
  inbox: id,
  createdAt: TimestampSchema,
});
export const LedgerEntryRowSchema = z.object({
  id: UuidSchema,
  ...listed,
  at: TimestampSchema,
  operationId: UuidSchema.nullable(),
  causeId: text,
  payer: z.exactOptional(PayerSchema),
  postings: z
    .array(z.object({ account: id, asset: AssetCodeSchema, amount: DecimalSchema }))
    .min(1)
    .max(100),
});
export const BalanceRowSchema = z.object({ id, account: id, asset: AssetCodeSchema, value: DecimalSchema });
/** The steps that a scenario scheduled for a resource when it was created. A plan is kept after its last step. */
export const PlanRowSchema = z.object({
  id,
  on: z.enum(resourceTriggers),
  scenario: text,
  rule: text,
  steps: z.array(ScenarioStepSchema).max(100),
  /** Index of the next step; after the last step, the number of steps. */
  next: count,
  /** Steps (numbered from 1) that were skipped, because the status of the resource did not allow them. */
  skipped: z.array(z.object({ step: count, at: TimestampSchema, status: text })).max(100),
  /** The limit that set the due time of the next step, as a sentence; absent without one. */
  note: z.exactOptional(text),
  /** Id of the job for the next step; null while the plan waits for a `resume` or `next`. */
  jobId: id.nullable(),
});
/** A scheduled action. Due jobs run in the order of `dueAt`, then `order`. */
export const JobRowSchema = z.object({
  id,
  dueAt: TimestampSchema,
  order: position,
  verb: z.enum(['step', 'retry', 'release', 'expire']),
  /** Id of the plan to continue, the delivery to retry, the attempt to release, or the deposit to expire. */
  subject: id,
  /** True if an advance until no timer is left runs this job after all others. */
  whenIdle: z.exactOptional(z.literal(true)),
});
/** The stored response to a request that took effect or was rejected by a rule. */
export const IdempotencyRowSchema = z.object({
  id: UuidSchema,
  fingerprint: id,
  status: z.number().int().min(200).max(599),
  body: text,
  createdAt: TimestampSchema,
  /** The `Location` header; absent if the response had none. */
  location: z.exactOptional(text),
});
