import type { Reason } from '../../contract/shared/common.js';
import type { TaxId } from '../../contract/shared/tax-ids.js';
import type { Address } from '../../contract/shared/address.js';
import type { Ubo, UboPatch, UboRequest, uboStatuses } from '../../contract/public/ubos.js';
import { postalAddressOf } from './postal-address.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import { checkMove, current, enter, grown, historyView, type StateRecord, type Transitions } from '../machine.js';
import { Decimal } from '../money.js';

export type UboStatus = (typeof uboStatuses)[number];

/** The review of a beneficial owner ends once. */
export const uboTransitions: Transitions<UboStatus> = {
  PENDING: ['APPROVED', 'REJECTED'],
  APPROVED: [],
  REJECTED: [],
};

export interface UboRecord {
  readonly id: string;
  readonly name: string;
  readonly taxId: TaxId;
  readonly address: Address;
  readonly ownershipPercentage: number | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly isLegalRepresentative: boolean;
  readonly states: readonly StateRecord<UboStatus>[];
}

/** The least share that makes an owner a beneficial one, in percent. */
const minOwnership = 25;

/** A new beneficial owner, not reviewed yet. */
export function createUbo(context: Context, request: UboRequest): UboRecord {
  const { name, taxId, address, ownershipPercentage, phone, email, isLegalRepresentative } = request;
  return {
    id: context.newId('ubo'),
    name,
    taxId,
    address: postalAddressOf(address),
    ownershipPercentage: ownershipPercentage ?? null,
    phone: phone ?? null,
    email: email ?? null,
    isLegalRepresentative,
    states: [enter<UboStatus>(context, 'PENDING')],
  };
}

/** A beneficial owner with what a patch says of it. */
export function patchUbo(ubo: UboRecord, { address, ownershipPercentage, ...patch }: UboPatch): UboRecord {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<UboRecord>;
  return {
    ...ubo,
    ...given,
    ...(address ? { address: postalAddressOf(address) } : {}),
    ...(ownershipPercentage === undefined ? {} : { ownershipPercentage }),
  };
}

/** Whether the verification has the contact data that it asks for. */
export function hasContact({ phone, email }: UboRecord): boolean {
  return phone !== null && email !== null;
}

/** @throws DomainError DUPLICATE_UBO when another owner of the account has the same tax id */
export function checkDistinct(others: readonly UboRecord[], { taxId }: Pick<UboRecord, 'taxId'>): void {
  const same = others.find((each) => each.taxId.type === taxId.type && each.taxId.value === taxId.value);
  if (!same) return;
  throw new DomainError('DUPLICATE_UBO', `Beneficial owner ${same.id} of this account has the ${taxId.type} ${taxId.value} already.`, {
    uboId: same.id,
    taxId,
  });
}

/** @throws DomainError INSUFFICIENT_OWNERSHIP, OWNERSHIP_EXCEEDS_TOTAL */
export function checkOwnership(others: readonly UboRecord[], ubo: UboRecord): void {
  const { ownershipPercentage: share, isLegalRepresentative } = ubo;
  if (share === null) return;
  if (share < minOwnership && !isLegalRepresentative) {
    throw new DomainError(
      'INSUFFICIENT_OWNERSHIP',
      `A beneficial owner holds at least ${minOwnership} %, or is a legal representative; ${ubo.name} holds ${share} %.`,
      { ownershipPercentage: share, minimum: minOwnership },
    );
  }
  const sum = others.reduce((total, each) => total.plus(each.ownershipPercentage ?? 0), new Decimal(share));
  if (sum.lessThanOrEqualTo(100)) return;
  throw new DomainError('OWNERSHIP_EXCEEDS_TOTAL', `With ${share} % the owners of this account would hold ${sum.toString()} %.`, {
    ownershipPercentage: share,
    total: sum.toNumber(),
    maximum: 100,
  });
}

/** A beneficial owner at the end of its review. @throws DomainError INVALID_STATUS_CHANGE */
export function moveUbo(context: Context, ubo: UboRecord, to: UboStatus, reason: Reason | null): UboRecord {
  checkMove('ubo', ubo.id, uboTransitions, current(ubo.states).status, to);
  return { ...ubo, states: grown(ubo.states, enter(context, to, reason)) };
}

export function isPending(ubo: UboRecord): boolean {
  return current(ubo.states).status === 'PENDING';
}

/** A beneficial owner as responses show it: without its contact data. */
export function uboView({ id, name, taxId, address, states, ownershipPercentage }: UboRecord): Ubo {
  return { id, name, taxId, address, currentState: historyView(states).currentState, ownershipPercentage };
}
