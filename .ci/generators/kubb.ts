import { advanceClock } from './generated/control/clients/advanceClock.js';
import { listBeneficiaries } from './generated/control/clients/listBeneficiaries.js';
import { createQuote } from './generated/public/clients/createQuote.js';
import { createToken } from './generated/public/clients/createToken.js';
import { createWithdrawal } from './generated/public/clients/createWithdrawal.js';
import { getOperation } from './generated/public/clients/getOperation.js';
import { listAccounts } from './generated/public/clients/listAccounts.js';
import { listFundingInstructions } from './generated/public/clients/listFundingInstructions.js';
import { journey, type Headers } from './journey.js';

const baseURL = process.argv[2];
// Its client sends JSON without saying so.
const json = { 'Content-Type': 'application/json' };
const config = { baseURL, headers: json };
const withToken = ({ Authorization }: Headers) => ({ baseURL, headers: { ...json, Authorization } });
const keyOf = (headers: Headers) => ({ 'X-Idempotency-Key': headers['X-Idempotency-Key'] });

await journey({
  token: (body) => createToken(body, undefined, config),
  accounts: async (headers) => (await listAccounts({ sortOrder: 'ASCENDING' }, undefined, withToken(headers))).data,
  fundingInstructions: async (headers, accountId) =>
    (await listFundingInstructions(accountId, { limit: 100 }, undefined, withToken(headers))).data,
  quote: (headers, body) => createQuote(body, keyOf(headers), withToken(headers)),
  withdrawal: (headers, body) => createWithdrawal(body, keyOf(headers), withToken(headers)),
  operation: (headers, operationId) => getOperation(operationId, undefined, withToken(headers)),
  beneficiaries: async (filters) => (await listBeneficiaries({ filters }, undefined, config)).data,
  advance: (by) => advanceClock({ by }, undefined, config),
});
