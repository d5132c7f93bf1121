import { AccountParams } from '../../shared/path-params.js';
import { FundingInstructionSchema } from '../../shared/funding.js';
import { defineList } from '../../shared/route.js';

export const listFundingInstructionsRoute = defineList({
  operationId: 'listFundingInstructions',
  path: '/api/accounts/{accountId}/fundingInstructions',
  tag: 'Accounts',
  summary: 'List the ways to pay into an account',
  description:
    'One instruction for each rail, and for stablecoins for each network, of every ACTIVE asset of the account. ' +
    '`sortOrder` sorts by asset and rail; ASCENDING starts with PIX.',
  params: AccountParams,
  item: FundingInstructionSchema,
  named: 'FundingInstruction',
  plural: 'funding instructions',
  filters: 'fundingInstructions',
  errors: ['RESOURCE_NOT_FOUND'],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const fundingInstructionRoutes = [listFundingInstructionsRoute] as const;
