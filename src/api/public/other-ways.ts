import type { OtherWay } from '../plane/unrouted.js';

const anyWrite = ['POST', 'PUT', 'PATCH'];
const change = ['PUT', 'PATCH'];
const read = ['GET', 'HEAD'];
const balances = 'The API has no balances. In the sandbox, use GET /_sandbox/accounts/{accountId}.';
const quote = 'A quote is returned only when it is created, and in its operation. In the sandbox, use GET /_sandbox/quotes.';
const subscriptionChange =
  'A subscription cannot be changed. Create a new one, and delete this one with DELETE /_sandbox/subscriptions/{subscriptionId}.';
const instructionAfterwards =
  'The payment instruction of a beneficiary is fixed. Register another beneficiary with POST /api/beneficiaries.';
const instructions = 'Payment instructions are part of the beneficiary: GET /api/beneficiaries/{beneficiaryId}.';
const webhooks = 'Webhooks are called subscriptions here: /api/subscriptions.';
const token = 'Get a token with POST /api/oauth/client/token.';
const payments =
  'Payments are operations: POST /api/operations/withdrawal pays a beneficiary, /transfer pays your other account, /swap exchanges assets, and /deposit receives money.';
const beneficiaries = 'Payees are called beneficiaries here: POST /api/beneficiaries, then POST /api/operations/withdrawal.';
const rates = 'A rate is part of a quote: POST /api/quotes. In the sandbox, GET /_sandbox/settings shows the base rates.';
const instructionsOf =
  'Payment instructions are part of a beneficiary: POST /api/beneficiaries with `paymentInstruction`, GET /api/beneficiaries/{beneficiaryId}.';
const fund = 'Use POST /api/operations/deposit, or in the sandbox POST /_sandbox/accounts/{accountId}/credit.';

