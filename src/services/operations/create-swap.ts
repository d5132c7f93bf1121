import type { SwapRequest } from '../../contract/public/transfers.js';
import type { OperationRecord } from '../../domain/operations/operation.js';
import { createSwap as decide } from '../../domain/operations/swap.js';
import { beginOperation } from '../../engine/begin-operation.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Creates a swap from a quote. The scenario decides the later statuses.
 * @throws DomainError RESOURCE_NOT_FOUND (account, quote), then business errors
 */
export function createSwap(uow: UnitOfWork, { accountId, quoteId }: SwapRequest): OperationRecord {
  const account = uow.require('accounts', accountId, 'account');
  const quote = uow.require('quotes', quoteId, 'quote');
  return beginOperation(uow, decide(uow, account, quote, uow.count('operation')));
}
