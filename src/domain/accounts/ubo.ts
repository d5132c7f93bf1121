import type { Reason } from '../../contract/shared/common.js';
import type { TaxId } from '../../contract/shared/tax-ids.js';
import type { Address } from '../../contract/shared/address.js';
import type { Ubo, UboPatch, UboRequest, uboStatuses } from '../../contract/public/ubos.js';
import { postalAddressOf } from './postal-address.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import { current, historyEntry, historyView, withStatus, type StateRecord, type Transitions } from '../machine.js';
import { Decimal } from '../money.js';

export type UboStatus = (typeof uboStatuses)[number];

/** Status changes of a beneficial owner, who is reviewed once. */
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

/** Minimum share of a beneficial owner, in percent. */
const minOwnership = 25;

/** Creates a beneficial owner that is not reviewed yet. */
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
    states: [historyEntry<UboStatus>(context, 'PENDING')],
  };
}

/** Applies a patch to a beneficial owner. */
export function patchUbo(ubo: UboRecord, { address, ownershipPercentage, ...patch }: UboPatch): UboRecord {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<UboRecord>;
  return {
    ...ubo,
    ...given,
    ...(address ? { address: postalAddressOf(address) } : {}),
    ...(ownershipPercentage === undefined ? {} : { ownershipPercentage }),
  };
}

/** Whether the contact data that the verification needs is complete. */
export function hasContact(ubo: UboRecord): boolean {
  return missingContact(ubo).length === 0;
}

/** Returns the names of the contact data that the verification still needs. */
export function missingContact(ubo: UboRecord): string[] {
  return (['phone', 'email'] as const).filter((name) => ubo[name] === null);
}

/** @throws DomainError DUPLICATE_UBO if another owner of the account has the same tax id */
export function checkDistinct(others: readonly UboRecord[], { taxId }: Pick<UboRecord, 'taxId'>): void {
  const same = others.find((each) => each.taxId.type === taxId.type && each.taxId.value === taxId.value);
  if (!same) return;
  throw new DomainError('DUPLICATE_UBO', `Beneficial owner ${same.id} of this account already has the ${taxId.type} ${taxId.value}.`, {
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
      `ownershipPercentage: a beneficial owner holds at least ${minOwnership} % or is a legal representative; got ${share} % for ${ubo.name}.`,
      { ownershipPercentage: share, minimum: minOwnership },
    );
  }
  const sum = others.reduce((total, each) => total.plus(each.ownershipPercentage ?? 0), new Decimal(share));
  if (sum.lessThanOrEqualTo(100)) return;
  throw new DomainError(
    'OWNERSHIP_EXCEEDS_TOTAL',
    `ownershipPercentage: ${share} % would bring the total to ${sum.toString()} %. The owners of an account hold at most 100 %.`,
    {
      ownershipPercentage: share,
      total: sum.toNumber(),
      maximum: 100,
    },
  );
}

/** Ends the review of a beneficial owner. @throws DomainError INVALID_STATUS_CHANGE */
export function moveUbo(context: Context, ubo: UboRecord, to: UboStatus, reason: Reason | null): UboRecord {
  const moving = { resource: 'ubo', id: ubo.id, transitions: uboTransitions, states: ubo.states };
  return { ...ubo, states: withStatus(context, moving, to, reason) };
}

export function isPending(ubo: UboRecord): boolean {
  return current(ubo.states).status === 'PENDING';
}

/** Returns a beneficial owner as responses show it, without its contact data. */
export function uboView({ id, name, taxId, address, states, ownershipPercentage }: UboRecord): Ubo {
  return { id, name, taxId, address, currentState: historyView(states).currentState, ownershipPercentage };
}
