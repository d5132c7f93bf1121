import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { accountView, type AccountRecord } from '../../domain/accounts/account.js';
import { decimal, text, timestamp, type FilterFields } from '../../domain/lists/fields.js';
import type { LedgerEntry } from '../../domain/operations/ledger.js';
import { quoteView, type QuoteRecord } from '../../domain/operations/quote.js';
import { creditAccount } from '../../services/accounts/credit-account.js';
import { expireQuote } from '../../services/operations/expire-quote.js';
import { page } from '../../web/page.js';
import { balancesOf } from '../../engine/ledger.js';
import type { View } from '../../world/view.js';
import type { ControlPlane } from '../plane.js';
import {
  getAccount,
  creditAccountRoute,
  debitAccountRoute,
  listLedger,
  listQuotes,
  expireQuoteRoute,
} from '../../contract/control/routes/books.js';

/** The fields that ledger entries can be filtered by. */
export const ledgerFilters: FilterFields<LedgerEntry, FilterFieldOf<'ledgerEntries'>> = {
  id: text(({ id }) => id),
  at: timestamp(({ at }) => at),
  operationId: text(({ operationId }) => operationId),
  causeId: text(({ causeId }) => causeId),
  'postings.account': text(({ postings }) => postings.map(({ account }) => account)),
  'postings.asset': text(({ postings }) => postings.map(({ asset }) => asset)),
  'postings.amount': decimal(({ postings }) => postings.map(({ amount }) => amount)),
};

/** The fields that quotes can be filtered by. */
export const quoteFilters: FilterFields<QuoteRecord, FilterFieldOf<'quotes'>> = {
  id: text(({ id }) => id),
  'account.id': text(({ account }) => account.id),
  'sourceAmount.asset': text(({ sourceAmount }) => sourceAmount.asset),
  'sourceAmount.value': decimal(({ sourceAmount }) => sourceAmount.value),
  'targetAmount.asset': text(({ targetAmount }) => targetAmount.asset),
  'targetAmount.value': decimal(({ targetAmount }) => targetAmount.value),
  expiresAt: timestamp(({ expiresAt }) => expiresAt),
  consumedAt: timestamp(({ consumedAt }) => consumedAt),
  consumedBy: text(({ consumedBy }) => consumedBy),
  createdAt: timestamp(({ createdAt }) => createdAt),
};

const withBalances = (view: View, account: AccountRecord) => ({ ...accountView(account), balances: balancesOf(view, account) });

function sandboxQuoteView(quote: QuoteRecord) {
  const { requestedAmount, createdAt, consumedAt, consumedBy } = quote;
  return { ...quoteView(quote), requestedAmount, createdAt, consumedAt, consumedBy };
}

function ledgerEntryView({ id, at, operationId, causeId, postings }: LedgerEntry) {
  return { id, at, operationId, causeId, postings };
}

export function serveBooks(plane: ControlPlane): void {
  plane.serve(getAccount, ({ params: { accountId: id }, session }) =>
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
  plane.serve(listLedger, ({ query, session }) =>
    session.read((uow) => page(uow.list('ledgerEntries'), query, `${uow.identity.name}/ledger`, ledgerFilters, ledgerEntryView)),
  );
  plane.serve(listQuotes, ({ query, session }) =>
    session.read((uow) => page(uow.list('quotes'), query, `${uow.identity.name}/quotes`, quoteFilters, sandboxQuoteView)),
  );
  plane.serve(expireQuoteRoute, ({ params: { quoteId }, session }) =>
    session.commit((uow) => sandboxQuoteView(expireQuote(uow, { quoteId }))),
  );
}
