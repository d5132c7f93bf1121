import { get, urlPath } from './api.js';
import type { Item } from './item.js';

/** An item with an id, and the pane of the inspector that shows it. */
export interface Named {
  readonly id: string;
  /** Kind of resource, for example `operation`; the summary for an item of the timeline. */
  readonly what: string;
  readonly pane: string;
}

/** Minimum number of characters of an id to search for. */
const minLength = 4;
const maxFound = 10;

/** Lists that are searched by id: path, kind of resource, pane. */
const lists = [
  ['operations', 'operation', 'operations'],
  ['accounts', 'account', 'accounts'],
  ['beneficiaries', 'beneficiary', 'beneficiaries'],
  ['deliveries', 'delivery', 'deliveries'],
] as const;

/** Returns at most ten resources and timeline items of the open world whose ids start with a text. */
export async function idsOf(text: string): Promise<readonly Named[]> {
  const beginning = text.trim();
  if (beginning.length < minLength || !/^(?:(?:req|ctl)_[\w-]*|[0-9a-f][0-9a-f-]*|F[0-9]+)$/i.test(beginning)) return [];
  const filters = `id[like]=${beginning}`;
  const read = <T>(path: string) => get<{ data: readonly T[] }>(path + urlPath`&filters=${filters}`).then(({ data }) => data);
  const [happened, ...listed] = await Promise.all([
    read<Item>(`/timeline?generation=all&counts=false&kinds=REQUEST,CONTROL,ATTEMPT,FINDING&limit=${maxFound}`),
    ...lists.map(([path]) => read<{ id: string }>(`/${path}?limit=${maxFound}`)),
  ]);
  const all: Named[] = listed.flatMap((items, index) => {
    const [, what, pane] = lists[index]!;
    return items.map(({ id }) => ({ id, what, pane: `${pane}/${id}` }));
  });
  for (const { id, kind, summary } of happened)
    all.push({ id, what: summary, pane: kind === 'FINDING' ? `findings/${id}` : `calls/${id}` });
  const isWanted = ({ id }: Named) => id.toLowerCase().startsWith(beginning.toLowerCase());
  return [...new Map(all.filter(isWanted).map((each) => [each.pane, each])).values()].slice(0, maxFound);
}
