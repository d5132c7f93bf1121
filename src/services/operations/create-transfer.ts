import type { TransferRequest } from '../../contract/public/transfers.js';
import type { OperationRecord } from '../../domain/operations/operation.js';
import { createTransfer as decide } from '../../domain/operations/transfer.js';
import { beginOperation } from '../../engine/begin-operation.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Creates a transfer to another account of the customer. The scenario decides the later statuses.
 * @throws DomainError RESOURCE_NOT_FOUND (source, then target account), ACCOUNT_NOT_ACTIVE, ASSET_NOT_ENABLED
 */
export function createTransfer(uow: UnitOfWork, { sourceAccountId, targetAccountId, amount }: TransferRequest): OperationRecord {
  const source = uow.require('accounts', sourceAccountId, 'account');
  const target = uow.require('accounts', targetAccountId, 'account');
  const seq = { operation: uow.count('operation'), quote: uow.count('quote') };
  return beginOperation(uow, decide(uow, { source, target, amount }, uow.pricing, seq));
}
