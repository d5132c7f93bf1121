import { pageOf, type Page } from '../domain/lists/page.js';
import { inTurns } from '../world/turns.js';
import { rendered, Rendered } from './rendered.js';

type Asked<T, V> = Parameters<typeof pageOf<T, V>>;

/** One page of a list as {@link pageOf} finds it, a slice of the event loop at a time. */
export function page<T, V>(...asked: Asked<T, V>): Promise<Page<V>> {
  return inTurns(pageOf(...asked));
}

/** One page of a list as {@link page} finds it, put together from what each row shows as {@link rendered} keeps it. */
export async function renderedPage<T extends object>(...[items, query, scope, fields, view]: Asked<T, unknown>): Promise<Rendered> {
  const { data, meta } = await page(items, query, scope, fields, (row) => rendered(row, view));
  const json = `{"data":[${data.map((each) => each.json).join()}],"meta":${JSON.stringify(meta)}}`;
  return new Rendered(json, { data: data.map(({ value }) => value), meta });
}
