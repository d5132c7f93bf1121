import { AccountRequestSchema, AccountSchema } from '../accounts.js';
import { PageQuerySchema, pageSchema } from '../../shared/paging.js';
import { defineRoute } from '../../shared/route.js';

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

export const listAccountsRoute = defineRoute({
  operationId: 'listAccounts',
  method: 'get',
  path: '/api/accounts',
  tag,
  summary: 'List accounts',
  query: PageQuerySchema,
  status: 200,
  response: pageSchema(AccountSchema).openapi('AccountPage'),
  errors: ['INVALID_FILTER_FORMAT'],
});
