import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { accountDays } from '../../contract/public/accounts.js';
import { accountView, type AccountRecord } from '../../domain/accounts/account.js';
import { historyFilters, instantFilters, tagFilters } from '../../domain/lists/common-fields.js';
import { text, type FilterFields } from '../../domain/lists/fields.js';
import { createAccount } from '../../services/accounts/create-account.js';
import { renderedPage } from '../../web/page.js';
import type { PublicPlane } from '../plane.js';
import { createAccountRoute, listAccountsRoute } from '../../contract/public/routes/accounts.js';

/** The fields that accounts can be filtered by. */
export const accountFilters: FilterFields<AccountRecord, FilterFieldOf<'accounts'>> = {
  id: text(({ id }) => id),
  'owner.type': text(({ owner }) => owner.type),
  'owner.legalName': text(({ owner }) => (owner.type === 'COMPANY' ? owner.legalName : null)),
  'owner.firstName': text(({ owner }) => (owner.type === 'INDIVIDUAL' ? owner.firstName : null)),
  'owner.lastName': text(({ owner }) => (owner.type === 'INDIVIDUAL' ? owner.lastName : null)),
  'owner.taxId.value': text(({ owner }) => owner.taxId.value),
  'assets.asset': text(({ assets }) => assets.map(({ asset }) => asset)),
  'assets.status': text(({ assets }) => assets.map(({ status }) => status)),
  ...historyFilters,
  ...tagFilters,
  sourceAccountId: text(({ sourceAccountId }) => sourceAccountId),
  ...instantFilters,
};

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
