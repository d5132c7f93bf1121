import { AccountWithBalancesSchema, CreditRequestSchema, LedgerEntrySchema, SandboxQuoteSchema } from '../books.js';
import { AccountParams, QuoteParams } from '../../shared/path-params.js';
import { defineList, defineRoute } from '../../shared/route.js';

const tag = 'Books';

export const getAccount = defineRoute({
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

export const creditAccountRoute = moneyRoute('credit', 'Give an account money');
export const debitAccountRoute = moneyRoute('debit', 'Take money from an account, also more than it has');

export const listLedger = defineList({
  operationId: 'listLedgerEntries',
  path: '/_sandbox/ledger',
  tag,
  summary: 'List what was booked',
  item: LedgerEntrySchema,
  named: 'LedgerEntry',
});

export const listQuotes = defineList({
  operationId: 'listQuotes',
  path: '/_sandbox/quotes',
  tag,
  summary: 'List quotes',
  item: SandboxQuoteSchema,
  named: 'SandboxQuote',
});

export const expireQuoteRoute = defineRoute({
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
