import type { OtherWay } from '../web/unrouted.js';

const anyWrite = ['POST', 'PUT', 'PATCH'];
const change = ['PUT', 'PATCH'];
const read = ['GET', 'HEAD'];
const balances = 'The API has no balances. GET /_sandbox/accounts/{accountId} shows those of the sandbox.';
const quote = 'A quote is only shown when it is created, and in its operation. GET /_sandbox/quotes lists those of the sandbox.';
const subscriptionChange =
  'A subscription does not change. Create another one, and remove this one with DELETE /_sandbox/subscriptions/{subscriptionId}.';
const instructionAfterwards =
  'A beneficiary has the payment instruction that it was registered with: register another one with POST /api/beneficiaries.';
const instructions = 'They stand in the beneficiary: GET /api/beneficiaries/{beneficiaryId}.';
const webhooks = 'Webhooks are subscriptions here: /api/subscriptions.';
const token = 'A token comes from POST /api/oauth/client/token.';
const fund = 'Money comes in by POST /api/operations/deposit, or in the sandbox by POST /_sandbox/accounts/{accountId}/credit.';

/** Calls that other APIs of this kind have, each with the way that exists here. */
export const otherWays: readonly OtherWay[] = [
  { methods: read, path: '/api/accounts/{accountId}', instead: 'Filter the list: GET /api/accounts?filters=id[eq]={accountId}.' },
  {
    methods: change,
    path: '/api/accounts/{accountId}',
    instead: 'An account changes by its documents and owners, and in the sandbox by force: POST /_sandbox/accounts/{accountId}/activate.',
  },
  {
    methods: ['DELETE'],
    path: '/api/accounts/{accountId}',
    instead: 'An account is closed, not deleted: POST /_sandbox/accounts/{accountId}/close.',
  },
  { methods: read, path: '/api/accounts/{accountId}/balances', instead: balances },
  { methods: read, path: '/api/accounts/{accountId}/balance', instead: balances },
  {
    methods: read,
    path: '/api/balances',
    instead: 'The API has no balances. GET /_sandbox/accounts/{id} shows those of an account of the sandbox.',
  },
  {
    methods: read,
    path: '/api/accounts/{accountId}/ubos',
    instead: 'They stand in owner.ubos of the account: GET /api/accounts?filters=id[eq]={accountId}.',
  },
  {
    methods: ['DELETE'],
    path: '/api/accounts/{accountId}/ubos/{uboId}',
    instead: 'A beneficial owner stays once it is added. The sandbox ends its review with POST /_sandbox/ubos/{uboId}/reject.',
  },
  { methods: ['PUT'], path: '/api/accounts/{accountId}/ubos/{uboId}', instead: 'Change it with PATCH, which takes what changes.' },
  { methods: anyWrite, path: '/api/accounts/{accountId}/assets', instead: 'The assets of an account are those that it was created with.' },
  { methods: ['POST'], path: '/api/accounts/{accountId}/deposits', instead: fund },
  {
    methods: ['POST'],
    path: '/api/accounts/{accountId}/documents',
    instead: 'Documents are uploaded by POST /api/documents, whose `holder` names the account.',
  },
  {
    methods: read,
    path: '/api/accounts/{accountId}/requirements',
    instead: 'They stand in the account: GET /api/accounts?filters=id[eq]={accountId}.',
  },
  {
    methods: read,
    path: '/api/documents',
    instead: 'Their reviews show in `requirements` of GET /api/accounts. GET /_sandbox/documents lists those of the sandbox.',
  },
  {
    methods: read,
    path: '/api/documents/{documentId}',
    instead: 'Their reviews show in `requirements` of GET /api/accounts. GET /_sandbox/documents lists those of the sandbox.',
  },
  { methods: read, path: '/api/quotes', instead: quote },
  { methods: read, path: '/api/quotes/{quoteId}', instead: quote },
  {
    methods: read,
    path: '/api/rates',
    instead: 'A rate comes with a quote: POST /api/quotes. GET /_sandbox/settings shows what those of the sandbox are made of.',
  },
  {
    methods: read,
    path: '/api/operations',
    instead: 'Operations are read one by one: GET /api/operations/{operationId}. GET /_sandbox/operations lists those of the sandbox.',
  },
  {
    methods: ['POST'],
    path: '/api/operations',
    instead: 'Each kind has a path of its own: POST /api/operations/withdrawal, /transfer, /swap or /deposit.',
  },
  {
    methods: ['DELETE', ...change],
    path: '/api/operations/{operationId}',
    instead: 'An operation goes its way by itself. The sandbox ends one with POST /_sandbox/operations/{operationId}/fail.',
  },
  {
    methods: ['POST'],
    path: '/api/operations/{operationId}/cancel',
    instead: 'An operation is not cancelled. The sandbox ends one with POST /_sandbox/operations/{operationId}/fail.',
  },
  {
    methods: read,
    path: '/api/transactions',
    instead: 'Transactions stand in their operation: GET /api/operations/{operationId}. GET /api/reports sums up what settled.',
  },
  {
    methods: read,
    path: '/api/beneficiaries',
    instead:
      'Beneficiaries are read one by one: GET /api/beneficiaries/{beneficiaryId}. GET /_sandbox/beneficiaries lists those of the sandbox.',
  },
  {
    methods: ['DELETE', ...change],
    path: '/api/beneficiaries/{beneficiaryId}',
    instead:
      'A beneficiary does not change: register another one. The sandbox takes one out of use with POST /_sandbox/beneficiaries/{beneficiaryId}/reject.',
  },
  { methods: anyWrite, path: '/api/beneficiaries/{beneficiaryId}/paymentInstructions', instead: instructionAfterwards },
  { methods: read, path: '/api/beneficiaries/{beneficiaryId}/paymentInstructions', instead: instructions },
  { methods: change, path: '/api/subscriptions/{subscriptionId}', instead: subscriptionChange },
  {
    methods: ['DELETE'],
    path: '/api/subscriptions/{subscriptionId}',
    instead: 'The sandbox removes one with DELETE /_sandbox/subscriptions/{subscriptionId}.',
  },
  { methods: [...read, 'POST'], path: '/api/webhooks', instead: webhooks },
  {
    methods: read,
    path: '/api/events',
    instead:
      'What was sent stands in GET /api/subscriptions/{subscriptionId}/executionLogs. POST /_sandbox/events sends an event of the sandbox.',
  },
  { methods: ['POST'], path: '/api/oauth/token', instead: token },
  { methods: ['POST'], path: '/oauth/token', instead: token },
];
