import { AccountRequestSchema, AccountSchema } from '../../contract/accounts.js';
import { PageQuerySchema, pageSchema } from '../../contract/common.js';
import { accountView } from '../../domain/account.js';
import type { FilterFields } from '../../domain/filter.js';
import { createAccount } from '../../services/create-account.js';
import { page } from '../../web/page.js';
import { defineRoute } from '../../web/route.js';
import type { PublicPlane } from '../plane.js';

const tag = 'Accounts';

const createAccountRoute = defineRoute({
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

const listAccountsRoute = defineRoute({
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

const accountFilters: FilterFields = {
  id: 'TEXT',
  'owner.type': 'TEXT',
  'owner.legalName': 'TEXT',
  'owner.firstName': 'TEXT',
  'owner.lastName': 'TEXT',
  'owner.taxId.value': 'TEXT',
  'assets.asset': 'TEXT',
  'assets.status': 'TEXT',
  'states.status': 'TEXT',
  'currentState.status': 'TEXT',
  'tags.key': 'TEXT',
  'tags.value': 'TEXT',
  sourceAccountId: 'TEXT',
  createdAt: 'TIMESTAMP',
  updatedAt: 'TIMESTAMP',
};

export function serveAccounts(plane: PublicPlane): void {
  const { data } = plane.sandbox.options;
  plane.serve(createAccountRoute, (uow, { body }) => accountView(createAccount(uow, data.documents, body)));
  plane.serve(listAccountsRoute, (uow, { query }) =>
    page(uow.list('accounts'), query, `${uow.identity.name}/accounts`, accountFilters, accountView),
  );
}
