import { accountView, accountFilters } from '../../domain/accounts/account.js';
import { subscriptionView, subscriptionFilters } from '../../domain/webhooks/delivery.js';
import { beneficiaryView, beneficiaryFilters } from '../../domain/payees/beneficiary.js';
import { documentView, documentFilters } from '../../domain/accounts/document.js';
import { operationView, operationFilters } from '../../domain/operations/operation.js';
import { page } from '../../web/page.js';
import type { ControlPlane } from '../plane.js';
import {
  listOperationsRoute,
  listWorldAccountsRoute,
  listBeneficiariesRoute,
  listDocumentsRoute,
  listWorldSubscriptionsRoute,
} from '../../contract/control/routes/lists.js';

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
}
