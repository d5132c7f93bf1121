import type { AssetCode, Reason } from '../../contract/shared/common.js';
import { accountAssetTransitions, assetId, type AccountAssetStatus, type AccountRecord } from '../../domain/accounts/account.js';
import { assetStatus, moveAsset as decide } from '../../domain/accounts/moves.js';
import { notFound } from '../../domain/errors.js';
import { invalidStatusChange } from '../../domain/machine.js';
import { saveAccount } from '../../engine/save-account.js';
import { redirectPlan } from '../../engine/plans.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

interface AssetMove {
  readonly accountId: string;
  readonly asset: AssetCode;
  readonly to: AccountAssetStatus;
  readonly reason: Reason | null;
  readonly forced: boolean;
  /** Status that the asset must have before. Only for verbs that require one, for example `unfreeze`. Default: any. */
  readonly onlyFrom?: AccountAssetStatus | undefined;
}

/**
 * Changes the status of an asset of an account. May change the status of the account too: the first active asset makes it ACTIVE.
 * @throws DomainError RESOURCE_NOT_FOUND (account, asset), INVALID_STATUS_CHANGE
 */
export function moveAsset(uow: UnitOfWork, { accountId, asset, to, reason, forced, onlyFrom }: AssetMove): AccountRecord {
  const account = uow.require('accounts', accountId, 'account');
  if (!account.assets.some((each) => each.asset === asset)) throw notFound('asset', { accountId, asset });
  const id = assetId(accountId, asset);
  const from = assetStatus(account, asset);
  if (onlyFrom !== undefined && from !== onlyFrom) {
    const possible = accountAssetTransitions[from].filter((each) => each !== to);
    throw invalidStatusChange('asset', id, accountAssetTransitions, from, to, possible);
  }
  const moved = decide(uow, account, asset, to, reason);
  const kept = saveAccount(uow, moved.account, moved.events);
  if (forced) redirectPlan(uow, id, to);
  return kept;
}
