import type { z } from '@hono/zod-openapi';
import type { AccountRecord } from '../domain/accounts/account.js';
import type { DocumentRecord } from '../domain/accounts/document.js';
import type { SortKey } from '../domain/lists/page.js';
import { accountOfLedger, type BalanceRecord, type LedgerEntry } from '../domain/operations/ledger.js';
import type { OperationRecord } from '../domain/operations/operation.js';
import type { QuoteRecord } from '../domain/operations/quote.js';
import type { BeneficiaryRecord } from '../domain/payees/beneficiary.js';
import {
  isPublicLog,
  type DeliveryRecord,
  type ExecutionLogRecord,
  type PayloadRecord,
  type SubscriptionRecord,
} from '../domain/webhooks/delivery.js';
import type { InboxMessageRecord, InboxRecord } from '../domain/webhooks/inbox.js';
import type { RuleCount } from '../scenario/match.js';
import * as rows from './row-schemas.js';
import {
  partId,
  type ClockRecord,
  type FaultRecord,
  type IdempotencyRecord,
  type IdentityRecord,
  type JobRecord,
  type OutboxRecord,
  type PlanRecord,
  type TraceRecord,
  type ScenarioRecord,
  type SettingsRecord,
  type SnapshotPartRecord,
  type SnapshotRecord,
} from './rows.js';
import type { Indexes } from './table.js';

/** Formats a position as a string with the same sort order. Positions are multiples of 0.5. */
const orderText = (seq: number) => String(seq * 2).padStart(17, '0');

const placeText = (createdAt: string, seq: number) => `${createdAt}~${orderText(seq)}`;

/** Returns the key of a row in a list: creation time, then order of creation. */
const listKey = ({ id, seq, createdAt }: { id: string; seq: number; createdAt: string }) => `${placeText(createdAt, seq)}~${id}`;

/** A field that contains the id of a row in the table `target`; null and undefined reference no row. */
export type Reference = readonly [field: string, target: string, id: string | null | undefined];

/** The description of a table. */
interface TableDescription<R> {
  /** Schema of a row, to check rows that users may have edited. */
  readonly schema: z.ZodType<R>;
  /** Indexes in addition to the id. `list` is the order of the table's list. */
  readonly indexes?: Indexes<R>;
  /** Returns the references of a row. */
  readonly references?: (row: R) => readonly Reference[];
  /** True if the table belongs to the world itself and is not exported, reset or restored. */
  readonly isOwn?: true;
  /** True if amounts in the table need exactly the decimal places of their asset, because sums ignore the decimal point. */
  readonly hasMoney?: true;
}

interface Row {
  readonly id: string;
}

const table = <R extends Row>(description: TableDescription<R>) => description;

/** The table of a job's subject, by verb. */
const jobSubjects: Readonly<Record<JobRecord['verb'], string>> = {
  step: 'plans',
  retry: 'deliveries',
  release: 'outbox',
  expire: 'operations',
};

