import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { historyFilters, instantFilters, tagFilters } from '../lists/common-fields.js';
import { text, type FilterFields } from '../lists/fields.js';
import type { AccountRecord } from './account.js';

/** The fields that accounts can be filtered by. */
export const accountFilters: FilterFields<AccountRecord, FilterFieldOf<'accounts'>> = {
  id: text(({ id }) => id),
  'owner.type': text(({ owner }) => owner.type),
  'owner.legalName': text(({ owner }) => (owner.type === 'COMPANY' ? owner.legalName : null)),
  'owner.firstName': text(({ owner }) => (owner.type === 'INDIVIDUAL' ? owner.firstName : null)),
  'owner.lastName': text(({ owner }) => (owner.type === 'INDIVIDUAL' ? owner.lastName : null)),
  'owner.taxId.value': text(({ owner }) => owner.taxId.value),
  'assets.asset': text(({ assets }) => assets.map(({ asset }) => asset)),
  'assets.status': text(({ assets }) => assets.map(({ status }) => status)),
  ...historyFilters,
  ...tagFilters,
  sourceAccountId: text(({ sourceAccountId }) => sourceAccountId),
  ...instantFilters,
};
