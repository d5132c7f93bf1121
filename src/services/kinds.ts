import type { Reason } from '../contract/shared/common.js';
import type { ScenarioStep } from '../contract/scenario/scenario.js';
import type { ResourceTrigger } from '../contract/scenario/settings.js';
import {
  accountAssetTransitions,
  accountTransitions,
  assetParts,
  type AccountAssetStatus,
  type AccountStatus,
} from '../domain/accounts/account.js';
import { assetStatus, isInVerification } from '../domain/accounts/moves.js';
import { awaitsPayment } from '../domain/operations/deposit.js';
import { instructionOf, instructionTransitions, type ReviewStatus } from '../domain/payees/beneficiary.js';
import { documentTransitions } from '../domain/accounts/document.js';
import { current, type Transitions } from '../domain/machine.js';
import { operationTransitions, type OperationStatus } from '../domain/operations/operation.js';
import { uboTransitions } from '../domain/accounts/ubo.js';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import { stepReason, stepTarget } from '../scenario/steps.js';
import { moveAccount } from './accounts/move-account.js';
import { moveAsset } from './accounts/move-asset.js';
import { moveOperation, payDeposit } from './operations/move-operation.js';
import { reviewDocument } from './accounts/review-document.js';
import { ownerOf, reviewInstruction } from './payees/review-instruction.js';
import { reviewUbo } from './accounts/review-ubo.js';
import { requireUbo } from '../engine/owners.js';
import { nextStep, stepDone } from '../engine/plans.js';
import type { Fired } from '../world/ticker.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

/** How a scenario's step reaches one kind of thing. */
interface Course {
  readonly transitions: Transitions<string>;
  /** Its present status. */
  statusOf(uow: UnitOfWork, id: string): string;
  /** Moves it by itself, as opposed to by force, and returns where it came to; null when the step has nothing to do. */
  move(uow: UnitOfWork, id: string, to: string, why: Reason | null, step: ScenarioStep, scenarios: ScenarioCatalogue): string | null;
}

type ReviewResult = 'APPROVED' | 'REJECTED';

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
  DOCUMENT: {
    transitions: documentTransitions,
    statusOf: (uow, id) => current(uow.require('documents', id, 'document').states).status,
    move: (uow, id, to, why, _step, scenarios) => {
      const { accountId } = uow.require('documents', id, 'document');
      if (!isInVerification(uow.require('accounts', accountId, 'account'))) return null;
      return current(reviewDocument(uow, scenarios, id, to as ReviewResult, { reason: why, forced: false }).states).status;
    },
  },
  UBO: {
    transitions: uboTransitions,
    statusOf: (uow, id) => current(requireUbo(uow, id).ubo.states).status,
    move: (uow, id, to, why, _step, scenarios) => current(reviewUbo(uow, scenarios, id, to as ReviewResult, why).states).status,
  },
  ACCOUNT: {
    transitions: accountTransitions,
    statusOf: (uow, id) => current(uow.require('accounts', id, 'account').states).status,
    move: (uow, id, to, why, _step, scenarios) => {
      moveAccount(uow, scenarios, id, to as AccountStatus, { reason: why, forced: false });
      return to;
    },
  },
  ASSET: {
    transitions: accountAssetTransitions,
    statusOf: (uow, id) => {
      const [accountId, asset] = assetParts(id);
      return assetStatus(uow.require('accounts', accountId, 'account'), asset);
    },
    move: (uow, id, to, why, _step, scenarios) => {
      const [accountId, asset] = assetParts(id);
      moveAsset(uow, scenarios, accountId, asset, to as AccountAssetStatus, { reason: why, forced: false });
      return to;
    },
  },
};

/** Takes the step that is next in the plan of a resource; one that is not legal now is left out, and null comes back. */
export function takeStep(uow: UnitOfWork, scenarios: ScenarioCatalogue, id: string): Fired | null {
  const planned = nextStep(uow, id);
  if (!planned) return null;
  const { plan, step } = planned;
  const course = courses[plan.on];
  const from = course.statusOf(uow, id);
  const target = stepTarget(step);
  const isLegal = course.transitions[from]?.includes(target) ?? false;
  const to = isLegal ? course.move(uow, id, target, stepReason(step, plan.on), step, scenarios) : null;
  stepDone(uow, id, to === null ? from : null);
  return to === null ? null : { at: uow.now, kind: 'STEP', resource: plan.on, id, from, to };
}
