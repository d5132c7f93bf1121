import { controlApi } from './generated/control.js';
import { publicApi } from './generated/public.js';
import { journey } from './journey.js';

const baseUrl = process.argv[2];
const { api } = new publicApi({ baseUrl });
const { sandbox } = new controlApi({ baseUrl });

await journey({
  token: async (body) => (await api.createToken(body)).data,
  accounts: async (headers) => (await api.listAccounts({ sortOrder: 'ASCENDING' }, { headers })).data.data,
  fundingInstructions: async (headers, accountId) => (await api.listFundingInstructions(accountId, { limit: 100 }, { headers })).data.data,
  quote: async (headers, body) => (await api.createQuote(body, { headers })).data,
  withdrawal: async (headers, body) => (await api.createWithdrawal(body, { headers })).data,
  operation: async (headers, operationId) => (await api.getOperation(operationId, { headers })).data,
  beneficiaries: async (filters) => (await sandbox.listBeneficiaries({ filters })).data.data,
  advance: async (by) => (await sandbox.advanceClock({ by })).data,
});
