import type { Reason } from '../../contract/shared/common.js';
import type { Address } from '../../contract/shared/address.js';
import type { Beneficiary, BeneficiaryRequest, Holder, PaymentInstruction, reviewStatuses } from '../../contract/public/beneficiaries.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import type { InstructionAddress } from '../../contract/shared/instruction-address.js';
import type { InstructionEvent } from '../../contract/public/events.js';
import type { DomainEvent } from '../event.js';
import { checkMove, current, historyEntry, historyView, withStatus, type StateRecord, type Transitions } from '../machine.js';
import { addressOf } from './payment-instruction.js';
import { postalAddressOf } from '../accounts/postal-address.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { timestampFilters } from '../lists/common-fields.js';
import { text, type FilterFields } from '../lists/fields.js';

export type ReviewStatus = (typeof reviewStatuses)[number];

/** Status changes of a payment instruction, which is reviewed once. */
export const instructionTransitions: Transitions<ReviewStatus> = {
  PENDING_REVIEW: ['APPROVED', 'REJECTED'],
  APPROVED: [],
  REJECTED: [],
};

/** Status changes of a beneficiary, caused by the reviews of its instructions. A forced change can also reverse a result. */
export const beneficiaryTransitions: Transitions<ReviewStatus> = {
  PENDING_REVIEW: ['APPROVED', 'REJECTED'],
  APPROVED: ['REJECTED'],
  REJECTED: ['APPROVED'],
};

export interface InstructionRecord {
  readonly id: string;
  readonly asset: PaymentInstruction['asset'];
  readonly type: PaymentInstruction['type'];
  readonly address: InstructionAddress;
  readonly states: readonly StateRecord<ReviewStatus>[];
  readonly createdAt: string;
}

