import { AccountRequestSchema, AccountSchema } from '../accounts.js';
import { defineList, defineRoute } from '../../shared/route.js';

const tag = 'Accounts';

export const createAccountRoute = defineRoute({
  operationId: 'createAccount',
  method: 'post',
  path: '/api/accounts',
  tag,
  summary: 'Create an account with its owner and assets',
  description: 'The account starts as ACTION_REQUIRED; `requirements.currentlyDue` lists the requirements of its verification.',
  body: AccountRequestSchema,
  status: 201,
  response: AccountSchema,
  errors: [],
});

export const listAccountsRoute = defineList({
  operationId: 'listAccounts',
  path: '/api/accounts',
  tag,
  summary: 'List accounts',
  description: 'The accounts of the customer, newest first. To get one account, filter by `id`.',
  item: AccountSchema,
  named: 'Account',
  plural: 'accounts',
  filters: 'accounts',
});

/** The operations of this file, in the order of the OpenAPI document. */
export const accountRoutes = [createAccountRoute, listAccountsRoute] as const;
