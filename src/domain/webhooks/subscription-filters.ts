import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { instantFilters } from '../lists/common-fields.js';
import { flag, text, type FilterFields } from '../lists/fields.js';
import type { SubscriptionRecord } from './delivery.js';

/** The fields that subscriptions can be filtered by. */
export const subscriptionFilters: FilterFields<SubscriptionRecord, FilterFieldOf<'subscriptions'>> = {
  id: text(({ id }) => id),
  url: text(({ url }) => url),
  allowRetry: flag(({ allowRetry }) => allowRetry),
  'resources.name': text(({ resources }) => resources.map(({ name }) => name)),
  ...instantFilters,
};
