import { OperationParams } from '../../shared/path-params.js';
import { DepositRequestSchema } from '../deposits.js';
import { OperationSchema, WithdrawalRequestSchema } from '../operations.js';
import { SwapRequestSchema, TransferRequestSchema } from '../transfers.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Operations';

export const createWithdrawalRoute = defineRoute({
  operationId: 'createWithdrawal',
  method: 'post',
  path: '/api/operations/withdrawal',
  tag,
  summary: 'Pay out to a saved beneficiary',
  description: 'Consumes the quote and answers with the operation as REQUESTED. It settles later: follow its events, or get it.',
  body: WithdrawalRequestSchema,
  status: 201,
  location: '/api/operations/{id}',
  response: OperationSchema,
  errors: [
    'INLINE_BENEFICIARY_NOT_SUPPORTED',
    'INLINE_INSTRUCTION_NOT_SUPPORTED',
    'RESOURCE_NOT_FOUND',
    'QUOTE_EXPIRED',
    'QUOTE_ACCOUNT_MISMATCH',
    'QUOTE_ALREADY_CONSUMED',
    'ACCOUNT_NOT_ACTIVE',
    'ASSET_NOT_ENABLED',
    'PAYMENT_INSTRUCTION_NOT_APPROVED',
    'BENEFICIARY_NOT_APPROVED',
    'INSTRUCTION_ASSET_MISMATCH',
  ],
});

export const createTransferRoute = defineRoute({
  operationId: 'createTransfer',
  method: 'post',
  path: '/api/operations/transfer',
  tag,
  summary: 'Move money to another account of yours',
  description: 'Within one asset, without fees. Needs no quote: the operation carries a 1:1 quote of its own, already consumed.',
  body: TransferRequestSchema,
  status: 201,
  location: '/api/operations/{id}',
  response: OperationSchema,
  errors: ['INVALID_AMOUNT_PRECISION', 'RESOURCE_NOT_FOUND', 'ACCOUNT_NOT_ACTIVE', 'ASSET_NOT_ENABLED'],
});

export const createSwapRoute = defineRoute({
  operationId: 'createSwap',
  method: 'post',
  path: '/api/operations/swap',
  tag,
  summary: 'Convert one asset of an account into another',
  description: 'Consumes the quote, which fixes both amounts. Its two assets have to differ.',
  body: SwapRequestSchema,
  status: 201,
  location: '/api/operations/{id}',
  response: OperationSchema,
  errors: [
    'RESOURCE_NOT_FOUND',
    'QUOTE_EXPIRED',
    'QUOTE_ACCOUNT_MISMATCH',
    'QUOTE_ALREADY_CONSUMED',
    'SWAP_SAME_ASSET',
    'ACCOUNT_NOT_ACTIVE',
    'ASSET_NOT_ENABLED',
  ],
});

export const createDepositRoute = defineRoute({
  operationId: 'createDeposit',
  method: 'post',
  path: '/api/operations/deposit',
  tag,
  summary: 'Announce money that comes in',
  description:
    'Consumes the quote and answers with where to pay its source amount. The operation stays REQUESTED until the payment arrives; ' +
    'a payment of another amount puts it ON_HOLD.',
  body: DepositRequestSchema,
  status: 201,
  location: '/api/operations/{id}',
  response: OperationSchema,
  errors: [
    'RESOURCE_NOT_FOUND',
    'QUOTE_EXPIRED',
    'QUOTE_ACCOUNT_MISMATCH',
    'QUOTE_ALREADY_CONSUMED',
    'ACCOUNT_NOT_ACTIVE',
    'ASSET_NOT_ENABLED',
    'RAIL_NOT_AVAILABLE',
  ],
});

export const getOperationRoute = defineRoute({
  operationId: 'getOperation',
  method: 'get',
  path: '/api/operations/{operationId}',
  tag,
  summary: 'Get an operation',
  description: 'The operation as it is now. PROCESSING, ON_HOLD and ACTION_REQUIRED have no events and are seen here alone.',
  params: OperationParams,
  status: 200,
  response: OperationSchema,
  errors: ['RESOURCE_NOT_FOUND'],
});

/** In the order of the document. */
export const operationRoutes = [
  createWithdrawalRoute,
  createTransferRoute,
  createSwapRoute,
  createDepositRoute,
  getOperationRoute,
] as const;
