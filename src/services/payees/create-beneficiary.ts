import type { BeneficiaryRequest } from '../../contract/public/beneficiaries.js';
import {
  createBeneficiary as decide,
  instructionSubject,
  type BeneficiaryRecord,
  type InstructionRecord,
} from '../../domain/payees/beneficiary.js';
import { publish } from '../../engine/outbox.js';
import { startPlan } from '../../engine/plans.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Creates a beneficiary. The scenario decides the result of the review of the payment instruction. */
export function createBeneficiary(
  uow: UnitOfWork,
  request: BeneficiaryRequest,
): { beneficiary: BeneficiaryRecord; instruction: InstructionRecord } {
  const { beneficiary, instruction, events } = decide(uow, uow.identity.customerId, request, uow.count('beneficiary'));
  uow.put('beneficiaries', beneficiary);
  publish(uow, events);
  startPlan(uow, 'PAYMENT_INSTRUCTION', instruction.id, () => instructionSubject(instruction, beneficiary));
  return { beneficiary, instruction };
}
