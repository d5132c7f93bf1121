import type { Reason } from '../../contract/shared/common.js';
import { instructionOf, reviewInstruction as decide, type BeneficiaryRecord } from '../../domain/payees/beneficiary.js';
import { defaultReason } from '../../domain/reasons.js';
import { holderProblem } from '../../domain/payees/holder-check.js';
import { holderFacts, ownerOfInstruction } from '../../engine/owners.js';
import { publish } from '../../engine/outbox.js';
import { discardPlan } from '../../engine/plans.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

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
  const { beneficiary, events } = decide(uow, owner, instructionId, to, why);
  uow.put('beneficiaries', beneficiary);
  publish(uow, events);
  discardPlan(uow, instructionId);
  return beneficiary;
}
