import { createToken } from './routes/tokens.js';
import { createAccountRoute, listAccountsRoute } from './routes/accounts.js';
import { createUboRoute, getUboRoute, updateUboRoute } from './routes/ubos.js';
import { uploadDocumentRoute } from './routes/documents.js';
import { listFundingInstructionsRoute } from './routes/funding-instructions.js';
import { createBeneficiaryRoute, getBeneficiaryRoute } from './routes/beneficiaries.js';
import { createQuoteRoute } from './routes/quotes.js';
import { createWithdrawalRoute, createTransferRoute, createSwapRoute, createDepositRoute, getOperationRoute } from './routes/operations.js';
import { getReportRoute } from './routes/reports.js';
import {
  createSubscriptionRoute,
  listSubscriptionsRoute,
  getSubscriptionRoute,
  listExecutionLogsRoute,
  getExecutionLogRoute,
  resendExecutionLogRoute,
} from './routes/subscriptions.js';
import type { AnyRoute } from '../shared/route.js';

/** The operations of the public plane, in the order of its document. */
export const publicRoutes = [
  createToken,
  createAccountRoute,
  listAccountsRoute,
  createUboRoute,
  getUboRoute,
  updateUboRoute,
  uploadDocumentRoute,
  listFundingInstructionsRoute,
  createBeneficiaryRoute,
  getBeneficiaryRoute,
  createQuoteRoute,
  createWithdrawalRoute,
  createTransferRoute,
  createSwapRoute,
  createDepositRoute,
  getOperationRoute,
  getReportRoute,
  createSubscriptionRoute,
  listSubscriptionsRoute,
  getSubscriptionRoute,
  listExecutionLogsRoute,
  getExecutionLogRoute,
  resendExecutionLogRoute,
] as unknown as readonly AnyRoute[];
