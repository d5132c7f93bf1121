import type { TimelineItem } from './types.js';

/** The fields of an item that the links need. */
interface Linked extends Pick<TimelineItem, 'kind' | 'id' | 'status' | 'causeId'> {
  readonly attempt?: { readonly deliveryId: string } | undefined;
}

/** The items of one generation of a world, linked to their causes. */
export interface CauseTree<T> {
  /** The items in the given order. A delivery occurs once, at its first item and with its newest status. */
  readonly items: readonly T[];
  /**
   * Returns the item that caused an item of `items`; undefined if there is none. For an attempt, its delivery. A scenario step has no item:
   * `rule` of its effects names it.
   */
  causeOf(item: T): T | undefined;
}

/**
 * Links the items of one generation of a world. The server cannot: an item is sent before a request that is still in progress, and pages
 * and filters leave causes out.
 */
export function causeTreeOf<T extends Linked>(items: readonly T[]): CauseTree<T> {
  const statuses = new Map<string, string | null>();
  for (const { kind, id, status } of items) if (kind === 'DELIVERY') statuses.set(id, status);
  const byId = new Map<string, T>();
  const linked: T[] = [];
  for (const item of items) {
    const isKnown = byId.has(item.id);
    if (item.kind === 'DELIVERY' && isKnown) continue;
    const shown = item.kind === 'DELIVERY' ? { ...item, status: statuses.get(item.id)! } : item;
    linked.push(shown);
    if (!isKnown && item.kind !== 'STATE' && item.kind !== 'LEDGER') byId.set(item.id, shown);
  }
  return {
    items: linked,
    causeOf: (item) => {
      const { causeId, attempt } = item;
      const cause = byId.get(attempt?.deliveryId ?? '') ?? byId.get(causeId === null ? '' : causeId.slice(causeId.indexOf(':') + 1));
      return cause === item ? undefined : cause;
    },
  };
}
