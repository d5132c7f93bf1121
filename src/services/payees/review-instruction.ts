import type { Reason } from '../../contract/shared/common.js';
import { reviewInstruction as decide, type BeneficiaryRecord } from '../../domain/payees/beneficiary.js';
import { defaultReason } from '../../domain/reasons.js';
import { ownerOfInstruction } from '../../engine/owners.js';
import { publish } from '../../engine/outbox.js';
import { discardPlan } from '../../engine/plans.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Ends the compliance review of a payment instruction.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE
 */
export function reviewInstruction(
  uow: UnitOfWork,
  { instructionId, to, reason }: { instructionId: string; to: 'APPROVED' | 'REJECTED'; reason: Reason | null },
): BeneficiaryRecord {
  const owner = ownerOfInstruction(uow, instructionId);
  const why = to === 'REJECTED' ? (reason ?? defaultReason('instructionRejected')) : reason;
  const { beneficiary, events } = decide(uow, owner, instructionId, to, why);
  uow.put('beneficiaries', beneficiary);
  publish(uow, events);
  discardPlan(uow, instructionId);
  return beneficiary;
}
