import type { AccountRecord } from '../domain/accounts/account.js';
import type { UboRecord } from '../domain/accounts/ubo.js';
import { notFound } from '../domain/errors.js';
import type { BeneficiaryRecord, InstructionRecord } from '../domain/payees/beneficiary.js';
import type { HolderFacts } from '../domain/payees/holder-check.js';
import { isPublicLog, type PublicLog } from '../domain/webhooks/delivery.js';
import type { View } from '../world/view.js';

/** Returns a beneficial owner by its id; undefined if not found. */
export function findUbo(view: View, uboId: string): UboRecord | undefined {
  const accountId = view.get('ubos', uboId)?.accountId;
  return accountId === undefined ? undefined : view.get('accounts', accountId)?.ubos.find((each) => each.id === uboId);
}

/**
 * Returns a beneficial owner with its account.
 * @param accountId if given, the owner must belong to this account
 * @throws DomainError RESOURCE_NOT_FOUND (account, ubo)
 */
export function requireUbo(view: View, uboId: string, accountId?: string): { account: AccountRecord; ubo: UboRecord } {
  if (accountId !== undefined) view.require('accounts', accountId, 'account');
  const owner = view.require('ubos', uboId, 'ubo');
  const ubo = findUbo(view, uboId);
  if (!ubo || (accountId !== undefined && owner.accountId !== accountId)) throw notFound('ubo', { id: uboId });
  return { account: view.require('accounts', owner.accountId, 'account'), ubo };
}

/** Returns an execution log that the payments API shows. @throws DomainError RESOURCE_NOT_FOUND (subscription, executionLog) */
export function requirePublicLog(
  view: View,
  { subscriptionId, executionLogId }: { subscriptionId: string; executionLogId: string },
): PublicLog {
  const { id } = view.require('subscriptions', subscriptionId, 'subscription');
  const log = view.require('executionLogs', executionLogId, 'executionLog');
  if (log.subscriptionId !== id || !isPublicLog(log)) throw notFound('executionLog', { id: log.id });
  return log;
}

/** Returns a payment instruction by its id; undefined if not found. */
export function findInstruction(view: View, instructionId: string): InstructionRecord | undefined {
  for (const { paymentInstructions } of view.find('beneficiaries', 'instruction', instructionId))
    return paymentInstructions.find((each) => each.id === instructionId);
  return undefined;
}

/** Returns access to the known holders of PIX keys and accounts in a world. */
export function holderFacts(view: View): HolderFacts {
  return {
    keyHolder: (key) => {
      const listed = view.directory.get(key)?.taxId;
      if (listed) return listed;
      for (const { holder } of view.find('beneficiaries', 'pixKey', `${key} `)) return holder.taxId;
      return undefined;
    },
    isAccountOwner: ({ type, value }) => {
      for (const _account of view.find('accounts', 'taxId', `${type} ${value} `)) return true;
      return false;
    },
  };
}

/** Returns the beneficiary of a payment instruction. @throws DomainError RESOURCE_NOT_FOUND */
export function ownerOfInstruction(view: View, instructionId: string): BeneficiaryRecord {
  for (const beneficiary of view.find('beneficiaries', 'instruction', instructionId)) return beneficiary;
  throw notFound('paymentInstruction', { id: instructionId });
}
