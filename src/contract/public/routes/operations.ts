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
  summary: 'Pay a saved beneficiary',
  description: 'Uses the quote and returns the operation as REQUESTED. The operation settles later: wait for its events, or poll it.',
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
  summary: 'Transfer money to another of your accounts',
  description: 'Moves one asset without fees. You need no quote: the operation contains its own 1:1 quote, already used.',
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
  description: 'Uses the quote, which defines both amounts. Its two assets must differ.',
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
  summary: 'Announce a deposit',
  description:
    'Uses the quote and returns the instruction for paying in its source amount. The operation stays REQUESTED until the payment arrives; ' +
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
  description:
    'The operation in its present state. No event is sent for PROCESSING, ON_HOLD and ACTION_REQUIRED; poll this operation to see them.',
  params: OperationParams,
  status: 200,
  response: OperationSchema,
  errors: ['RESOURCE_NOT_FOUND'],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const operationRoutes = [
  createWithdrawalRoute,
  createTransferRoute,
  createSwapRoute,
  createDepositRoute,
  getOperationRoute,
] as const;