/** Requests that similar APIs support and this API does not. `instead` names the equivalent here. */
export const otherWays: readonly OtherWay[] = [
  { methods: read, path: '/api/accounts/{accountId}', instead: 'Filter the list: GET /api/accounts?filters=id[eq]={accountId}.' },
  {
    methods: change,
    path: '/api/accounts/{accountId}',
    instead: 'Only documents and owners change an account. In the sandbox, activate it with POST /_sandbox/accounts/{accountId}/activate.',
  },
  {
    methods: ['DELETE'],
    path: '/api/accounts/{accountId}',
    instead: 'An account cannot be deleted. In the sandbox, close it with POST /_sandbox/accounts/{accountId}/close.',
  },
  { methods: read, path: '/api/accounts/{accountId}/balances', instead: balances },
  { methods: read, path: '/api/accounts/{accountId}/balance', instead: balances },
  {
    methods: read,
    path: '/api/balances',
    instead: 'The API has no balances. In the sandbox, use GET /_sandbox/accounts/{id}.',
  },
  {
    methods: read,
    path: '/api/accounts/{accountId}/ubos',
    instead: 'Beneficial owners are in owner.ubos of the account: GET /api/accounts?filters=id[eq]={accountId}.',
  },
  {
    methods: ['DELETE'],
    path: '/api/accounts/{accountId}/ubos/{uboId}',
    instead: 'A beneficial owner cannot be removed. In the sandbox, reject it with POST /_sandbox/ubos/{uboId}/reject.',
  },
  { methods: ['PUT'], path: '/api/accounts/{accountId}/ubos/{uboId}', instead: 'Use PATCH with the fields that change.' },
  { methods: anyWrite, path: '/api/accounts/{accountId}/assets', instead: 'The assets of an account are fixed when it is created.' },
  { methods: ['POST'], path: '/api/accounts/{accountId}/deposits', instead: fund },
  {
    methods: ['POST'],
    path: '/api/accounts/{accountId}/documents',
    instead: 'Upload documents with POST /api/documents and name the account in `holder`.',
  },
  {
    methods: read,
    path: '/api/accounts/{accountId}/requirements',
    instead: 'Requirements are part of the account: GET /api/accounts?filters=id[eq]={accountId}.',
  },
  {
    methods: read,
    path: '/api/documents',
    instead: '`requirements` in GET /api/accounts shows their reviews. In the sandbox, use GET /_sandbox/documents.',
  },
  {
    methods: read,
    path: '/api/documents/{documentId}',
    instead: '`requirements` in GET /api/accounts shows their reviews. In the sandbox, use GET /_sandbox/documents.',
  },
  { methods: read, path: '/api/quotes', instead: quote },
  { methods: read, path: '/api/quotes/{quoteId}', instead: quote },
  ...['/api/rates', '/api/fx', '/api/exchange-rates'].map((path): OtherWay => ({ methods: read, path, instead: rates })),
  ...['/api/payments', '/api/payouts', '/api/payment', '/api/payout', '/api/orders'].map((path): OtherWay => ({
    methods: [...read, 'POST'],
    path,
    instead: payments,
  })),
  ...['withdrawal', 'transfer', 'swap', 'deposit'].flatMap((kind) => [
    ...[`/api/${kind}s`, `/api/${kind}`, `/api/operations/${kind}s`].map((path): OtherWay => ({
      methods: ['POST'],
      path,
      instead: `Use POST /api/operations/${kind}.`,
    })),
    ...[`/api/${kind}s`, `/api/${kind}`].map((path): OtherWay => ({
      methods: read,
      path,
      instead: 'Get operations one by one: GET /api/operations/{operationId}. In the sandbox, use GET /_sandbox/operations.',
    })),
  ]),
  ...['/api/recipients', '/api/payees', '/api/contacts', '/api/counterparties'].map((path): OtherWay => ({
    methods: [...read, 'POST'],
    path,
    instead: beneficiaries,
  })),
  ...['/api/paymentInstructions', '/api/payment-instructions', '/api/bank-accounts', '/api/wallets'].map((path): OtherWay => ({
    methods: [...read, 'POST'],
    path,
    instead: instructionsOf,
  })),
  ...['/api/customers', '/api/users', '/api/companies'].map((path): OtherWay => ({
    methods: [...read, 'POST'],
    path,
    instead: 'A customer is the owner of an account: POST /api/accounts with `owner`.',
  })),
  {
    methods: read,
    path: '/api/operations',
    instead: 'Get operations one by one: GET /api/operations/{operationId}. In the sandbox, use GET /_sandbox/operations.',
  },
  {
    methods: ['POST'],
    path: '/api/operations',
    instead: 'Each kind of operation has its own path: POST /api/operations/withdrawal, /transfer, /swap or /deposit.',
  },
  {
    methods: ['DELETE', ...change],
    path: '/api/operations/{operationId}',
    instead: 'An operation progresses automatically. In the sandbox, end one with POST /_sandbox/operations/{operationId}/fail.',
  },
  {
    methods: ['POST'],
    path: '/api/operations/{operationId}/cancel',
    instead: 'An operation cannot be cancelled. In the sandbox, end one with POST /_sandbox/operations/{operationId}/fail.',
  },
  {
    methods: read,
    path: '/api/transactions',
    instead: 'Transactions are part of their operation: GET /api/operations/{operationId}. GET /api/reports shows the settled totals.',
  },
  {
    methods: read,
    path: '/api/beneficiaries',
    instead: 'Get beneficiaries one by one: GET /api/beneficiaries/{beneficiaryId}. In the sandbox, use GET /_sandbox/beneficiaries.',
  },
  {
    methods: ['DELETE', ...change],
    path: '/api/beneficiaries/{beneficiaryId}',
    instead:
      'A beneficiary cannot be changed or deleted. Register a new one. In the sandbox, disable this one with POST /_sandbox/beneficiaries/{beneficiaryId}/reject.',
  },
  { methods: anyWrite, path: '/api/beneficiaries/{beneficiaryId}/paymentInstructions', instead: instructionAfterwards },
  { methods: read, path: '/api/beneficiaries/{beneficiaryId}/paymentInstructions', instead: instructions },
  { methods: change, path: '/api/subscriptions/{subscriptionId}', instead: subscriptionChange },
  {
    methods: ['DELETE'],
    path: '/api/subscriptions/{subscriptionId}',
    instead: 'In the sandbox, use DELETE /_sandbox/subscriptions/{subscriptionId}.',
  },
  { methods: [...read, 'POST'], path: '/api/webhooks', instead: webhooks },
  {
    methods: read,
    path: '/api/events',
    instead:
      'GET /api/subscriptions/{subscriptionId}/executionLogs shows the sent events. In the sandbox, POST /_sandbox/events sends one.',
  },
  ...['/api/oauth/token', '/oauth/token', '/oauth2/token', '/api/token', '/api/auth', '/api/login', '/token', '/login'].map(
    (path): OtherWay => ({ methods: ['POST'], path, instead: token }),
  ),
  ...['/webhooks', '/api/webhook', '/api/hooks', '/api/notifications'].map((path): OtherWay => ({
    methods: [...read, 'POST'],
    path,
    instead: webhooks,
  })),
  ...['/health', '/healthz', '/status', '/api/health', '/api/status', '/api/ping'].map((path): OtherWay => ({
    methods: read,
    path,
    instead: 'The sandbox has GET /_sandbox/health/ready and GET /_sandbox.',
  })),
];
