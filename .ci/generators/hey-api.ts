import { client as control } from './generated/control/client.gen.js';
import { advanceClock, listBeneficiaries } from './generated/control/sdk.gen.js';
import { client as api } from './generated/public/client.gen.js';
import {
  createQuote,
  createToken,
  createWithdrawal,
  getOperation,
  listAccounts,
  listFundingInstructions,
} from './generated/public/sdk.gen.js';
import { journey } from './journey.js';

const baseUrl = process.argv[2];
api.setConfig({ baseUrl });
control.setConfig({ baseUrl });

const throwOnError = true as const;

await journey({
  token: async (body) => (await createToken({ throwOnError, body })).data,
  accounts: async (headers) => (await listAccounts({ throwOnError, headers, query: { sortOrder: 'ASCENDING' } })).data.data,
  fundingInstructions: async (headers, accountId) =>
    (await listFundingInstructions({ throwOnError, headers, path: { accountId }, query: { limit: 100 } })).data.data,
  quote: async (headers, body) => (await createQuote({ throwOnError, headers, body })).data,
  withdrawal: async (headers, body) => (await createWithdrawal({ throwOnError, headers, body })).data,
  operation: async (headers, operationId) => (await getOperation({ throwOnError, headers, path: { operationId } })).data,
  beneficiaries: async (filters) => (await listBeneficiaries({ throwOnError, query: { filters } })).data.data,
  advance: async (by) => (await advanceClock({ throwOnError, body: { by } })).data,
});
