import { DomainError } from '../domain/errors.js';
import { givenReason, kinds } from '../domain/kinds.js';
import { current, invalidStatusChange } from '../domain/machine.js';
import { forcible } from '../domain/operations/moves.js';
import { operationTransitions, type OperationRecord } from '../domain/operations/operation.js';
import { nextStep, stepDone } from '../engine/plans.js';
import { stepTarget } from '../scenario/steps.js';
import type { Fired } from '../world/ticker.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { ResourceTrigger } from '../contract/shared/kinds.js';
import { kindServices, type KindServices } from './kinds.js';

/** Takes the next scheduled scenario step of a resource. Returns null if there is none, or if it is skipped as not legal now. */
export function takeStep(uow: UnitOfWork, { id }: { id: string }): Fired | null {
  const planned = nextStep(uow, id);
  if (!planned) return null;
  const { plan, step } = planned;
  const from = kindServices[plan.on].find(uow, id)?.status;
  if (from === undefined) return null;
  const target = stepTarget(step);
  const isLegal = kinds[plan.on].transitions[from]?.includes(target) ?? false;
  const move = {
    id,
    to: target,
    reason: step.reason ? givenReason(plan.on, step.reason) : null,
    forced: false,
    ...(step.pay ? { pay: step.pay } : {}),
  };
  const to = isLegal ? moved(uow, plan.on, move) : null;
  stepDone(uow, id, to === null ? from : null);
  return to === null ? null : { at: uow.now, kind: 'STEP', resource: plan.on, id, from, to };
}

/** Moves a resource to a status and returns the new status; null if this is impossible, for example because the history is full. */
function moved(uow: UnitOfWork, on: ResourceTrigger, move: Parameters<KindServices['move']>[1]): string | null {
  try {
    return kindServices[on].move(uow, move);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_STATUS_CHANGE') return null;
    throw error;
  }
}

/**
 * Takes the next scheduled step of an operation now.
 * @throws DomainError RESOURCE_NOT_FOUND; INVALID_STATUS_CHANGE if there is no legal step
 */
export function takeNextStep(uow: UnitOfWork, { operationId }: { operationId: string }): OperationRecord {
  const { status } = current(uow.require('operations', operationId, 'operation').states);
  if (takeStep(uow, { id: operationId }) === null) {
    const { details } = invalidStatusChange('operation', operationId, operationTransitions, status, status, forcible(status));
    const message = `Operation ${operationId} is ${status}; none of its scheduled steps can run now.`;
    throw new DomainError('INVALID_STATUS_CHANGE', message, details);
  }
  return uow.require('operations', operationId, 'operation');
}
