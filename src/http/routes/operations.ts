import { z } from '@hono/zod-openapi';
import { UuidSchema } from '../../contract/common.js';
import { OperationSchema, WithdrawalRequestSchema } from '../../contract/operations.js';
import { operationView } from '../../domain/operation.js';
import { createWithdrawal } from '../../services/create-withdrawal.js';
import { defineRoute } from '../../web/route.js';
import type { PublicPlane } from '../plane.js';

const tag = 'Operations';

const createWithdrawalRoute = defineRoute({
  operationId: 'createWithdrawal',
  method: 'post',
  path: '/api/operations/withdrawal',
  tag,
  summary: 'Pay out to a saved beneficiary',
  description: 'Consumes the quote and answers with the operation as REQUESTED. It settles later: follow its events, or get it.',
  body: WithdrawalRequestSchema,
  status: 201,
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
    'BENEFICIARY_NOT_APPROVED',
    'PAYMENT_INSTRUCTION_NOT_APPROVED',
    'INSTRUCTION_ASSET_MISMATCH',
  ],
});

const getOperationRoute = defineRoute({
  operationId: 'getOperation',
  method: 'get',
  path: '/api/operations/{operationId}',
  tag,
  summary: 'Get an operation',
  params: z.object({ operationId: UuidSchema }),
  status: 200,
  response: OperationSchema,
  errors: ['RESOURCE_NOT_FOUND'],
});

export function serveOperations(plane: PublicPlane): void {
  const { scenarios } = plane.sandbox.options;
  plane.serve(createWithdrawalRoute, (uow, { body }) => operationView(createWithdrawal(uow, scenarios, body)));
  plane.serve(getOperationRoute, (uow, { params }) => operationView(uow.require('operations', params.operationId, 'operation')));
}
