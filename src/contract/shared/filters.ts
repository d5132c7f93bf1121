import { z } from '@hono/zod-openapi';
import { PageQuerySchema } from './paging.js';

/** What a list can be filtered by: its fields, and an expression that works on it. */
export interface Filterable {
  readonly fields: readonly string[];
  readonly example: string;
}

const history = ['states.status', 'currentState.status'] as const;
const tags = ['tags.key', 'tags.value'] as const;
const instants = ['createdAt', 'updatedAt'] as const;

/** Every list with what it can be filtered by, in the order in which a refusal names the fields. */
export const filterable = {
  accounts: {
    fields: [
      'id',
      'owner.type',
      'owner.legalName',
      'owner.firstName',
      'owner.lastName',
      'owner.taxId.value',
      'assets.asset',
      'assets.status',
      ...history,
      ...tags,
      'sourceAccountId',
      ...instants,
    ],
    example: 'currentState.status[eq]=ACTIVE;assets.asset[in]=BRL|USD',
  },
  fundingInstructions: { fields: ['asset', 'rail'], example: 'asset[eq]=BRL;rail[ne]=BOLETO' },
  subscriptions: {
    fields: ['id', 'url', 'allowRetry', 'resources.name', ...instants],
    example: 'resources.name[eq]=OPERATION;url[like]=example.com',
  },
  executionLogs: {
    fields: ['id', 'messageId', 'eventType', 'status', 'httpStatus', 'retryAttempts', 'createdAt'],
    example: 'status[eq]=FAILED;httpStatus[gte]=500',
  },
  flows: { fields: ['account.id', 'asset', ...tags, 'intent.type'], example: 'asset[eq]=BRL;intent.type[in]=DEPOSIT|WITHDRAWAL' },
  operations: {
    fields: [
      'id',
      'account.id',
      'account.owner',
      'sourceAmount.asset',
      'sourceAmount.value',
      'targetAmount.asset',
      'targetAmount.value',
      'intent.type',
      'intent.beneficiary.id',
      'intent.targetAccount.id',
      'quote.id',
      'transactions.type',
      ...history,
      'currentState.reason.code',
      ...tags,
      ...instants,
    ],
    example: 'intent.type[eq]=WITHDRAWAL;currentState.status[in]=REQUESTED|PROCESSING',
  },
  beneficiaries: {
    fields: [
      'id',
      'status',
      'relationshipType',
      'holder.type',
      'holder.firstName',
      'holder.lastName',
      'holder.legalName',
      'holder.taxId.value',
      'paymentInstructions.id',
      'paymentInstructions.asset',
      'paymentInstructions.type',
      'paymentInstructions.status',
      ...instants,
    ],
    example: 'status[eq]=APPROVED;paymentInstructions.asset[eq]=BRL',
  },
  documents: {
    fields: [
      'id',
      'accountId',
      'holder.type',
      'holder.referenceId',
      'documentType',
      'documentSubType',
      'attempt',
      'file.name',
      'file.mediaType',
      ...history,
      ...instants,
    ],
    example: 'currentState.status[eq]=PENDING;documentType[ne]=OTHER',
  },
  quotes: {
    fields: [
      'id',
      'account.id',
      'sourceAmount.asset',
      'sourceAmount.value',
      'targetAmount.asset',
      'targetAmount.value',
      'expiresAt',
      'consumedAt',
      'consumedBy',
      'createdAt',
    ],
    example: 'consumedAt[eq]=null;sourceAmount.value[gte]=100.00',
  },
  ledgerEntries: {
    fields: ['id', 'at', 'operationId', 'causeId', 'postings.account', 'postings.asset', 'postings.amount'],
    example: 'postings.asset[eq]=BRL;postings.account[like]=rail:',
  },
  deliveries: {
    fields: ['id', 'subscriptionId', 'eventType', 'resourceId', 'status', 'attempts', 'retries', 'synthetic', 'causeId', ...instants],
    example: 'status[ne]=SUCCESS;retries[gt]=0',
  },
  requests: {
    fields: [
      'id',
      'seq',
      'kind',
      'chapter',
      'test',
      'at',
      'startedAt',
      'durationMs',
      'connection',
      'method',
      'path',
      'operationId',
      'version',
      'token',
      'idempotencyKey',
      'traceId',
      'unknown',
      'status',
      'code',
      'answer.replay',
      'answer.fate',
      'answer.ruleId',
      'caused.id',
      'findings',
      'messageId',
      'eventType',
      'resourceId',
      'subscriptionId',
      'which',
      'httpStatus',
      'causeId',
    ],
    example: 'operationId[eq]=createWithdrawal;status[gte]=400',
  },
  messages: { fields: ['id', 'body', 'signatureValid', 'receivedAt'], example: 'signatureValid[eq]=true;body[like]=OPERATION_COMPLETED' },
} as const satisfies Record<string, Filterable>;

/** The fields that a list can be filtered by. */
export type FilterFieldOf<L extends keyof typeof filterable> = (typeof filterable)[L]['fields'][number];

const grammar = [
  '`field[operator]=value`, several combined by `;` (all hold), `and(…)` and `or(…)`, which may stand within each other.',
  'Operators: `eq`, `ne`, `gt`, `gte`, `lt`, `lte`; `in`, `nin` with values parted by `|`; `like` (has this in it) and `text` (has all of these words), whatever the case; `last`, `last_ne` for the newest entry of a history.',
  'What is unset has the value `null`. In a value, `\\` stands before `, ; | ( ) \\`. At most 2,000 characters and 50 conditions.',
];

/** The query parameter by which a list, or what a report sums up, is filtered. */
export function filtersParameter({ fields, example }: Filterable) {
  const names = fields.map((field) => `\`${field}\``).join(', ');
  return z
    .string()
    .optional()
    .meta({ description: [grammar[0], `Fields: ${names}.`, ...grammar.slice(1)].join('\n\n'), example });
}

/** The query of a list that is paged and filtered. */
export function pageQuery(list: keyof typeof filterable) {
  return PageQuerySchema.extend({ filters: filtersParameter(filterable[list]) });
}
