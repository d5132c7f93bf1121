import type { AssetCode, Reason } from '../../contract/shared/common.js';
import {
  accountAssetTransitions,
  accountTransitions,
  assetId,
  type AccountAssetStatus,
  type AccountRecord,
  type AccountStatus,
} from './account.js';
import { assetActivated } from './asset-event.js';
import type { Context } from '../context.js';
import { DomainError, resourceName, humanize } from '../errors.js';
import type { DomainEvent } from '../event.js';
import { checkMove, current, invalidStatusChange, withStatus } from '../machine.js';
import { defaultReason } from '../reasons.js';
import { isSatisfied, satisfy, type RequirementRecord } from './requirement.js';
import { isPending, moveUbo } from './ubo.js';

/** The statuses that an account can be forced into. OPENING and ACTIVE also satisfy all open requirements. */
const forcible: Readonly<Record<AccountStatus, readonly AccountStatus[]>> = {
  ACTION_REQUIRED: ['OPENING', 'ACTIVE', 'REJECTED'],
  REVIEWING: ['OPENING', 'ACTIVE', 'REJECTED'],
  OPENING: ['ACTIVE', 'REJECTED'],
  ACTIVE: ['CLOSED'],
  REJECTED: [],
  CLOSED: [],
};

export function accountStatus(account: AccountRecord): AccountStatus {
  return current(account.states).status;
}

/** Whether documents and owners of an account can still be changed and reviewed. */
export function isInVerification(account: AccountRecord): boolean {
  const status = accountStatus(account);
  return status === 'ACTION_REQUIRED' || status === 'REVIEWING';
}

/** Moves an account to an allowed next status. REJECTED always has a reason. @throws DomainError INVALID_STATUS_CHANGE */
export function decideAccountMove(context: Context, account: AccountRecord, to: AccountStatus, why: Reason | null = null): AccountRecord {
  const stateReason = why ?? (to === 'REJECTED' ? defaultReason('ownerRejected') : null);
  const moving = { resource: 'account', id: account.id, transitions: accountTransitions, states: account.states };
  return { ...account, states: withStatus(context, moving, to, stateReason), updatedAt: context.now };
}

/** Replaces the requirements. An account in verification becomes REVIEWING if all are satisfied, else ACTION_REQUIRED. */
export function withRequirements(context: Context, account: AccountRecord, requirements: readonly RequirementRecord[]): AccountRecord {
  const changed = { ...account, requirements, updatedAt: context.now };
  const status = accountStatus(account);
  if (status === 'ACTION_REQUIRED' && isSatisfied(requirements)) return decideAccountMove(context, changed, 'REVIEWING');
  if (status === 'REVIEWING' && !isSatisfied(requirements)) return decideAccountMove(context, changed, 'ACTION_REQUIRED');
  return changed;
}

/** Returns the error for a change that the status of the account prevents. */
export function accountStatusError(account: AccountRecord, resource: string, id: string, from: string, to: string): DomainError {
  const accountStands = accountStatus(account);
  const message = `The ${humanize(resource)} ${id} cannot change from ${from} to ${to} while account ${account.id} is ${accountStands}.`;
  return new DomainError('INVALID_STATUS_CHANGE', message, {
    resource: resourceName(resource),
    id,
    from,
    to,
    possible: [],
    accountStatus: accountStands,
  });
}

/**
 * Moves an asset to an allowed next status. The account becomes ACTIVE with its first active asset, and REJECTED after all have failed.
 * @param why reason for the rejection of the account; the asset shows no reason
 * @throws DomainError INVALID_STATUS_CHANGE, also if the account is neither OPENING nor ACTIVE
 */
export function decideAssetMove(
  context: Context,
  account: AccountRecord,
  asset: AssetCode,
  to: AccountAssetStatus,
  why: Reason | null = null,
): { account: AccountRecord; events: DomainEvent[] } {
  const from = assetStatus(account, asset);
  const id = assetId(account.id, asset);
  const status = accountStatus(account);
  if (status !== 'OPENING' && status !== 'ACTIVE') throw accountStatusError(account, 'asset', id, from, to);
  checkMove('asset', id, accountAssetTransitions, from, to);
  const assets = account.assets.map((each) => (each.asset === asset ? { ...each, status: to } : each));
  const moved: AccountRecord = { ...account, assets, updatedAt: context.now };
  if (from === 'ONBOARDING' && to === 'ACTIVE') {
    const next = status === 'OPENING' ? decideAccountMove(context, moved, 'ACTIVE') : moved;
    return { account: next, events: [assetActivated(context, next, [asset])] };
  }
  if (status === 'OPENING' && assets.every((each) => each.status === 'FAILED')) {
    const { details, ...rest } = why ?? defaultReason('ownerRejected');
    const rejection = { ...rest, details: { ...details, failedAssets: assets.map((each) => each.asset) } };
    return { account: decideAccountMove(context, moved, 'REJECTED', rejection), events: [] };
  }
  return { account: moved, events: [] };
}

/** Returns the status of an asset. @throws Error if the account does not have it */
export function assetStatus(account: AccountRecord, asset: AssetCode): AccountAssetStatus {
  const held = account.assets.find((each) => each.asset === asset);
  if (!held) throw new Error(`Account ${account.id} has no ${asset}.`);
  return held.status;
}

/**
 * Forces an account into a status, through the statuses on the way: satisfies requirements, approves owners, activates assets.
 * @throws DomainError INVALID_STATUS_CHANGE, which lists all statuses that can be forced
 */
export function forceAccount(
  context: Context,
  account: AccountRecord,
  to: AccountStatus,
  why: Reason | null,
): { account: AccountRecord; events: DomainEvent[] } {
  const from = accountStatus(account);
  if (!forcible[from].includes(to)) throw invalidStatusChange('account', account.id, accountTransitions, from, to, forcible[from]);
  if (to === 'REJECTED' || to === 'CLOSED') return { account: decideAccountMove(context, account, to, why), events: [] };
  let forced = from === 'OPENING' ? account : opened(context, account, to === 'OPENING' ? why : null);
  const events: DomainEvent[] = [];
  if (to === 'ACTIVE') {
    for (const { asset, status } of account.assets) {
      if (status !== 'ONBOARDING') continue;
      const moved = decideAssetMove(context, forced, asset, 'ACTIVE');
      forced = moved.account;
      events.push(...moved.events);
    }
  }
  return { account: forced, events };
}

function opened(context: Context, account: AccountRecord, why: Reason | null): AccountRecord {
  const reviewing = withRequirements(context, account, satisfy(account.requirements));
  const ubos = reviewing.ubos.map((each) => (isPending(each) ? moveUbo(context, each, 'APPROVED', null) : each));
  return decideAccountMove(context, { ...reviewing, ubos }, 'OPENING', why);
}
