import { advanceClock, listBeneficiaries } from './generated/control.js';
import { AdvanceClockResponse, ListBeneficiariesResponse } from './generated/control.zod.js';
import { createQuote, createToken, createWithdrawal, getOperation, listAccounts, listFundingInstructions } from './generated/public.js';
import {
  CreateQuoteResponse,
  CreateTokenResponse,
  CreateWithdrawalResponse,
  GetOperationResponse,
  ListAccountsResponse,
  ListFundingInstructionsResponse,
} from './generated/public.zod.js';
import { journey } from './journey.js';

await journey({
  token: async (body) => CreateTokenResponse.parse((await createToken(body)).data),
  accounts: async (headers) => ListAccountsResponse.parse((await listAccounts({ sortOrder: 'ASCENDING' }, { headers })).data).data,
  fundingInstructions: async (headers, accountId) =>
    ListFundingInstructionsResponse.parse((await listFundingInstructions(accountId, { limit: 100 }, { headers })).data).data,
  quote: async (headers, body) => CreateQuoteResponse.parse((await createQuote(body, { headers })).data),
  withdrawal: async (headers, body) => CreateWithdrawalResponse.parse((await createWithdrawal(body, { headers })).data),
  operation: async (headers, operationId) => GetOperationResponse.parse((await getOperation(operationId, { headers })).data),
  beneficiaries: async (filters) => ListBeneficiariesResponse.parse((await listBeneficiaries({ filters })).data).data,
  advance: async (by) => AdvanceClockResponse.parse((await advanceClock({ by })).data),
});
