import type { WithdrawalRequest } from '../../contract/public/operations.js';
import type { TransferRequest, SwapRequest } from '../../contract/public/transfers.js';
import type { DepositRequest } from '../../contract/public/deposits.js';
import { notFound } from '../../domain/errors.js';
import type { OperationRecord } from '../../domain/operations/operation.js';
import { decideWithdrawal } from '../../domain/operations/withdrawal.js';
import { decideTransfer } from '../../domain/operations/transfer.js';
import { decideSwap } from '../../domain/operations/swap.js';
import { decideDeposit } from '../../domain/operations/deposit.js';
import { isBusinessDay } from '../../domain/calendars/business-days.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import { beginOperation, planExpiry } from '../../engine/operations.js';

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

  return beginOperation(uow, decideWithdrawal(uow, { account, quote, beneficiary, instruction }, uow.count('operation')));
}

/**
 * Creates a transfer to another account of the customer. The scenario decides the later statuses.
 * @throws DomainError RESOURCE_NOT_FOUND (source, then target account), ACCOUNT_NOT_ACTIVE, ASSET_NOT_ENABLED
 */
export function createTransfer(uow: UnitOfWork, { sourceAccountId, targetAccountId, amount }: TransferRequest): OperationRecord {
  const source = uow.require('accounts', sourceAccountId, 'account');
  const target = uow.require('accounts', targetAccountId, 'account');
  const seq = { operation: uow.count('operation'), quote: uow.count('quote') };
  return beginOperation(uow, decideTransfer(uow, { source, target, amount }, uow.pricing, seq));
}

/**
 * Creates a swap from a quote. The scenario decides the later statuses.
 * @throws DomainError RESOURCE_NOT_FOUND (account, quote), then business errors
 */
export function createSwap(uow: UnitOfWork, { accountId, quoteId }: SwapRequest): OperationRecord {
  const account = uow.require('accounts', accountId, 'account');
  const quote = uow.require('quotes', quoteId, 'quote');
  return beginOperation(uow, decideSwap(uow, account, quote, uow.count('operation')));
}

/**
 * Creates a deposit. The operation contains the instruction for the payment. The scenario decides when the payment arrives.
 * @throws DomainError RESOURCE_NOT_FOUND (account, quote), then business errors
 */
export function createDeposit(uow: UnitOfWork, { accountId, quoteId, fundingInstruction }: DepositRequest): OperationRecord {
  const account = uow.require('accounts', accountId, 'account');
  const quote = uow.require('quotes', quoteId, 'quote');
  const isBankDay = (day: string) => isBusinessDay(day, uow.calendars.BR);
  const deposit = decideDeposit(uow, { account, quote, funding: fundingInstruction, isBusinessDay: isBankDay }, uow.count('operation'));
  const operation = beginOperation(uow, deposit);
  if (deposit.expiresAt !== null) planExpiry(uow, operation, deposit.expiresAt);
  return operation;
}
