import type { AssetCode, Reason } from '../../contract/shared/common.js';
import { accountAssetTransitions, assetId, type AccountAssetStatus, type AccountRecord } from '../../domain/accounts/account.js';
import { assetStatus, moveAsset as decide } from '../../domain/accounts/moves.js';
import { notFound } from '../../domain/errors.js';
import { invalidStatusChange } from '../../domain/machine.js';
import type { ScenarioCatalogue } from '../../scenario/catalogue.js';
import { saveAccount } from '../../engine/save-account.js';
import { redirectPlan } from '../../engine/plans.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Moves an asset of an account, and the account with it.
 * @param onlyFrom the one status that the move is meant for, where its verb says so
 * @throws DomainError RESOURCE_NOT_FOUND (account, asset), INVALID_STATUS_CHANGE
 */
export function moveAsset(
  uow: UnitOfWork,
  scenarios: ScenarioCatalogue,
  accountId: string,
  asset: AssetCode,
  to: AccountAssetStatus,
  { reason, forced, onlyFrom }: { reason: Reason | null; forced: boolean; onlyFrom?: AccountAssetStatus | undefined },
): AccountRecord {
  const account = uow.require('accounts', accountId, 'account');
  if (!account.assets.some((each) => each.asset === asset)) throw notFound('asset', { accountId, asset });
  const id = assetId(accountId, asset);
  const from = assetStatus(account, asset);
  if (onlyFrom !== undefined && from !== onlyFrom) {
    const possible = accountAssetTransitions[from].filter((each) => each !== to);
    throw invalidStatusChange('asset', id, accountAssetTransitions, from, to, possible);
  }
  const moved = decide(uow, account, asset, to, reason);
  const kept = saveAccount(uow, scenarios, moved.account, moved.events);
  if (forced) redirectPlan(uow, id, accountAssetTransitions, to);
  return kept;
}