export interface BeneficiaryRecord {
  readonly id: string;
  readonly seq: number;
  readonly customerId: string;
  readonly holder: Holder;
  readonly relationshipType: Beneficiary['relationshipType'];
  readonly states: readonly StateRecord<ReviewStatus>[];
  readonly paymentInstructions: readonly InstructionRecord[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

function holderOf(request: BeneficiaryRequest['holder']): Holder {
  const address: Address | null = request.address ? postalAddressOf(request.address) : null;
  return request.type === 'COMPANY'
    ? { type: request.type, legalName: request.legalName, tradeName: request.tradeName ?? null, taxId: request.taxId, address }
    : {
        type: request.type,
        firstName: request.firstName,
        lastName: request.lastName,
        taxId: request.taxId,
        dateOfBirth: request.dateOfBirth,
        address,
      };
}

/** Creates a beneficiary with its first payment instruction. Both wait for review. */
export function decideBeneficiary(
  context: Context,
  customerId: string,
  request: BeneficiaryRequest,
  seq: number,
): { beneficiary: BeneficiaryRecord; instruction: InstructionRecord; events: DomainEvent[] } {
  const pending = [historyEntry<ReviewStatus>(context, 'PENDING_REVIEW')];
  const instruction: InstructionRecord = {
    id: context.newId('paymentInstruction'),
    asset: request.paymentInstruction.asset,
    type: request.paymentInstruction.type,
    address: addressOf(request.paymentInstruction),
    states: pending,
    createdAt: context.now,
  };
  const beneficiary: BeneficiaryRecord = {
    id: context.deriveId('beneficiary', String(seq)),
    seq,
    customerId,
    holder: holderOf(request.holder),
    relationshipType: request.relationshipType,
    states: pending,
    paymentInstructions: [instruction],
    createdAt: context.now,
    updatedAt: context.now,
  };
  return {
    beneficiary,
    instruction,
    events: [instructionEvent('BENEFICIARY_PAYMENT_INSTRUCTION_CREATED', beneficiary, instruction)],
  };
}

/**
 * Ends the review of an instruction. The beneficiary is approved with its first approved instruction, and rejected after all are rejected.
 * @throws DomainError INVALID_STATUS_CHANGE
 */
export function decideInstructionReview(
  context: Context,
  beneficiary: BeneficiaryRecord,
  instructionId: string,
  to: 'APPROVED' | 'REJECTED',
  reason: Reason | null,
): { beneficiary: BeneficiaryRecord; events: DomainEvent[] } {
  const instruction = instructionOf(beneficiary, instructionId);
  const moving = { resource: 'paymentInstruction', id: instruction.id, transitions: instructionTransitions, states: instruction.states };
  const reviewed: InstructionRecord = { ...instruction, states: withStatus(context, moving, to, reason) };
  const paymentInstructions = beneficiary.paymentInstructions.map((each) => (each.id === reviewed.id ? reviewed : each));
  const follows =
    current(beneficiary.states).status === 'PENDING_REVIEW' &&
    (to === 'APPROVED' || paymentInstructions.every((each) => current(each.states).status === 'REJECTED'));
  const next: BeneficiaryRecord = {
    ...beneficiary,
    paymentInstructions,
    states: follows ? statesWith(context, beneficiary, to, reason) : beneficiary.states,
    updatedAt: context.now,
  };
  return { beneficiary: next, events: [instructionEvent(`BENEFICIARY_PAYMENT_INSTRUCTION_${to}`, next, reviewed)] };
}

/**
 * Forces the result of a beneficiary's review. Its pending instructions get the same result; the others do not change.
 * @throws DomainError INVALID_STATUS_CHANGE
 */
export function decideBeneficiaryReview(
  context: Context,
  beneficiary: BeneficiaryRecord,
  to: 'APPROVED' | 'REJECTED',
  reason: Reason | null,
): { beneficiary: BeneficiaryRecord; events: DomainEvent[] } {
  checkMove('beneficiary', beneficiary.id, beneficiaryTransitions, current(beneficiary.states).status, to);
  let next = beneficiary;
  const events: DomainEvent[] = [];
  for (const { id, states } of beneficiary.paymentInstructions) {
    if (current(states).status !== 'PENDING_REVIEW') continue;
    const reviewed = decideInstructionReview(context, next, id, to, reason);
    next = reviewed.beneficiary;
    events.push(...reviewed.events);
  }
  if (current(next.states).status !== to) next = { ...next, states: statesWith(context, next, to, reason), updatedAt: context.now };
  return { beneficiary: next, events };
}

function statesWith(context: Context, { id, states }: BeneficiaryRecord, to: ReviewStatus, reason: Reason | null) {
  return withStatus(context, { resource: 'beneficiary', id, transitions: beneficiaryTransitions, states }, to, reason);
}

export type InstructionEventType = Extract<DomainEvent['type'], `BENEFICIARY_${string}`>;

/** The status that a payment instruction has in each of its events. */
export const statusOfInstructionEvent: Readonly<Record<InstructionEventType, ReviewStatus>> = {
  BENEFICIARY_PAYMENT_INSTRUCTION_CREATED: 'PENDING_REVIEW',
  BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED: 'APPROVED',
  BENEFICIARY_PAYMENT_INSTRUCTION_REJECTED: 'REJECTED',
};

/** Creates the event of an instruction with its current state. */
export function instructionEvent(type: InstructionEventType, beneficiary: BeneficiaryRecord, instruction: InstructionRecord): DomainEvent {
  const payload = (): InstructionEvent => ({
    id: beneficiary.id,
    customerId: beneficiary.customerId,
    holder: { ...beneficiary.holder, taxId: beneficiary.holder.taxId.value },
    relationshipType: beneficiary.relationshipType,
    instruction: { id: instruction.id, asset: instruction.asset, status: current(instruction.states).status, address: instruction.address },
    atTime: current(instruction.states).createdAt,
  });
  return { type, resourceId: instruction.id, payload };
}

/** Returns an instruction of the beneficiary. @throws Error if it has no such instruction */
export function instructionOf(beneficiary: BeneficiaryRecord, instructionId: string): InstructionRecord {
  const instruction = beneficiary.paymentInstructions.find((each) => each.id === instructionId);
  if (!instruction) throw new Error(`Beneficiary ${beneficiary.id} has no payment instruction ${instructionId}.`);
  return instruction;
}

export function holderName(holder: Holder): string {
  return holder.type === 'COMPANY' ? holder.legalName : `${holder.firstName} ${holder.lastName}`;
}

/** @throws DomainError PAYMENT_INSTRUCTION_NOT_APPROVED, then BENEFICIARY_NOT_APPROVED */
export function checkPayable(beneficiary: BeneficiaryRecord, instruction: InstructionRecord): void {
  const review = current(instruction.states).status;
  if (review !== 'APPROVED') {
    throw new DomainError(
      'PAYMENT_INSTRUCTION_NOT_APPROVED',
      `Payment instruction ${instruction.id} is ${review}; withdrawals need it APPROVED.`,
      { paymentInstructionId: instruction.id, status: review },
    );
  }
  const { status } = current(beneficiary.states);
  if (status !== 'APPROVED') {
    throw new DomainError('BENEFICIARY_NOT_APPROVED', `Beneficiary ${beneficiary.id} is ${status}; withdrawals need it APPROVED.`, {
      beneficiaryId: beneficiary.id,
      status,
    });
  }
}

export function instructionView(instruction: InstructionRecord): PaymentInstruction {
  const { id, asset, type, address, states, createdAt } = instruction;
  return { id, asset, type, status: current(states).status, ...historyView(states), address, createdAt };
}

export function beneficiaryView(beneficiary: BeneficiaryRecord): Beneficiary {
  const { id, customerId, states, holder, relationshipType, paymentInstructions, createdAt, updatedAt } = beneficiary;
  return {
    id,
    customerId,
    status: current(states).status,
    holder,
    relationshipType,
    paymentInstructions: paymentInstructions.map(instructionView),
    createdAt,
    updatedAt,
  };
}

/** Returns the object that rules on `PAYMENT_INSTRUCTION` test. */
export function instructionSubject(instruction: InstructionRecord, beneficiary: BeneficiaryRecord) {
  return { ...instructionView(instruction), beneficiary: beneficiaryView(beneficiary) };
}

export const beneficiaryFilters: FilterFields<BeneficiaryRecord, FilterFieldOf<'beneficiaries'>> = {
  id: text(({ id }) => id),
  status: text(({ states }) => current(states).status),
  relationshipType: text(({ relationshipType }) => relationshipType),
  'holder.type': text(({ holder }) => holder.type),
  'holder.firstName': text(({ holder }) => (holder.type === 'INDIVIDUAL' ? holder.firstName : null)),
  'holder.lastName': text(({ holder }) => (holder.type === 'INDIVIDUAL' ? holder.lastName : null)),
  'holder.legalName': text(({ holder }) => (holder.type === 'COMPANY' ? holder.legalName : null)),
  'holder.taxId.value': text(({ holder }) => holder.taxId?.value),
  'paymentInstructions.id': text(({ paymentInstructions }) => paymentInstructions.map(({ id }) => id)),
  'paymentInstructions.asset': text(({ paymentInstructions }) => paymentInstructions.map(({ asset }) => asset)),
  'paymentInstructions.type': text(({ paymentInstructions }) => paymentInstructions.map(({ type }) => type)),
  'paymentInstructions.status': text(({ paymentInstructions }) => paymentInstructions.map(({ states }) => current(states).status)),
  ...timestampFilters,
};
