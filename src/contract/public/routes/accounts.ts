import { AccountRequestSchema, AccountSchema } from '../accounts.js';
import { defineList, defineRoute } from '../../shared/route.js';

const tag = 'Accounts';

export const createAccountRoute = defineRoute({
  operationId: 'createAccount',
  method: 'post',
  path: '/api/accounts',
  tag,
  summary: 'Create an account with its owner and assets',
  description: 'The account starts as ACTION_REQUIRED; `requirements.currentlyDue` lists what its verification waits for.',
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
  description: "The customer's accounts, newest first. This is also the way to read one account: filter by `id`.",
  item: AccountSchema,
  named: 'Account',
  plural: 'accounts',
  filters: 'accounts',
});

/** In the order of the document. */
export const accountRoutes = [createAccountRoute, listAccountsRoute] as const;
