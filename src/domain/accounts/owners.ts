import { maxStates, type Reason } from '../../contract/shared/common.js';
import { maxUbos, type UboPatch, type UboRequest } from '../../contract/public/ubos.js';
import type { AccountRecord } from './account.js';
import { accountStatus, accountStatusError, isInVerification, decideAccountMove, withRequirements } from './moves.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import { current } from '../machine.js';
import { defaultReason } from '../reasons.js';
import { companyRequirements, informationRequirement, personRequirements, replaceSegment, satisfy } from './requirement.js';
import type { Segment } from '../../contract/control/segments.js';
import type { SegmentDocuments } from './segment.js';
import {
  checkDistinct,
  checkOwnership,
  createUbo,
  hasContact,
  isPending,
  missingContact,
  moveUbo,
  patchUbo,
  type UboRecord,
} from './ubo.js';

/** @throws DomainError ACCOUNT_NOT_MODIFIABLE */
function checkModifiable(account: AccountRecord): void {
  const status = accountStatus(account);
  if (isInVerification(account) && account.states.length >= maxStates - 1)
    throw new DomainError(
      'ACCOUNT_NOT_MODIFIABLE',
      `Account ${account.id} can no longer be changed, because its history is full: it has at most ${maxStates} statuses.`,
      { accountId: account.id, status, maximum: maxStates },
    );
  if (isInVerification(account)) return;
  throw new DomainError(
    'ACCOUNT_NOT_MODIFIABLE',
    `Account ${account.id} is ${status}; it can be changed while it is ACTION_REQUIRED or REVIEWING.`,
    { accountId: account.id, status, modifiableIn: ['ACTION_REQUIRED', 'REVIEWING'] },
  );
}

/**
 * Adds a beneficial owner and its requirements. An account under review returns to ACTION_REQUIRED.
 * @throws DomainError DUPLICATE_UBO, UBOS_NOT_ALLOWED_FOR_INDIVIDUAL, ACCOUNT_NOT_MODIFIABLE, INSUFFICIENT_OWNERSHIP,
 * OWNERSHIP_EXCEEDS_TOTAL, RATE_LIMIT_EXCEEDED
 */
export function addUbo(context: Context, account: AccountRecord, request: UboRequest): { account: AccountRecord; ubo: UboRecord } {
  checkDistinct(account.ubos, request);
  if (account.owner.type === 'INDIVIDUAL') {
    throw new DomainError(
      'UBOS_NOT_ALLOWED_FOR_INDIVIDUAL',
      `Account ${account.id} belongs to an individual, who has no beneficial owners.`,
      {
        accountId: account.id,
      },
    );
  }
  checkModifiable(account);
  if (account.ubos.length >= maxUbos)
    throw new DomainError(
      'RATE_LIMIT_EXCEEDED',
      `Account ${account.id} already has ${maxUbos} beneficial owners, which is the maximum. This limit is permanent: a retry fails in the same way.`,
      { maximum: maxUbos, permanent: true },
    );
  const ubo = createUbo(context, request);
  checkOwnership(account.ubos, ubo);
  const requirements = [
    ...satisfy(account.requirements, (each) => each.type === 'INFORMATION' && each.uboId === null),
    ...personRequirements(ubo.id),
    ...(hasContact(ubo) ? [] : [informationRequirement(ubo.id, missingContact(ubo))]),
  ];
  return { account: withRequirements(context, { ...account, ubos: [...account.ubos, ubo] }, requirements), ubo };
}

/** Returns a beneficial owner of the account. @throws Error if it has no such owner */
export function uboOf(account: AccountRecord, uboId: string): UboRecord {
  const ubo = account.ubos.find((each) => each.id === uboId);
  if (!ubo) throw new Error(`Account ${account.id} has no beneficial owner ${uboId}.`);
  return ubo;
}

function replaceUbo(account: AccountRecord, ubo: UboRecord): AccountRecord {
  return { ...account, ubos: account.ubos.map((each) => (each.id === ubo.id ? ubo : each)) };
}

/**
 * Changes a beneficial owner that is not reviewed yet.
 * @throws DomainError DUPLICATE_UBO, ACCOUNT_NOT_MODIFIABLE, APPROVED_UBO, INSUFFICIENT_OWNERSHIP, OWNERSHIP_EXCEEDS_TOTAL
 */
export function decideUboUpdate(context: Context, account: AccountRecord, uboId: string, patch: UboPatch): AccountRecord {
  const ubo = uboOf(account, uboId);
  const others = account.ubos.filter((each) => each.id !== uboId);
  const patched = patchUbo(ubo, patch);
  checkDistinct(others, patched);
  checkModifiable(account);
  if (!isPending(ubo)) {
    throw new DomainError('APPROVED_UBO', `Beneficial owner ${uboId} is ${current(ubo.states).status} and can no longer be changed.`, {
      uboId,
      status: current(ubo.states).status,
    });
  }
  checkOwnership(others, patched);
  const requirements = hasContact(patched)
    ? satisfy(account.requirements, (each) => each.type === 'INFORMATION' && each.uboId === uboId)
    : account.requirements.map((each) =>
        each.type === 'INFORMATION' && each.uboId === uboId ? { ...each, requiredMetadata: missingContact(patched) } : each,
      );
  return withRequirements(context, replaceUbo(account, patched), requirements);
}

/**
 * Ends the review of a beneficial owner. If the owner is rejected, the account is rejected too, for the reason of the owner.
 * @throws DomainError INVALID_STATUS_CHANGE
 */
export function decideUboReview(
  context: Context,
  account: AccountRecord,
  uboId: string,
  to: 'APPROVED' | 'REJECTED',
  reason: Reason | null,
): AccountRecord {
  const ubo = uboOf(account, uboId);
  if (isPending(ubo) && !isInVerification(account)) throw accountStatusError(account, 'ubo', uboId, current(ubo.states).status, to);
  const why = reason ?? (to === 'REJECTED' ? defaultReason('ownerRejected') : null);
  const reviewed = { ...replaceUbo(account, moveUbo(context, ubo, to, why)), updatedAt: context.now };
  if (to === 'APPROVED' || why === null) return reviewed;
  return decideAccountMove(context, reviewed, 'REJECTED', { ...why, details: { ...why.details, uboId } });
}

/**
 * Changes the customer segment of a company: its tag and its required documents. `dropped` lists documents that are no longer required.
 * @throws DomainError ACCOUNT_NOT_MODIFIABLE, also for an individual
 */
export function changeSegment(
  context: Context,
  account: AccountRecord,
  segment: Segment,
  documents: SegmentDocuments,
): { account: AccountRecord; dropped: string[] } {
  if (account.owner.type === 'INDIVIDUAL') {
    throw new DomainError('ACCOUNT_NOT_MODIFIABLE', `Account ${account.id} belongs to an individual; only companies have a segment.`, {
      accountId: account.id,
      ownerType: account.owner.type,
    });
  }
  checkModifiable(account);
  const { requirements, dropped } = replaceSegment(account.requirements, companyRequirements(segment, documents));
  const tags = account.tags.map((tag) => (tag.key === 'segment' ? { ...tag, value: segment } : tag));
  return { account: withRequirements(context, { ...account, tags }, requirements), dropped };
}
