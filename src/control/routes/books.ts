import { AccountWithBalancesSchema, CreditRequestSchema, LedgerEntrySchema, SandboxQuoteSchema } from '../../contract/control/books.js';
import { AccountParams, QuoteParams } from '../../contract/shared/path-params.js';
import { accountView, type AccountRecord } from '../../domain/accounts/account.js';
import { decimal, text, timestamp, type FilterFields } from '../../domain/lists/fields.js';
import type { LedgerEntry } from '../../domain/operations/ledger.js';
import { quoteView, type QuoteRecord } from '../../domain/operations/quote.js';
import { creditAccount } from '../../services/accounts/credit-account.js';
import { expireQuote } from '../../services/operations/expire-quote.js';
import { page } from '../../web/page.js';
import { defineList, defineRoute } from '../../web/route.js';
import { balancesOf } from '../../engine/ledger.js';
import type { View } from '../../world/view.js';
import type { ControlPlane } from '../plane.js';

const tag = 'Books';

const getAccount = defineRoute({
  operationId: 'getAccount',
  method: 'get',
  path: '/_sandbox/accounts/{accountId}',
  tag,
  summary: 'Get an account with its balances',
  params: AccountParams,
  status: 200,
  response: AccountWithBalancesSchema,
  errors: [],
});

const moneyRoute = (verb: 'credit' | 'debit', summary: string) =>
  defineRoute({
    operationId: `${verb}Account`,
    method: 'post',
    path: `/_sandbox/accounts/{accountId}/${verb}`,
    tag,
    summary,
    params: AccountParams,
    body: CreditRequestSchema,
    status: 200,
    response: AccountWithBalancesSchema,
    errors: ['INVALID_AMOUNT_PRECISION', 'ASSET_NOT_ENABLED'],
  });

const listLedger = defineList({
  operationId: 'listLedgerEntries',
  path: '/_sandbox/ledger',
  tag,
  summary: 'List what was booked',
  item: LedgerEntrySchema,
  named: 'LedgerEntry',
});

const listQuotes = defineList({
  operationId: 'listQuotes',
  path: '/_sandbox/quotes',
  tag,
  summary: 'List quotes',
  item: SandboxQuoteSchema,
  named: 'SandboxQuote',
});

const expireQuoteRoute = defineRoute({
  operationId: 'expireQuote',
  method: 'post',
  path: '/_sandbox/quotes/{quoteId}/expire',
  tag,
  summary: 'End a quote before its time',
  params: QuoteParams,
  status: 200,
  response: SandboxQuoteSchema,
  errors: ['INVALID_STATUS_CHANGE'],
});

/** The fields that ledger entries can be filtered by. */
export const ledgerFilters: FilterFields<LedgerEntry> = {
  id: text(({ id }) => id),
  at: timestamp(({ at }) => at),
  operationId: text(({ operationId }) => operationId),
  causeId: text(({ causeId }) => causeId),
  'postings.account': text(({ postings }) => postings.map(({ account }) => account)),
  'postings.asset': text(({ postings }) => postings.map(({ asset }) => asset)),
  'postings.amount': decimal(({ postings }) => postings.map(({ amount }) => amount)),
};

/** The fields that quotes can be filtered by. */
export const quoteFilters: FilterFields<QuoteRecord> = {
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
  plane.serve(getAccount, ({ params: { accountId: id }, world }) =>
    world().read((uow) => withBalances(uow, uow.require('accounts', id, 'account'))),
  );
  for (const [verb, summary] of [
    ['credit', 'Give an account money'],
    ['debit', 'Take money from an account, also more than it has'],
  ] as const) {
    plane.serve(moneyRoute(verb, summary), ({ params: { accountId }, body, write }) =>
      write((uow) =>
        withBalances(uow, creditAccount(uow, { accountId, amount: body.amount, direction: verb === 'credit' ? 'CREDIT' : 'DEBIT' })),
      ),
    );
  }
  plane.serve(listLedger, ({ query, world }) =>
    world().read((uow) => page(uow.list('ledgerEntries'), query, `${uow.identity.name}/ledger`, ledgerFilters, ledgerEntryView)),
  );
  plane.serve(listQuotes, ({ query, world }) =>
    world().read((uow) => page(uow.list('quotes'), query, `${uow.identity.name}/quotes`, quoteFilters, sandboxQuoteView)),
  );
  plane.serve(expireQuoteRoute, ({ params: { quoteId }, write }) => write((uow) => sandboxQuoteView(expireQuote(uow, { quoteId }))));
}
