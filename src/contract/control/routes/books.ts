import { AccountWithBalancesSchema, CreditRequestSchema, LedgerEntrySchema, SandboxQuoteSchema } from '../books.js';
import { AccountParams, QuoteParams } from '../../shared/path-params.js';
import { defineList, defineRoute } from '../../shared/route.js';

const tag = 'Ledger';

export const getAccountRoute = defineRoute({
  operationId: 'getAccount',
  method: 'get',
  path: '/_sandbox/accounts/{accountId}',
  tag,
  summary: 'Get an account with its balances',
  description: 'The account as in the public API, with its ledger balance in each asset.',
  params: AccountParams,
  status: 200,
  response: AccountWithBalancesSchema,
  errors: [],
  client: 'account.get()',
});

const moneyRoute = (verb: 'credit' | 'debit', summary: string) =>
  defineRoute({
    operationId: `${verb}Account`,
    method: 'post',
    path: `/_sandbox/accounts/{accountId}/${verb}`,
    tag,
    summary,
    description:
      'Books the amount immediately against the ledger account `control`, without an operation and events. Reports do not include it. The account must have the asset.',
    params: AccountParams,
    body: CreditRequestSchema,
    status: 200,
    response: AccountWithBalancesSchema,
    errors: ['INVALID_AMOUNT_PRECISION', 'ASSET_NOT_ENABLED'],
    client: `account.${verb}(amount.value, amount.asset)`,
  });

export const creditAccountRoute = moneyRoute('credit', 'Credit an account');
export const debitAccountRoute = moneyRoute('debit', 'Debit an account, even beyond its balance');

export const listLedgerRoute = defineList({
  operationId: 'listLedgerEntries',
  path: '/_sandbox/ledger',
  tag,
  summary: 'List ledger entries',
  description: 'The double-entry ledger of a world: each settled movement with its postings, which add up to zero in every asset.',
  item: LedgerEntrySchema,
  named: 'LedgerEntry',
  plural: 'ledger entries',
  filters: 'ledgerEntries',
  client: 'world.ledger',
  columns: { id: 'id', operation: 'operationId', asset: 'postings.0.asset', at: 'at' },
});

export const listQuotesRoute = defineList({
  operationId: 'listQuotes',
  path: '/_sandbox/quotes',
  tag,
  summary: 'List quotes',
  description: 'All quotes of a world, newest first, each with the operation that used it.',
  item: SandboxQuoteSchema,
  named: 'SandboxQuote',
  plural: 'quotes',
  filters: 'quotes',
  client: 'world.quotes',
  columns: {
    id: 'id',
    amount: 'sourceAmount.value',
    asset: 'sourceAmount.asset',
    target: 'targetAmount.value',
    'target asset': 'targetAmount.asset',
    expires: 'expiresAt',
  },
});

export const expireQuoteRoute = defineRoute({
  operationId: 'expireQuote',
  method: 'post',
  path: '/_sandbox/quotes/{quoteId}/expire',
  tag,
  summary: 'Expire a quote now',
  description: 'New operations with the quote are rejected with QUOTE_EXPIRED. A used quote cannot expire.',
  params: QuoteParams,
  status: 200,
  response: SandboxQuoteSchema,
  errors: ['INVALID_STATUS_CHANGE'],
  client: 'quote.expire()',
  cli: {
    verb: 'expire',
    group: 'force',
    args: [{ name: 'quote', field: 'quoteId', idOf: 'quote' }],
    examples: [
      'crossborder-sandbox expire @last',
      'crossborder-sandbox expire @last --json',
      'crossborder-sandbox get quotes --limit 1 --quiet | crossborder-sandbox expire -',
    ],
    line: 'QUOTE {id} EXPIRED',
    id: '{id}',
  },
});

/** The operations of this file, in the order of the OpenAPI document. */
export const bookRoutes = [
  getAccountRoute,
  creditAccountRoute,
  debitAccountRoute,
  listLedgerRoute,
  listQuotesRoute,
  expireQuoteRoute,
] as const;
