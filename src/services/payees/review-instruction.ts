import type { Reason } from '../../contract/shared/common.js';
import { reviewInstruction as decide, type BeneficiaryRecord } from '../../domain/payees/beneficiary.js';
import { notFound } from '../../domain/errors.js';
import { defaultReason } from '../../domain/reasons.js';
import { publish } from '../../engine/outbox.js';
import { discardPlan } from '../../engine/plans.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Ends the compliance review of a payment instruction, by its scenario or by force.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE
 */
export function reviewInstruction(
  uow: UnitOfWork,
  instructionId: string,
  to: 'APPROVED' | 'REJECTED',
  reason: Reason | null,
): BeneficiaryRecord {
  const owner = ownerOf(uow, instructionId);
  const why = to === 'REJECTED' ? (reason ?? defaultReason('instructionRejected')) : reason;
  const { beneficiary, events } = decide(uow, owner, instructionId, to, why);
  uow.put('beneficiaries', beneficiary);
  publish(uow, events);
  discardPlan(uow, instructionId);
  return beneficiary;
}

/** The beneficiary that a payment instruction belongs to. @throws DomainError RESOURCE_NOT_FOUND */
export function ownerOf(uow: UnitOfWork, instructionId: string): BeneficiaryRecord {
  for (const beneficiary of uow.find('beneficiaries', 'instruction', instructionId)) return beneficiary;
  throw notFound('paymentInstruction', { id: instructionId });
}
