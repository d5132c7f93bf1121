import type { BeneficiaryRequest } from '../../contract/public/beneficiaries.js';
import type { Reason } from '../../contract/shared/common.js';
import {
  decideBeneficiary,
  instructionSubject,
  type BeneficiaryRecord,
  type InstructionRecord,
  decideBeneficiaryReview,
  instructionOf,
  decideInstructionReview,
} from '../../domain/payees/beneficiary.js';
import { defaultReason } from '../../domain/reasons.js';
import { holderProblem } from '../../domain/payees/holder-check.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import { publish } from '../../engine/outbox.js';
import { startPlan, discardPlan } from '../../engine/plans.js';
import { holderFacts, ownerOfInstruction } from '../../engine/owners.js';

/** Creates a beneficiary. The scenario decides the result of the review of the payment instruction. */
export function createBeneficiary(
  uow: UnitOfWork,
  request: BeneficiaryRequest,
): { beneficiary: BeneficiaryRecord; instruction: InstructionRecord } {
  const { beneficiary, instruction, events } = decideBeneficiary(uow, uow.identity.customerId, request, uow.count('beneficiary'));
  uow.put('beneficiaries', beneficiary);
  publish(uow, events);
  startPlan(uow, 'PAYMENT_INSTRUCTION', instruction.id, () => instructionSubject(instruction, beneficiary));
  return { beneficiary, instruction };
}

/**
 * Forces the result of the review of a beneficiary and of its pending payment instructions.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE
 */
export function reviewBeneficiary(
  uow: UnitOfWork,
  { beneficiaryId, to, reason }: { beneficiaryId: string; to: 'APPROVED' | 'REJECTED'; reason: Reason | null },
): BeneficiaryRecord {
  const why = to === 'REJECTED' ? (reason ?? defaultReason('instructionRejected')) : reason;
  const { beneficiary, events } = decideBeneficiaryReview(uow, uow.require('beneficiaries', beneficiaryId, 'beneficiary'), to, why);
  uow.put('beneficiaries', beneficiary);
  publish(uow, events);
  for (const { resourceId } of events) discardPlan(uow, resourceId);
  return beneficiary;
}

/**
 * Ends the compliance review of a payment instruction. An unforced approval becomes a rejection if the destination does not belong to the
 * holder.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE
 */
export function reviewInstruction(
  uow: UnitOfWork,
  {
    instructionId,
    to: target,
    reason,
    forced,
  }: { instructionId: string; to: 'APPROVED' | 'REJECTED'; reason: Reason | null; forced: boolean },
): BeneficiaryRecord {
  const owner = ownerOfInstruction(uow, instructionId);
  const problem = target === 'APPROVED' && !forced ? holderProblem(owner, instructionOf(owner, instructionId), holderFacts(uow)) : null;
  const to = problem ? 'REJECTED' : target;
  const why = problem ? problem : to === 'REJECTED' ? (reason ?? defaultReason('instructionRejected')) : reason;
  const { beneficiary, events } = decideInstructionReview(uow, owner, instructionId, to, why);
  uow.put('beneficiaries', beneficiary);
  publish(uow, events);
  discardPlan(uow, instructionId);
  return beneficiary;
}
