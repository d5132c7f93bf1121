import type { Reason } from '../contract/common.js';
import { customerLedger } from '../domain/ledger.js';
import { current, isFinal } from '../domain/machine.js';
import { operationTransitions, type OperationRecord, type OperationStatus } from '../domain/operation.js';
import { moveOperation as decide, pathTo } from '../domain/operation-moves.js';
import { settlementFault, settlementPostings } from '../domain/settlement.js';
import { balanceOf, post } from '../world/ledger.js';
import { publish } from '../world/outbox.js';
import { discardPlan, pausePlan, resumePlan } from '../world/plans.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

/**
 * The one way for an operation to get on, whoever asks: a step of its scenario or a control call.
 *
 * A natural completion that the account cannot bear becomes a failure; a forced one settles anyway.
 * A forced move also takes over the plan: it stops at ON_HOLD and ACTION_REQUIRED, and goes on from PROCESSING.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE
 */
export function moveOperation(
  uow: UnitOfWork,
  operationId: string,
  target: OperationStatus,
  { reason, forced }: { reason: Reason | null; forced: boolean },
): OperationRecord {
  let operation = uow.require('operations', operationId, 'operation');
  for (const status of forced ? pathTo(operation, target) : [target]) {
    const fault = status === 'COMPLETED' && !forced ? faultOf(uow, operation) : null;
    const moved = fault ? decide(uow, operation, 'FAILED', fault) : decide(uow, operation, status, status === target ? reason : null);
    operation = moved.operation;
    uow.put('operations', operation);
    if (current(operation.states).status === 'COMPLETED') post(uow, settlementPostings(operation), operation.id);
    publish(uow, moved.events);
  }
  const { status } = current(operation.states);
  if (isFinal(operationTransitions, status)) discardPlan(uow, operation.id);
  else if (forced && status === 'PROCESSING')
    resumePlan(uow, operation.id, (step) => operationTransitions[status].includes(step.to as OperationStatus));
  else if (forced) pausePlan(uow, operation.id);
  return operation;
}

function faultOf(uow: UnitOfWork, operation: OperationRecord): Reason | null {
  return settlementFault(operation, {
    account: (accountId) => uow.require('accounts', accountId, 'account'),
    balance: (accountId, asset) => balanceOf(uow, customerLedger(accountId), asset),
  });
}
