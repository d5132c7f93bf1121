import type { WithdrawalRequest } from '../../contract/public/operations.js';
import { notFound } from '../../domain/errors.js';
import type { OperationRecord } from '../../domain/operations/operation.js';
import { createWithdrawal as decide } from '../../domain/operations/withdrawal.js';
import { beginOperation } from '../../engine/begin-operation.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Creates a withdrawal and consumes its quote. The scenario decides the later statuses.
 * @throws DomainError RESOURCE_NOT_FOUND (account, quote, beneficiary, paymentInstruction), then business errors
 */
export function createWithdrawal(uow: UnitOfWork, request: WithdrawalRequest): OperationRecord {
  const account = uow.require('accounts', request.accountId, 'account');
  const quote = uow.require('quotes', request.quoteId, 'quote');
  const beneficiary = uow.require('beneficiaries', request.beneficiary.id, 'beneficiary');
  const instructionId = request.beneficiary.paymentInstruction.id;
  const instruction = beneficiary.paymentInstructions.find((each) => each.id === instructionId);
  if (!instruction) throw notFound('paymentInstruction', { id: instructionId });

  return beginOperation(uow, decide(uow, { account, quote, beneficiary, instruction }, uow.count('operation')));
}
