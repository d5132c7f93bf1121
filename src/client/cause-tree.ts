import type { TimelineItem } from './types.js';

/** The fields of an item that the links need. */
type Linked = Pick<TimelineItem, 'kind' | 'id' | 'status' | 'causeId'>;

/** The items of one generation of a world, linked to their causes. */
export interface CauseTree<T> {
  /** The items in the given order. A delivery occurs once, at its first item and with its newest status. */
  readonly items: readonly T[];
  /** Returns the cause of an item of this tree; undefined if no item is its cause. Scenario steps are not items: see `rule`. */
  causeOf(item: T): T | undefined;
}

/** Returns the id in a cause id, without the prefix `kind:`. */
export const idIn = (causeId: string): string => causeId.slice(causeId.indexOf(':') + 1);

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
      const cause = item.causeId === null ? undefined : byId.get(idIn(item.causeId));
      return cause === item ? undefined : cause;
    },
  };
}
