import type { Amount, Reason } from '../../contract/shared/common.js';
import { checkPayment, paymentOf } from '../../domain/operations/deposit.js';
import { customerLedger } from '../../domain/operations/ledger.js';
import { current, invalidStatusChange, isFinal } from '../../domain/machine.js';
import { operationTransitions, type OperationRecord, type OperationStatus } from '../../domain/operations/operation.js';
import { forcible, moveOperation as decide, pathOfPayment, pathTo } from '../../domain/operations/moves.js';
import { settlementFault, settlementPostings } from '../../domain/operations/settlement.js';
import { stepTarget } from '../../scenario/steps.js';
import { balanceOf, post } from '../../engine/ledger.js';
import { publish } from '../../engine/outbox.js';
import { discardPlan, pausePlan, resumePlan } from '../../engine/plans.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * The one way for an operation to get on, whoever asks: a step of its scenario or a control call.
 *
 * A natural completion that the account cannot bear becomes a failure; a forced one settles anyway.
 * A forced move also takes over the plan: it stops at ON_HOLD and ACTION_REQUIRED, and goes on from PROCESSING.
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
 * Brings in the money that a deposit waits for. One that is not what was quoted puts the deposit on hold.
 * @param amount of the quote's source asset; exactly the quoted one when left out. A forced one that is finer than the asset is refused, a scenario's is cut.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_AMOUNT_PRECISION, INVALID_STATUS_CHANGE when it waits for none
 */
export function payDeposit(
  uow: UnitOfWork,
  { operationId, amount, forced }: { operationId: string; amount?: string | undefined; forced: boolean },
): OperationRecord {
  const operation = uow.require('operations', operationId, 'operation');
  if (forced) checkPayment(operation, amount);
  const paid = paymentOf(operation, amount);
  return walk(uow, operation, pathOfPayment(operation, paid), forced, paid);
}

/**
 * Lets an operation go on after ON_HOLD or ACTION_REQUIRED, by force.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE from any other status
 */
export function resumeOperation(uow: UnitOfWork, { operationId, reason }: { operationId: string; reason: Reason | null }): OperationRecord {
  const { status } = current(uow.require('operations', operationId, 'operation').states);
  if (status !== 'ON_HOLD' && status !== 'ACTION_REQUIRED') {
    const possible = forcible(status).filter((each) => each !== 'PROCESSING' || status === 'REQUESTED');
    throw invalidStatusChange('operation', operationId, operationTransitions, status, 'PROCESSING', possible);
  }
  return moveOperation(uow, { operationId, to: 'PROCESSING', reason, forced: true });
}

/** Takes an operation along a path; the last status gets the reason. */
function walk(
  uow: UnitOfWork,
  start: OperationRecord,
  { path, reason }: { path: readonly OperationStatus[]; reason: Reason | null },
  forced: boolean,
  paid?: Amount,
): OperationRecord {
  let operation = start;
  for (const [index, next] of path.entries()) {
    const fault = next === 'COMPLETED' && !forced ? faultOf(uow, operation) : null;
    const why = index === path.length - 1 ? reason : null;
    const moved = fault ? decide(uow, operation, 'FAILED', fault) : decide(uow, operation, next, why, paid);
    operation = moved.operation;
    uow.put('operations', operation);
    if (current(operation.states).status === 'COMPLETED') post(uow, settlementPostings(operation), operation.id);
    publish(uow, moved.events);
  }
  const { status } = current(operation.states);
  if (isFinal(operationTransitions, status)) discardPlan(uow, operation.id);
  else if (forced && status === 'PROCESSING')
    resumePlan(uow, operation.id, (step) => operationTransitions[status].includes(stepTarget(step) as OperationStatus));
  else if (forced) pausePlan(uow, operation.id);
  return operation;
}

function faultOf(uow: UnitOfWork, operation: OperationRecord): Reason | null {
  return settlementFault(operation, {
    account: (accountId) => uow.require('accounts', accountId, 'account'),
    balance: (accountId, asset) => balanceOf(uow, customerLedger(accountId), asset),
  });
}
