import { pageOf, type Page } from '../domain/lists/page.js';
import { goOn, inTurns, type Soon } from '../world/turns.js';
import { rendered, Rendered } from './rendered.js';

type Asked<T, V> = Parameters<typeof pageOf<T, V>>;

/** One page of a list as {@link pageOf} finds it; a promise of it when that takes more than one turn of the event loop. */
export function page<T, V>(...asked: Asked<T, V>): Soon<Page<V>> {
  return inTurns(pageOf(...asked));
}

/** One page of a list as {@link page} finds it, put together from what each row shows as {@link rendered} keeps it. */
export function renderedPage<T extends object>(...[items, query, scope, fields, view]: Asked<T, unknown>): Soon<Rendered> {
  const found = page(items, query, scope, fields, (row) => rendered(row, view).json);
  return goOn(found, ({ data, meta }) => new Rendered(`{"data":[${data.join()}],"meta":${JSON.stringify(meta)}}`));
}
