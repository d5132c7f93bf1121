import type { AssetCode } from '../../contract/shared/common.js';
import type { AssetActivatedEvent } from '../../contract/public/events.js';
import type { AccountRecord } from './account.js';
import type { Context } from '../context.js';
import type { DomainEvent } from '../event.js';

/** Creates the event for newly active assets. */
export function assetActivated(
  { now }: Pick<Context, 'now'>,
  { id, customerId }: Pick<AccountRecord, 'id' | 'customerId'>,
  assets: readonly AssetCode[],
): DomainEvent {
  const payload = (): AssetActivatedEvent => ({ accountId: id, customerId, assets: [...assets], atTime: now });
  return { type: 'ASSET_ACTIVATED', resourceId: id, payload };
}
