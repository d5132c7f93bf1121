import { tokenRoutes } from './routes/tokens.js';
import { accountRoutes } from './routes/accounts.js';
import { uboRoutes } from './routes/ubos.js';
import { documentRoutes } from './routes/documents.js';
import { fundingInstructionRoutes } from './routes/funding-instructions.js';
import { beneficiaryRoutes } from './routes/beneficiaries.js';
import { quoteRoutes } from './routes/quotes.js';
import { operationRoutes } from './routes/operations.js';
import { reportRoutes } from './routes/reports.js';
import { subscriptionRoutes } from './routes/subscriptions.js';
import type { AnyRoute } from '../shared/route.js';

const routes = [
  ...tokenRoutes,
  ...accountRoutes,
  ...uboRoutes,
  ...documentRoutes,
  ...fundingInstructionRoutes,
  ...beneficiaryRoutes,
  ...quoteRoutes,
  ...operationRoutes,
  ...reportRoutes,
  ...subscriptionRoutes,
] as const;

/** The operations of the public API, in the order of its OpenAPI document. */
export const publicRoutes = routes as unknown as readonly AnyRoute[];

/** The id of an operation of the public API. */
export type OperationId = (typeof routes)[number]['operationId'];

export const operationIds = routes.map(({ operationId }) => operationId) as [OperationId, ...OperationId[]];
