import { accountDays } from '../../../contract/public/accounts.js';
import { accountView, accountFilters } from '../../../domain/accounts/account.js';
import { createAccount } from '../../../services/accounts/create-account.js';
import { renderedPage } from '../../plane/page.js';
import type { PublicPlane } from '../plane.js';
import { createAccountRoute, listAccountsRoute } from '../../../contract/public/routes/accounts.js';

export function serveAccounts(plane: PublicPlane): void {
  plane.serveWrite(
    createAccountRoute,
    (uow, { body }) => accountView(createAccount(uow, body)),
    (world) => accountDays(world.today()),
  );
  plane.serveRead(listAccountsRoute, (view, { query }) =>
    renderedPage(view.list('accounts'), query, `${view.identity.name}/accounts`, accountFilters, accountView),
  );
}
