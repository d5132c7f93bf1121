import { createApiClient as createControl } from './generated/control.js';
import { createApiClient } from './generated/public.js';
import { journey } from './journey.js';

const baseUrl = process.argv[2];
const api = createApiClient(baseUrl, { validate: true });
const control = createControl(baseUrl, { validate: true });

await journey({
  token: (body) => api.createToken(body),
  accounts: async (headers) => (await api.listAccounts({ headers, queries: { sortOrder: 'ASCENDING' } })).data,
  fundingInstructions: async (headers, accountId) =>
    (await api.listFundingInstructions({ headers, params: { accountId }, queries: { limit: 100 } })).data,
  quote: (headers, body) => api.createQuote(body, { headers }),
  withdrawal: (headers, body) => api.createWithdrawal(body, { headers }),
  operation: (headers, operationId) => api.getOperation({ headers, params: { operationId } }),
  beneficiaries: async (filters) => (await control.listBeneficiaries({ queries: { filters } })).data,
  advance: (by) => control.advanceClock({ by }),
});
