import type { Reason } from '../../contract/shared/common.js';
import { reviewBeneficiary as decide, type BeneficiaryRecord } from '../../domain/payees/beneficiary.js';
import { defaultReason } from '../../domain/reasons.js';
import { publish } from '../../engine/outbox.js';
import { discardPlan } from '../../engine/plans.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Forces the result of the review of a beneficiary and of its pending payment instructions.
 * @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE
 */
export function reviewBeneficiary(
  uow: UnitOfWork,
  { beneficiaryId, to, reason }: { beneficiaryId: string; to: 'APPROVED' | 'REJECTED'; reason: Reason | null },
): BeneficiaryRecord {
  const why = to === 'REJECTED' ? (reason ?? defaultReason('instructionRejected')) : reason;
  const { beneficiary, events } = decide(uow, uow.require('beneficiaries', beneficiaryId, 'beneficiary'), to, why);
  uow.put('beneficiaries', beneficiary);
  publish(uow, events);
  for (const { resourceId } of events) discardPlan(uow, resourceId);
  return beneficiary;
}
