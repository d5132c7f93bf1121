import { accounts, ubos } from './accounts.js';
import { beneficiaries } from './beneficiaries.js';
import { documents } from './documents.js';
import { operations, quotes } from './operations.js';
import { subscriptions } from './subscriptions.js';
import { field, ofCreation, text } from '../field-tables.js';
import type { RequestTable } from './table.js';

const tokens: RequestTable[] = [
  {
    name: 'a token',
    method: 'POST',
    path: '/api/oauth/client/token',
    body: { clientId: 'sandbox', clientSecret: 'sandbox-secret' },
    fields: [field('clientId', text(200)), field('clientSecret', text(200))],
  },
];

/** Every request with a body, once for each variant. */
export const requestTables: readonly RequestTable[] = [
  ...tokens,
  ...accounts,
  ...ubos,
  ...documents,
  ...beneficiaries,
  ...quotes,
  ...operations,
  ...subscriptions,
].map((table) => (table.method === 'POST' ? { ...table, fields: ofCreation(table.fields) } : table));
