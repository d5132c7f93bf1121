import { operationView } from '../../../domain/operations/operation.js';
import { createDeposit } from '../../../services/operations/create-deposit.js';
import { createSwap } from '../../../services/operations/create-swap.js';
import { createTransfer } from '../../../services/operations/create-transfer.js';
import { createWithdrawal } from '../../../services/operations/create-withdrawal.js';
import { rendered } from '../../plane/rendered.js';
import type { PublicPlane } from '../plane.js';
import {
  createWithdrawalRoute,
  createTransferRoute,
  createSwapRoute,
  createDepositRoute,
  getOperationRoute,
} from '../../../contract/public/routes/operations.js';

export function serveOperations(plane: PublicPlane): void {
  plane.serveWrite(createWithdrawalRoute, (uow, { body }) => operationView(createWithdrawal(uow, body)));
  plane.serveWrite(createTransferRoute, (uow, { body }) => operationView(createTransfer(uow, body)));
  plane.serveWrite(createSwapRoute, (uow, { body }) => operationView(createSwap(uow, body)));
  plane.serveWrite(createDepositRoute, (uow, { body }) => operationView(createDeposit(uow, body)));
  plane.serveRead(getOperationRoute, (view, { params }) =>
    rendered(view.require('operations', params.operationId, 'operation'), operationView),
  );
}
