import { z } from '@hono/zod-openapi';
import { AccountSchema } from '../../public/accounts.js';
import { BeneficiarySchema } from '../../public/beneficiaries.js';
import { DocumentSchema } from '../../public/documents.js';
import { OperationSchema } from '../../public/operations.js';
import { SubscriptionSchema } from '../../public/webhooks.js';
import { defineList, defineRoute } from '../../shared/route.js';

const tag = 'Reads';

export const listOperationsRoute = defineList({
  operationId: 'listOperations',
  path: '/_sandbox/operations',
  tag,
  summary: 'List operations',
  description: 'All operations of a world, newest first, as in the public API.',
  item: OperationSchema,
  named: 'Operation',
  plural: 'operations',
  filters: 'operations',
  client: 'world.operations',
  columns: {
    id: 'id',
    type: 'intent.type',
    amount: 'sourceAmount.value',
    asset: 'sourceAmount.asset',
    created: 'createdAt',
    status: 'currentState.status',
  },
});

export const listBeneficiariesRoute = defineList({
  operationId: 'listBeneficiaries',
  path: '/_sandbox/beneficiaries',
  tag,
  summary: 'List beneficiaries',
  description: 'All beneficiaries of a world, newest first, as in the public API.',
  item: BeneficiarySchema,
  named: 'Beneficiary',
  plural: 'beneficiaries',
  filters: 'beneficiaries',
  client: 'world.beneficiaries',
  columns: { id: 'id', holder: 'holder', relationship: 'relationshipType', created: 'createdAt', status: 'status' },
});

export const listDocumentsRoute = defineList({
  operationId: 'listDocuments',
  path: '/_sandbox/documents',
  tag,
  summary: 'List uploaded documents',
  description: 'All documents of a world, newest first, with the results of their reviews. The public API does not show documents.',
  item: DocumentSchema,
  named: 'Document',
  plural: 'documents',
  filters: 'documents',
  client: 'world.documents',
  columns: { id: 'id', type: 'documentType', holder: 'holder.type', created: 'createdAt', status: 'currentState.status' },
});

export const listWorldAccountsRoute = defineList({
  operationId: 'listWorldAccounts',
  path: '/_sandbox/accounts',
  tag,
  summary: 'List the accounts of a world',
  description: 'All accounts of a world, newest first, as in the public API.',
  item: AccountSchema,
  named: 'Account',
  plural: 'accounts',
  filters: 'accounts',
  client: 'world.accounts',
  columns: { id: 'id', owner: 'owner', type: 'owner.type', created: 'createdAt', status: 'currentState.status' },
});

export const listWorldSubscriptionsRoute = defineList({
  operationId: 'listWorldSubscriptions',
  path: '/_sandbox/subscriptions',
  tag,
  summary: 'List the subscriptions of a world',
  description: 'All webhook subscriptions of a world, newest first, as in the public API.',
  item: SubscriptionSchema,
  named: 'Subscription',
  plural: 'subscriptions',
  filters: 'subscriptions',
  client: 'world.subscriptions',
  columns: { id: 'id', retries: 'allowRetry', created: 'createdAt', url: 'url' },
});

/** The lists whose items can be counted. */
export const countedLists = [
  'operations',
  'accounts',
  'beneficiaries',
  'documents',
  'subscriptions',
  'deliveries',
  'quotes',
  'ledger',
] as const;

export type CountedList = (typeof countedLists)[number];

export const countItemsRoute = defineRoute({
  operationId: 'countItems',
  method: 'get',
  path: '/_sandbox/counts/{list}',
  tag,
  summary: 'Count the items of a list',
  description: 'The number of all items that match, on all pages of the list.',
  params: z.object({
    list: z
      .enum(countedLists)
      .openapi('CountedList', { description: 'The last part of the path of a list.' })
      .meta({ example: 'operations' }),
  }),
  query: z.object({
    filters: z.string().optional().meta({
      description: 'Filter with the fields and operators of the list, for example of `GET /_sandbox/operations`. Default: all items.',
      example: 'createdAt[gte]=2026-11-21T12:00:00.000Z',
    }),
  }),
  status: 200,
  response: z
    .object({ total: z.number().int().meta({ description: 'Number of matching items.', example: 1204 }) })
    .openapi('ItemCount', { description: 'The number of items in a list.' }),
  errors: ['INVALID_FILTER_FORMAT'],
  client: 'world.count(list, filters?).total',
});

/** The operations of this file, in the order of the OpenAPI document. */
export const listRoutes = [
  listOperationsRoute,
  listWorldAccountsRoute,
  listBeneficiariesRoute,
  listDocumentsRoute,
  listWorldSubscriptionsRoute,
  countItemsRoute,
] as const;
