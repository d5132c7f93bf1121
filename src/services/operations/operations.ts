import type { WithdrawalRequest } from '../../contract/public/operations.js';
import type { TransferRequest, SwapRequest } from '../../contract/public/transfers.js';
import type { DepositRequest } from '../../contract/public/deposits.js';
import { notFound } from '../../domain/errors.js';
import { type OperationRecord, operationTransitions, type OperationStatus } from '../../domain/operations/operation.js';
import { decideWithdrawal } from '../../domain/operations/withdrawal.js';
import { decideTransfer } from '../../domain/operations/transfer.js';
import { decideSwap } from '../../domain/operations/swap.js';
import { decideDeposit, awaitsPayment, checkPayment, overdueReason, paymentOf, type Payment } from '../../domain/operations/deposit.js';
import { isBusinessDay } from '../../domain/calendars/business-days.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import { beginOperation, planExpiry, cancelExpiry } from '../../engine/operations.js';
import type { Payer } from '../../contract/public/transactions.js';
import type { Reason } from '../../contract/shared/common.js';
import { customerLedger } from '../../domain/operations/ledger.js';
import { current, invalidStatusChange, isFinal } from '../../domain/machine.js';
import { forcible, decideOperationMove, pathOfPayment, pathTo } from '../../domain/operations/moves.js';
import { settlementProblem, settlementPostings } from '../../domain/operations/settlement.js';
import { stepTarget } from '../../scenario/steps.js';
import { balanceOf, post } from '../../engine/ledger.js';
import { publish } from '../../engine/outbox.js';
import { discardPlan, pausePlan, resumePlan } from '../../engine/plans.js';
import type { Fired } from '../../world/ticker.js';

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

/**
 * Changes the status of an operation, for a scenario step or by force. All status changes of operations go through this file.
 *
 * An unforced completion fails the operation if an account or asset is not active or the funds are insufficient. A forced one settles.
 * A forced change also controls the scheduled steps: PROCESSING resumes them, and any other status that is not final pauses them.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE
 */
export function moveOperation(
  uow: UnitOfWork,
  { operationId, to, reason, forced }: { operationId: string; to: OperationStatus; reason: Reason | null; forced: boolean },
): OperationRecord {
  const operation = uow.require('operations', operationId, 'operation');
  return walk(uow, operation, { path: forced ? pathTo(operation, to) : [to], reason }, forced);
}

/**
 * Pays a deposit. The deposit is held if the amount differs from the quoted amount.
 * @param amount in the source asset. Default: the quoted amount. Excess decimal places are rejected if `forced`, else cut off.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_AMOUNT_PRECISION, INVALID_STATUS_CHANGE if the operation does not wait for a payment
 */
export function payDeposit(
  uow: UnitOfWork,
  { operationId, amount, payer, forced }: { operationId: string; amount?: string | undefined; payer?: Payer | undefined; forced: boolean },
): OperationRecord {
  const operation = uow.require('operations', operationId, 'operation');
  if (forced) checkPayment(operation, amount);
  const payment = paymentOf(operation, amount, payer);
  return walk(uow, operation, pathOfPayment(operation, payment), forced, payment);
}

/**
 * Forces an operation to continue after ON_HOLD or ACTION_REQUIRED.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE if the operation has any other status
 */
export function resumeOperation(uow: UnitOfWork, { operationId, reason }: { operationId: string; reason: Reason | null }): OperationRecord {
  const { status } = current(uow.require('operations', operationId, 'operation').states);
  if (status !== 'ON_HOLD' && status !== 'ACTION_REQUIRED') {
    const possible = forcible(status).filter((each) => each !== 'PROCESSING' || status === 'REQUESTED');
    throw invalidStatusChange('operation', operationId, operationTransitions, status, 'PROCESSING', possible);
  }
  return moveOperation(uow, { operationId, to: 'PROCESSING', reason, forced: true });
}

/** Fails a deposit whose payment is overdue. Returns null if the deposit no longer waits for a payment. */
export function expireDeposit(uow: UnitOfWork, { operationId }: { operationId: string }): Fired | null {
  const operation = uow.get('operations', operationId);
  if (!operation || !awaitsPayment(operation)) return null;
  const { status: from } = current(operation.states);
  if (from !== 'REQUESTED') return null;
  const { states } = walk(uow, operation, { path: ['FAILED'], reason: overdueReason(uow.now) }, false);
  return { at: uow.now, kind: 'EXPIRY', resource: 'OPERATION', id: operationId, from, to: current(states).status };
}

/** Moves an operation through the statuses of a path. Only the last status gets the reason. */
function walk(
  uow: UnitOfWork,
  start: OperationRecord,
  { path, reason }: { path: readonly OperationStatus[]; reason: Reason | null },
  forced: boolean,
  payment?: Payment,
): OperationRecord {
  let operation = start;
  for (const [index, next] of path.entries()) {
    const problem = next === 'COMPLETED' && !forced ? problemOf(uow, operation) : null;
    const why = index === path.length - 1 ? reason : null;
    const moved = problem
      ? decideOperationMove(uow, operation, 'FAILED', problem)
      : decideOperationMove(uow, operation, next, why, payment);
    operation = moved.operation;
    uow.put('operations', operation);
    if (current(operation.states).status === 'COMPLETED')
      post(uow, settlementPostings(operation), operation.id, operation.transactions[0]?.payer);
    publish(uow, moved.events);
  }
  const { status } = current(operation.states);
  if (!awaitsPayment(operation) || isFinal(operationTransitions, status)) cancelExpiry(uow, operation.id);
  if (isFinal(operationTransitions, status)) discardPlan(uow, operation.id);
  else if (forced && status === 'PROCESSING')
    resumePlan(uow, operation.id, (step) => operationTransitions[status].includes(stepTarget(step) as OperationStatus));
  else if (forced) pausePlan(uow, operation.id);
  return operation;
}

function problemOf(uow: UnitOfWork, operation: OperationRecord): Reason | null {
  return settlementProblem(operation, {
    account: (accountId) => uow.require('accounts', accountId, 'account'),
    balance: (accountId, asset) => balanceOf(uow, customerLedger(accountId), asset),
  });
}
