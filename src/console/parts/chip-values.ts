import type { Kinds } from '../../contract/control/kinds.js';
import type { Account } from '../../contract/public/accounts.js';
import { useLoaded } from './loaded.js';
import type { FilterChip } from './filter-chips.js';

/** Returns a chip with the statuses of a kind of resource. */
export function useStatusChip(kind: Kinds['data'][number]['kind']): FilterChip {
  const { value } = useLoaded<Kinds>('/kinds');
  const statuses = value?.data.find((each) => each.kind === kind)?.statuses ?? [];
  return { label: 'Status', field: 'currentState.status', values: statuses.map((status) => [status]) };
}

/** Returns a chip with the assets of the newest 100 accounts. @param field the field of the list that contains an asset */
export function useAssetChip(field: string): FilterChip {
  const { value } = useLoaded<{ data: readonly Account[] }>('/accounts?limit=100');
  const assets = new Set(value?.data.flatMap(({ assets: own }) => own.map(({ asset }) => asset)));
  return { label: 'Asset', field, values: [...assets].toSorted().map((asset) => [asset]) };
}
