import { pageOf, type Listed, type Page } from '../domain/page.js';
import { inTurns, type Soon } from '../world/turns.js';

/** One page of a list as {@link pageOf} finds it; a promise of it when that takes more than one turn of the event loop. */
export function page<T extends Listed, V>(...asked: Parameters<typeof pageOf<T, V>>): Soon<Page<V>> {
  return inTurns(pageOf(...asked));
}
