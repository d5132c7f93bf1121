import { PageQuerySchema, pageSchema } from '../../contract/shared/common.js';
import { AccountParams } from '../../contract/shared/path-params.js';
import { FundingInstructionSchema, type FundingInstruction } from '../../contract/shared/funding.js';
import { text, type FilterFields } from '../../domain/lists/fields.js';
import { fundingInstructions } from '../../domain/payees/funding-instruction.js';
import { listingOf, readPageQuery, type Listed } from '../../domain/lists/page.js';
import { page } from '../../web/page.js';
import { defineRoute } from '../../web/route.js';
import type { PublicPlane } from '../plane.js';

const listFundingInstructionsRoute = defineRoute({
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

/** The fields that funding instructions can be filtered by. */
export const fundingFilters: FilterFields<Listed & { readonly instruction: FundingInstruction }> = {
  asset: text(({ instruction }) => instruction.asset),
  rail: text(({ instruction }) => instruction.rail),
};

export function serveFundingInstructions(plane: PublicPlane): void {
  plane.serve(listFundingInstructionsRoute, (uow, { params, query }) => {
    const scope = `${uow.identity.name}/${params.accountId}/fundingInstructions`;
    readPageQuery(query, scope, fundingFilters);
    const account = uow.require('accounts', params.accountId, 'account');
    const listing = listingOf(fundingInstructions(uow, account), (each) => each);
    return page(listing, query, scope, fundingFilters, ({ instruction }) => instruction);
  });
}
