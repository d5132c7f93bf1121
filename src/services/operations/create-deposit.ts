import type { DepositRequest } from '../../contract/public/deposits.js';
import { createDeposit as decide } from '../../domain/operations/deposit.js';
import type { OperationRecord } from '../../domain/operations/operation.js';
import { isBusinessDay } from '../../domain/calendars/business-days.js';
import { planExpiry } from '../../engine/expiry.js';
import { beginOperation } from '../../engine/begin-operation.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Creates a deposit. The operation contains the instruction for the payment. The scenario decides when the payment arrives.
 * @throws DomainError RESOURCE_NOT_FOUND (account, quote), then business errors
 */
export function createDeposit(uow: UnitOfWork, { accountId, quoteId, fundingInstruction }: DepositRequest): OperationRecord {
  const account = uow.require('accounts', accountId, 'account');
  const quote = uow.require('quotes', quoteId, 'quote');
  const isBankDay = (day: string) => isBusinessDay(day, uow.calendars.BR);
  const deposit = decide(uow, { account, quote, funding: fundingInstruction, isBusinessDay: isBankDay }, uow.count('operation'));
  const operation = beginOperation(uow, deposit);
  if (deposit.expiresAt !== null) planExpiry(uow, operation, deposit.expiresAt);
  return operation;
}
