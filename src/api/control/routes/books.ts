import { accountView, type AccountRecord } from '../../../domain/accounts/account.js';
import { ledgerEntryView, ledgerFilters } from '../../../domain/operations/ledger.js';
import { quoteFilters, sandboxQuoteView } from '../../../domain/operations/quote.js';
import { creditAccount } from '../../../services/accounts/accounts.js';
import { expireQuote } from '../../../services/operations/quotes.js';
import { page } from '../../plane/page.js';
import { balancesOf } from '../../../engine/ledger.js';
import type { View } from '../../../world/view.js';
import type { ControlPlane } from '../plane.js';
import {
  getAccountRoute,
  creditAccountRoute,
  debitAccountRoute,
  listLedgerRoute,
  listQuotesRoute,
  expireQuoteRoute,
} from '../../../contract/control/routes/books.js';

const withBalances = (view: View, account: AccountRecord) => ({ ...accountView(account), balances: balancesOf(view, account) });

export function serveBooks(plane: ControlPlane): void {
  plane.serve(getAccountRoute, ({ params: { accountId: id }, session }) =>
    session.read((uow) => withBalances(uow, uow.require('accounts', id, 'account'))),
  );
  for (const [route, direction] of [
    [creditAccountRoute, 'CREDIT'],
    [debitAccountRoute, 'DEBIT'],
  ] as const) {
    plane.serve(route, ({ params: { accountId }, body, session }) =>
      session.commit((uow) => withBalances(uow, creditAccount(uow, { accountId, amount: body.amount, direction }))),
    );
  }
  plane.serve(listLedgerRoute, ({ query, session }) =>
    session.read((uow) => page(uow.list('ledgerEntries'), query, `${uow.identity.name}/ledger`, ledgerFilters, ledgerEntryView)),
  );
  plane.serve(listQuotesRoute, ({ query, session }) =>
    session.read((uow) => page(uow.list('quotes'), query, `${uow.identity.name}/quotes`, quoteFilters, sandboxQuoteView)),
  );
  plane.serve(expireQuoteRoute, ({ params: { quoteId }, session }) =>
    session.commit((uow) => sandboxQuoteView(expireQuote(uow, { quoteId }))),
  );
}
