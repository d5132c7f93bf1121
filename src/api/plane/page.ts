import { pageOf, type Page } from '../../domain/lists/page.js';
import { runInSlices } from '../../world/turns.js';
import { rendered, Rendered } from './rendered.js';

type Asked<T, V> = Parameters<typeof pageOf<T, V>>;

/** Returns one page of a list like {@link pageOf}, but in time slices. */
export function page<T, V>(...asked: Asked<T, V>): Promise<Page<V>> {
  return runInSlices(pageOf(...asked));
}

/** Returns one page of a list like {@link page}, as JSON text. Uses the cached text of each row from {@link rendered}. */
export async function renderedPage<T extends object>(...[items, query, scope, fields, view]: Asked<T, unknown>): Promise<Rendered> {
  const { data, meta } = await page(items, query, scope, fields, (row) => rendered(row, view));
  const json = `{"data":[${data.map((each) => each.json).join()}],"meta":${JSON.stringify(meta)}}`;
  return new Rendered(json, { data: data.map(({ value }) => value), meta });
}