/** All data of a world, by table. A row's `id` is its key. */
export const tables = {
  identity: table<IdentityRecord>({ schema: rows.IdentityRowSchema, isOwn: true }),
  clock: table<ClockRecord>({ schema: rows.ClockRowSchema, isOwn: true }),
  scenario: table<ScenarioRecord>({ schema: rows.ScenarioRowSchema }),
  settings: table<SettingsRecord>({ schema: rows.SettingsRowSchema }),
  /** By rule id. */
  ruleCounts: table<RuleCount & { readonly id: string }>({ schema: rows.RuleCountRowSchema }),
  faults: table<FaultRecord>({ schema: rows.FaultRowSchema }),
  traces: table<TraceRecord>({ schema: rows.TraceRowSchema }),
  /** Access tokens that a fault has expired, by `jti`. */
  expiredTokens: table<{ readonly id: string; readonly at: string }>({ schema: rows.ExpiredTokenRowSchema }),
  snapshots: table<SnapshotRecord>({
    schema: rows.SnapshotRowSchema,
    references: ({ id, parts }) => Array.from({ length: parts }, (_, index): Reference => ['parts', 'snapshotParts', partId(id, index)]),
    isOwn: true,
  }),
  snapshotParts: table<SnapshotPartRecord>({ schema: rows.SnapshotPartRowSchema, isOwn: true }),
  counters: table<{ readonly id: string; readonly value: number }>({ schema: rows.CounterRowSchema }),
  accounts: table<AccountRecord>({
    schema: rows.AccountRowSchema,
    indexes: { list: (row) => [listKey(row)], taxId: ({ id, owner }) => [`${owner.taxId.type} ${owner.taxId.value} ${id}`] },
    references: ({ ubos, requirements }) => [
      ...ubos.map(({ id }, index): Reference => [`ubos[${index}].id`, 'ubos', id]),
      ...requirements.map(({ documentId }, index): Reference => [`requirements[${index}].documentId`, 'documents', documentId]),
    ],
  }),
  /** The account of each beneficial owner. */
  ubos: table<{ readonly id: string; readonly accountId: string }>({
    schema: rows.UboPlaceRowSchema,
    references: (ubo) => [['accountId', 'accounts', ubo.accountId]],
  }),
  documents: table<DocumentRecord>({
    schema: rows.DocumentRowSchema,
    indexes: { list: (row) => [listKey(row)] },
    references: (document) => [['accountId', 'accounts', document.accountId]],
  }),
  beneficiaries: table<BeneficiaryRecord>({
    schema: rows.BeneficiaryRowSchema,
    indexes: {
      list: (row) => [listKey(row)],
      instruction: (row) => row.paymentInstructions.map((each) => each.id),
      pixKey: ({ seq, paymentInstructions }) =>
        paymentInstructions.flatMap(({ address }) => (address.type === 'PixKey' ? [`${address.key} ${orderText(seq)}`] : [])),
    },
  }),
  quotes: table<QuoteRecord>({
    schema: rows.QuoteRowSchema,
    indexes: { list: (row) => [listKey(row)], unused: (row) => (row.consumedAt === null ? [`${row.expiresAt} ${row.id}`] : []) },
    references: (quote) => [
      ['account.id', 'accounts', quote.account.id],
      ['consumedBy', 'operations', quote.consumedBy],
    ],
    hasMoney: true,
  }),
  operations: table<OperationRecord>({
    schema: rows.OperationRowSchema,
    indexes: { list: (row) => [listKey(row)] },
    references: ({ account, quote, intent }) => [
      ['account.id', 'accounts', account.id],
      ['quote.id', 'quotes', quote.id],
      ...(intent.type === 'WITHDRAWAL' ? [['intent.beneficiary.id', 'beneficiaries', intent.beneficiary.id] as const] : []),
      ...(intent.type === 'TRANSFER' ? [['intent.targetAccount.id', 'accounts', intent.targetAccount.id] as const] : []),
    ],
    hasMoney: true,
  }),
  subscriptions: table<SubscriptionRecord>({
    schema: rows.SubscriptionRowSchema,
    indexes: {
      list: (row) => [listKey(row)],
      event: (row) => row.resources.flatMap(({ events }) => events.map((event) => `${event} ${listKey(row)}`)),
    },
  }),
  payloads: table<PayloadRecord>({ schema: rows.PayloadRowSchema }),
  deliveries: table<DeliveryRecord>({
    schema: rows.DeliveryRowSchema,
    indexes: {
      list: (row) => [listKey(row)],
      subscription: (row) => [`${row.subscriptionId} ${listKey(row)}`],
      resource: (row) => [`${row.resourceId} ${orderText(row.seq)}`],
      // A payload has the id of its first delivery, so this delivery needs no index.
      payload: (row) => (row.payloadId === row.id ? [] : [`${row.payloadId} ${row.id}`]),
    },
    references: (delivery) => [
      ['subscriptionId', 'subscriptions', delivery.subscriptionId],
      ['payloadId', 'payloads', delivery.payloadId],
    ],
  }),
  outbox: table<OutboxRecord>({
    schema: rows.OutboxRowSchema,
    indexes: { subscription: (row) => [`${row.subscriptionId} ${row.id}`], message: (row) => [`${row.messageId} ${row.id}`] },
    references: (attempt) => [
      ['messageId', 'deliveries', attempt.messageId],
      ['subscriptionId', 'subscriptions', attempt.subscriptionId],
    ],
  }),
  executionLogs: table<ExecutionLogRecord>({
    schema: rows.ExecutionLogRowSchema,
    indexes: {
      subscription: (row) => (isPublicLog(row) ? [`${row.subscriptionId} ${listKey(row)}`] : []),
      message: (row) => [`${row.messageId} ${orderText(row.seq)}`],
    },
    references: (log) => [
      ['messageId', 'deliveries', log.messageId],
      ['subscriptionId', 'subscriptions', log.subscriptionId],
    ],
  }),
  inboxes: table<InboxRecord>({ schema: rows.InboxRowSchema }),
  inboxMessages: table<InboxMessageRecord>({
    schema: rows.InboxMessageRowSchema,
    indexes: { inbox: (row) => [`${row.inbox} ${listKey(row)}`] },
  }),
  ledgerEntries: table<LedgerEntry>({
    schema: rows.LedgerEntryRowSchema,
    indexes: {
      list: ({ id, seq, at }) => [listKey({ id, seq, createdAt: at })],
      operation: (row) => (row.operationId === null ? [] : [`${row.operationId} ${orderText(row.seq)}`]),
    },
    references: ({ operationId, postings }) => [
      ['operationId', 'operations', operationId],
      ...postings.map(({ account }, index): Reference => [`postings[${index}].account`, 'accounts', accountOfLedger(account)]),
    ],
    hasMoney: true,
  }),
  balances: table<BalanceRecord>({
    schema: rows.BalanceRowSchema,
    references: ({ account }) => [['account', 'accounts', accountOfLedger(account)]],
    hasMoney: true,
  }),
  plans: table<PlanRecord>({ schema: rows.PlanRowSchema, references: (plan) => [['jobId', 'jobs', plan.jobId]] }),
  jobs: table<JobRecord>({
    schema: rows.JobRowSchema,
    indexes: { due: (row) => [`${placeText(row.dueAt, row.order)}~${row.id}`] },
    references: (job) => [['subject', jobSubjects[job.verb], job.subject]],
  }),
  idempotency: table<IdempotencyRecord>({ schema: rows.IdempotencyRowSchema }),
};

/** The row type of each table. */
export type Tables = { [T in keyof typeof tables]: (typeof tables)[T] extends TableDescription<infer R extends Row> ? R : never };

export type TableName = keyof Tables;

export const tableNames = Object.keys(tables) as TableName[];

export function isTableName(name: string): name is TableName {
  return Object.hasOwn(tables, name);
}

/** Returns a string that sorts just before or after the keys of a position in a list. */
export function placeInList({ createdAt, seq, side }: { createdAt: string; seq: number; side: 1 | -1 }): string {
  return `${placeText(createdAt, seq)}${side === 1 ? '~\uffff' : ''}`;
}

/** A row with a position in a list. */
type Dated = { readonly seq: number } & ({ readonly createdAt: string } | { readonly at: string });

/** Tables whose rows have a position in a list. */
export type ListedTable = { [T in TableName]: Tables[T] extends Dated ? T : never }[TableName];

/** Returns the position of a row in its list. */
export function placeOf(row: Dated): SortKey {
  return { createdAt: 'at' in row ? row.at : row.createdAt, seq: row.seq };
}
