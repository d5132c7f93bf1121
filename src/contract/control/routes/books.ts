import { AccountWithBalancesSchema, CreditRequestSchema, LedgerEntrySchema, SandboxQuoteSchema } from '../books.js';
import { AccountParams, QuoteParams } from '../../shared/path-params.js';
import { defineList, defineRoute } from '../../shared/route.js';

const tag = 'Books';

export const getAccountRoute = defineRoute({
  operationId: 'getAccount',
  method: 'get',
  path: '/_sandbox/accounts/{accountId}',
  tag,
  summary: 'Get an account with its balances',
  description: 'An account as the public API shows it, and what it holds of each asset by the ledger.',
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
    description:
      'Booked at once against the ledger account `control`, without an operation and without events; reports do not count it. The account has to have the asset.',
    params: AccountParams,
    body: CreditRequestSchema,
    status: 200,
    response: AccountWithBalancesSchema,
    errors: ['INVALID_AMOUNT_PRECISION', 'ASSET_NOT_ENABLED'],
  });

export const creditAccountRoute = moneyRoute('credit', 'Give an account money');
export const debitAccountRoute = moneyRoute('debit', 'Take money from an account, also more than it has');

export const listLedgerRoute = defineList({
  operationId: 'listLedgerEntries',
  path: '/_sandbox/ledger',
  tag,
  summary: 'List what was booked',
  description: 'The double-entry ledger of a world: each settled movement with its postings, which sum to zero in every asset.',
  item: LedgerEntrySchema,
  named: 'LedgerEntry',
  plural: 'ledger entries',
  filters: 'ledgerEntries',
});

export const listQuotesRoute = defineList({
  operationId: 'listQuotes',
  path: '/_sandbox/quotes',
  tag,
  summary: 'List quotes',
  description: 'All quotes of a world, newest first, with the operation that used each up.',
  item: SandboxQuoteSchema,
  named: 'SandboxQuote',
  plural: 'quotes',
  filters: 'quotes',
});

export const expireQuoteRoute = defineRoute({
  operationId: 'expireQuote',
  method: 'post',
  path: '/_sandbox/quotes/{quoteId}/expire',
  tag,
  summary: 'End a quote before its time',
  description: 'From now on operations that name the quote are refused with QUOTE_EXPIRED. One that was used up cannot be ended.',
  params: QuoteParams,
  status: 200,
  response: SandboxQuoteSchema,
  errors: ['INVALID_STATUS_CHANGE'],
});

/** In the order of the document. */
export const bookRoutes = [
  getAccountRoute,
  creditAccountRoute,
  debitAccountRoute,
  listLedgerRoute,
  listQuotesRoute,
  expireQuoteRoute,
] as const;
