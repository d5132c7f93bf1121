import { PageQuerySchema, pageSchema } from '../../shared/paging.js';
import { AccountParams } from '../../shared/path-params.js';
import { FundingInstructionSchema } from '../../shared/funding.js';
import { defineRoute } from '../../shared/route.js';

export const listFundingInstructionsRoute = defineRoute({
  operationId: 'listFundingInstructions',
  method: 'get',
  path: '/api/accounts/{accountId}/fundingInstructions',
  tag: 'Accounts',
  summary: 'List the ways to pay into an account',
  description:
    'One instruction for each rail, and for stablecoins for each network, of every ACTIVE asset of the account. ' +
    '`sortOrder` goes by asset and rail: PIX first when ASCENDING.',
  params: AccountParams,
  query: PageQuerySchema,
  status: 200,
  response: pageSchema(FundingInstructionSchema).openapi('FundingInstructionPage'),
  errors: ['RESOURCE_NOT_FOUND', 'INVALID_FILTER_FORMAT'],
});
