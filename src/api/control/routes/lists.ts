import { accountView, accountFilters } from '../../../domain/accounts/account.js';
import { deliveryFilters, subscriptionView, subscriptionFilters } from '../../../domain/webhooks/delivery.js';
import { beneficiaryView, beneficiaryFilters } from '../../../domain/payees/beneficiary.js';
import { documentView, documentFilters } from '../../../domain/accounts/document.js';
import { operationView, operationFilters } from '../../../domain/operations/operation.js';
import { quoteFilters } from '../../../domain/operations/quote.js';
import { ledgerFilters } from '../../../domain/operations/ledger.js';
import { parseFilter } from '../../../domain/lists/filter.js';
import type { Interruptible } from '../../../domain/interruptible.js';
import { page } from '../../plane/page.js';
import type { ListedTable, Tables } from '../../../world/tables.js';
import { runInSlices } from '../../../world/turns.js';
import type { View } from '../../../world/view.js';
import type { ControlPlane } from '../plane.js';
import {
  listOperationsRoute,
  listWorldAccountsRoute,
  listBeneficiariesRoute,
  listDocumentsRoute,
  listWorldSubscriptionsRoute,
  countItemsRoute,
  type CountedList,
} from '../../../contract/control/routes/lists.js';

export function serveLists(plane: ControlPlane): void {
  plane.serve(listOperationsRoute, ({ query, session }) =>
    session.read((uow) => page(uow.list('operations'), query, `${uow.identity.name}/operations`, operationFilters, operationView)),
  );
  plane.serve(listBeneficiariesRoute, ({ query, session }) =>
    session.read((uow) =>
      page(uow.list('beneficiaries'), query, `${uow.identity.name}/beneficiaries`, beneficiaryFilters, beneficiaryView),
    ),
  );
  plane.serve(listDocumentsRoute, ({ query, session }) =>
    session.read((uow) => page(uow.list('documents'), query, `${uow.identity.name}/documents`, documentFilters, documentView)),
  );
  plane.serve(listWorldAccountsRoute, ({ query, session }) =>
    session.read((view) => page(view.list('accounts'), query, `${view.identity.name}/accounts`, accountFilters, accountView)),
  );
  plane.serve(listWorldSubscriptionsRoute, ({ query, session }) =>
    session.read((view) =>
      page(view.list('subscriptions'), query, `${view.identity.name}/subscriptions`, subscriptionFilters, subscriptionView),
    ),
  );
  plane.serve(countItemsRoute, async ({ params: { list }, query: { filters }, session }) => ({
    total: await runInSlices(session.read((view) => counters[list](view, filters))),
  }));
}

/** Returns a function that counts the rows of a table that match a filter. */
function counterOf<T extends ListedTable>(table: T, fields: Parameters<typeof parseFilter<Tables[T]>>[1]) {
  return function* count(view: View, filters: string | undefined): Interruptible<number> {
    if (!filters) return view.sizeOf(table);
    const passes = parseFilter(filters, fields);
    let total = 0;
    for (const row of view.rows(table)) {
      if (passes(row)) total += 1;
      yield;
    }
    return total;
  };
}

const counters: Readonly<Record<CountedList, (view: View, filters: string | undefined) => Interruptible<number>>> = {
  operations: counterOf('operations', operationFilters),
  accounts: counterOf('accounts', accountFilters),
  beneficiaries: counterOf('beneficiaries', beneficiaryFilters),
  documents: counterOf('documents', documentFilters),
  subscriptions: counterOf('subscriptions', subscriptionFilters),
  deliveries: counterOf('deliveries', deliveryFilters),
  quotes: counterOf('quotes', quoteFilters),
  ledger: counterOf('ledgerEntries', ledgerFilters),
};
