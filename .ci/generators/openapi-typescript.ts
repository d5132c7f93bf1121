import createClient from 'openapi-fetch';
import type { paths as ControlPaths } from './generated/control.js';
import type { paths } from './generated/public.js';
import { journey } from './journey.js';

const baseUrl = process.argv[2];
const api = createClient<paths>({ baseUrl });
const control = createClient<ControlPaths>({ baseUrl });

async function data<T>(answer: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data: value, error } = await answer;
  if (value === undefined) throw new Error(JSON.stringify(error));
  return value;
}

await journey({
  token: (body) => data(api.POST('/api/oauth/client/token', { body })),
  accounts: async (headers) => (await data(api.GET('/api/accounts', { headers, params: { query: { sortOrder: 'ASCENDING' } } }))).data,
  fundingInstructions: async (headers, accountId) => {
    const params = { path: { accountId }, query: { limit: 100 } };
    return (await data(api.GET('/api/accounts/{accountId}/fundingInstructions', { headers, params }))).data;
  },
  quote: (header, body) => data(api.POST('/api/quotes', { params: { header }, headers: header, body })),
  withdrawal: (header, body) => data(api.POST('/api/operations/withdrawal', { params: { header }, headers: header, body })),
  operation: (headers, operationId) => data(api.GET('/api/operations/{operationId}', { headers, params: { path: { operationId } } })),
  beneficiaries: async (filters) => (await data(control.GET('/_sandbox/beneficiaries', { params: { query: { filters } } }))).data,
  advance: (by) => data(control.POST('/_sandbox/clock/advance', { body: { by } })),
});
