import { z } from '@hono/zod-openapi';
import { PageQuerySchema } from './paging.js';

/** The filter fields of a list, and a valid example expression. */
export interface Filterable {
  readonly fields: readonly string[];
  readonly example: string;
}

const history = ['states.status', 'currentState.status'] as const;
const tags = ['tags.key', 'tags.value'] as const;
const instants = ['createdAt', 'updatedAt'] as const;

/** The filter fields of every list, in the order in which error messages name them. */
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
      'generation',
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
      'purpose',
      'unknown',
      'status',
      'code',
      'response.replay',
      'response.outcome',
      'response.ruleId',
      'caused.id',
      'findings',
      'messageId',
      'eventType',
      'resourceId',
      'subscriptionId',
      'attemptKind',
      'httpStatus',
      'causeId',
    ],
    example: 'operationId[eq]=createWithdrawal;status[gte]=400',
  },
  timeline: {
    fields: [
      'order',
      'at',
      'realAt',
      'kind',
      'id',
      'resource',
      'resourceId',
      'summary',
      'status',
      'ms',
      'causeId',
      'generation',
      'test',
      'request.method',
      'request.path',
      'request.operationId',
      'request.code',
      'request.outcome',
      'request.replay',
      'request.ruleId',
      'request.bodies',
      'attempt.deliveryId',
      'attempt.eventType',
      'attempt.url',
      'attempt.attemptKind',
      'attempt.httpStatus',
      'state.from',
      'state.to',
      'state.reason.code',
      'delivery.eventType',
      'delivery.url',
      'operation.type',
      'operation.payee',
      'operation.source.value',
      'operation.target.value',
      'finding.rule',
      'finding.severity',
      'rule.scenario',
      'rule.name',
    ],
    example: 'kind[in]=STATE|ATTEMPT;operation.payee[like]=Acme',
  },
  messages: { fields: ['id', 'body', 'signatureValid', 'receivedAt'], example: 'signatureValid[eq]=true;body[like]=OPERATION_COMPLETED' },
} as const satisfies Record<string, Filterable>;

/** The fields that a list can be filtered by. */
export type FilterFieldOf<L extends keyof typeof filterable> = (typeof filterable)[L]['fields'][number];

const grammar = [
  '`field[operator]=value`, several combined by `;` (all must match), `and(…)` and `or(…)`, which can be nested.',
  'Operators: `eq`, `ne`, `gt`, `gte`, `lt`, `lte`; `in`, `nin` with values separated by `|`; `like` (contains this string) and `text` (contains all these words), both ignoring case; `last`, `last_ne` for the newest entry of a history.',
  'A field without a value is `null`. In a value, write `\\` before `, ; | ( ) \\`. At most 2,000 characters and 50 conditions.',
];

/** Returns the query parameter that filters a list or a report. */
export function filtersParameter({ fields, example }: Filterable) {
  const names = fields.map((field) => `\`${field}\``).join(', ');
  return z
    .string()
    .optional()
    .meta({ description: [grammar[0], `Fields: ${names}.`, ...grammar.slice(1)].join('\n\n'), example });
}

/** Returns the query of a list with pages and filters. */
export function pageQuery(list: keyof typeof filterable) {
  return PageQuerySchema.extend({ filters: filtersParameter(filterable[list]) });
}
