import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { type FundingInstruction } from '../../contract/shared/funding.js';
import { text, type FilterFields } from '../../domain/lists/fields.js';
import { fundingInstructions } from '../../domain/payees/funding-instruction.js';
import { listingOf, readPageQuery, type Listed } from '../../domain/lists/page.js';
import { page } from '../../web/page.js';
import type { PublicPlane } from '../plane.js';
import { listFundingInstructionsRoute } from '../../contract/public/routes/funding-instructions.js';

/** The fields that funding instructions can be filtered by. */
export const fundingFilters: FilterFields<Listed & { readonly instruction: FundingInstruction }, FilterFieldOf<'fundingInstructions'>> = {
  asset: text(({ instruction }) => instruction.asset),
  rail: text(({ instruction }) => instruction.rail),
};

export function serveFundingInstructions(plane: PublicPlane): void {
  plane.serveRead(listFundingInstructionsRoute, (view, { params, query }) => {
    const scope = `${view.identity.name}/${params.accountId}/fundingInstructions`;
    readPageQuery(query, scope, fundingFilters);
    const account = view.require('accounts', params.accountId, 'account');
    const listing = listingOf(fundingInstructions(view, account), (each) => each);
    return page(listing, query, scope, fundingFilters, ({ instruction }) => instruction);
  });
}
