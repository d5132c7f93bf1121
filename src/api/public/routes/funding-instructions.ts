import { fundingInstructions, fundingFilters } from '../../../domain/payees/funding-instruction.js';
import { listingOf, readPageQuery } from '../../../domain/lists/page.js';
import { page } from '../../plane/page.js';
import type { PublicPlane } from '../plane.js';
import { listFundingInstructionsRoute } from '../../../contract/public/routes/funding-instructions.js';

export function serveFundingInstructions(plane: PublicPlane): void {
  plane.serveRead(listFundingInstructionsRoute, (view, { params, query }) => {
    const scope = `${view.identity.name}/${params.accountId}/fundingInstructions`;
    readPageQuery(query, scope, fundingFilters);
    const account = view.require('accounts', params.accountId, 'account');
    const listing = listingOf(fundingInstructions(view, account), (each) => each);
    return page(listing, query, scope, fundingFilters, ({ instruction }) => instruction);
  });
}
