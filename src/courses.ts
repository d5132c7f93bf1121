import type { Reason } from './contract/common.js';
import type { ScenarioStep } from './contract/scenario.js';
import type { ResourceTrigger } from './contract/settings.js';
import { awaitsPayment } from './domain/deposit.js';
import { instructionOf, instructionTransitions, type ReviewStatus } from './domain/beneficiary.js';
import { current, type Transitions } from './domain/machine.js';
import { operationTransitions, type OperationStatus } from './domain/operation.js';
import { stepReason, stepTarget } from './scenario/steps.js';
import { moveOperation, payDeposit } from './services/move-operation.js';
import { ownerOf, reviewInstruction } from './services/review-instruction.js';
import { nextStep, stepDone } from './world/plans.js';
import type { Fired } from './world/ticker.js';
import type { UnitOfWork } from './world/unit-of-work.js';

/** How a scenario's step reaches one kind of thing. */
interface Course {
  readonly transitions: Transitions<string>;
  /** Its present status. */
  statusOf(uow: UnitOfWork, id: string): string;
  /** Moves it by itself, as opposed to by force, and returns where it came to; null when the step has nothing to do. */
  move(uow: UnitOfWork, id: string, to: string, why: Reason | null, step: ScenarioStep): string | null;
}

/** The verbs that steps enter by. The table of each thing has been asked before, so the statuses are its own. */
const courses: Readonly<Record<ResourceTrigger, Course>> = {
  OPERATION: {
    transitions: operationTransitions,
    statusOf: (uow, id) => current(uow.require('operations', id, 'operation').states).status,
    move: (uow, id, to, why, { pay }) => {
      if (pay && !awaitsPayment(uow.require('operations', id, 'operation'))) return null;
      const moved = pay
        ? payDeposit(uow, id, pay.amount, false)
        : moveOperation(uow, id, to as OperationStatus, { reason: why, forced: false });
      return current(moved.states).status;
    },
  },
  PAYMENT_INSTRUCTION: {
    transitions: instructionTransitions,
    statusOf: (uow, id) => current(instructionOf(ownerOf(uow, id), id).states).status,
    move: (uow, id, to, why) => {
      reviewInstruction(uow, id, to as Exclude<ReviewStatus, 'PENDING_REVIEW'>, why);
      return to;
    },
  },
};

/** Takes the step that is next in the plan of a resource; one that is not legal now is left out, and null comes back. */
export function takeStep(uow: UnitOfWork, id: string): Fired | null {
  const planned = nextStep(uow, id);
  if (!planned) return null;
  const { plan, step } = planned;
  const course = courses[plan.on];
  const from = course.statusOf(uow, id);
  const target = stepTarget(step);
  const isLegal = course.transitions[from]?.includes(target) ?? false;
  const to = isLegal ? course.move(uow, id, target, stepReason(step), step) : null;
  stepDone(uow, id, to === null ? from : null);
  return to === null ? null : { at: uow.now, kind: 'STEP', resource: plan.on, id, from, to };
}
