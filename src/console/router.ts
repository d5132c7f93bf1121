import { computed, signal } from '@preact/signals';

/** The parts of the address of the page. */
export interface Address {
  readonly world: string;
  readonly screen: string;
  /** The selected item of the screen; null without one. */
  readonly id: string | null;
  readonly query: Readonly<Record<string, string>>;
}

const base = '/_sandbox/console/';

/** The list screen and the pane of a detail page, by path segment. */
const listsOf: Readonly<Record<string, readonly [screen: string, pane: string]>> = {
  calls: ['timeline', 'calls'],
  why: ['timeline', 'why'],
  operations: ['operations', 'operations'],
  accounts: ['accounts', 'accounts'],
  beneficiaries: ['beneficiaries', 'beneficiaries'],
  webhooks: ['webhooks', 'deliveries'],
  findings: ['findings', 'findings'],
};

/** Returns a decoded part of an address; unchanged if it is malformed. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function parseAddress({ pathname, search }: { readonly pathname: string; readonly search: string }): Address {
  const [world = 'default', screen = 'timeline', ...rest] = pathname.slice(base.length).split('/').filter(Boolean).map(decoded);
  const query = Object.fromEntries(new URLSearchParams(search));
  const id = rest.length > 0 ? rest.join('/') : null;
  const [list, pane] = listsOf[screen] ?? [];
  if (id === null || list === undefined) return { world, screen: list ?? screen, id, query };
  return { world, screen: list, id: null, query: { show: `${pane}/${id}`, ...query } };
}

function hrefOf({ world, screen, id, query }: Address): string {
  const path = [world, screen, ...(id === null ? [] : id.split('/'))].map(encodeURIComponent).join('/');
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return `${base}${path}${search === '' ? '' : `?${search}`}`;
}

/** The parts of the current address. */
export const address = signal(parseAddress(location));
export const world = computed(() => address.value.world);
const namesWorld = () => location.pathname.slice(base.length) !== '';
/** True if the address names a world. */
export const isNamed = signal(namesWorld());

/** The path of the item in the inspector, for example `calls/req_1`; null without one. */
export const shownItem = computed(() => address.value.query['show'] ?? null);

function withChanges({ query, ...changes }: Partial<Address>): Address {
  const now = address.peek();
  const isOtherWorld = changes.world !== undefined && changes.world !== now.world;
  const isOther = changes.screen !== undefined && changes.screen !== now.screen;
  const kept = isOther ? {} : { ...now.query, ...(isOtherWorld ? { show: '' } : {}) };
  return { ...now, ...(isOther || isOtherWorld ? { id: null } : {}), ...changes, query: { ...kept, ...query } };
}

/** Changes the whole address. */
export function goTo(next: Address, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', hrefOf(next));
  isNamed.value = true;
  address.value = next;
}

/** Changes parts of the address; other parts stay. Another screen keeps nothing of the query; another world closes the inspector. */
export const go = (changes: Partial<Address>, how: { readonly replace?: boolean } = {}): void => goTo(withChanges(changes), how);

/** Returns the address with changed parts, for a link. */
export const linkTo = (changes: Partial<Address>): string => hrefOf(withChanges(changes));

/** Shows an item in the inspector, next to the open list; null closes the inspector. */
export const show = (what: string | null): void => go({ query: { show: what ?? '' } });

export function followHistory(): void {
  addEventListener('popstate', () => {
    isNamed.value = namesWorld();
    address.value = parseAddress(location);
  });
}
