import type { Item } from '../item.js';
import { inWords } from '../parts/words.js';

/** What of all that happened is shown. */
export type Kinds = 'all' | 'calls' | 'webhooks' | 'states' | 'jobs';

export interface Shown {
  readonly kinds: Kinds;
  readonly failuresOnly: boolean;
  /** Words that have to stand in a row or in something that it caused. */
  readonly text: string;
  /** Whether reads of the same thing that follow each other are one row. */
  readonly fold: boolean;
}

/** A row of the timeline. */
export interface Row {
  readonly item: Item;
  readonly depth: number;
  /** Whether there are rows below it, shown or not. */
  readonly hasMore: boolean;
  readonly isOpen: boolean;
  /** How many reads of the same it stands for. */
  readonly times: number;
  /** Whether it is the last of those with the same cause. */
  readonly isLast: boolean;
}

const kindsOf: Record<Kinds, readonly Item['kind'][] | null> = {
  all: null,
  calls: ['REQUEST', 'CONTROL'],
  webhooks: ['DELIVERY', 'ATTEMPT', 'INBOX'],
  states: ['STATE', 'LEDGER'],
  jobs: ['JOB', 'RULE', 'CLOCK'],
};

/** Whether something went wrong: for a call, for a webhook, or for a resource. */
function isFailure({ kind, status, request }: Item): boolean {
  if (kind === 'FINDING') return true;
  if (status === null) return false;
  if (kind === 'REQUEST' || kind === 'CONTROL') return Number(status) >= 400 || request?.outcome === 'LOST';
  if (kind === 'ATTEMPT') return !status.startsWith('2');
  return status === 'FAILED' || status === 'REJECTED';
}

/** The id in a cause, which may have the name of a kind before it. */
const idIn = (causeId: string): string => causeId.slice(causeId.indexOf(':') + 1);

/** A step of a rule as an item of its own, over all that it did at once: the stream tells only what that was. */
function stepOf({ order, causeId, at, realAt, generation, test, resource, resourceId, rule }: Item, status: string | null): Item {
  const subject = resourceId === null ? '' : `${inWords(resource ?? '')} ${resourceId.slice(0, 8)}, `;
  const summary = `${subject}step ${rule?.step} of "${rule?.name}"`;
  const id = stepId(causeId, resourceId);
  return { order, id, kind: 'RULE', at, realAt, generation, test, resource, resourceId, summary, status, ms: null, causeId: null };
}

/** Names a step: each is taken once for a resource. */
const stepId = (causeId: string | null, resourceId: string | null): string => `${causeId}|${resourceId}`;

/** What happened as a forest: its roots, and what each thing caused. */
interface Forest {
  readonly roots: Item[];
  readonly below: Map<Item, Item[]>;
}

/** How a world begins anew, from where on the same ids may be given again. */
const beginnings = new Set(['RESET', 'RESTORE', 'IMPORT', 'RECREATE']);

function forestOf(items: readonly Item[]): Forest {
  const forest: Forest = { roots: [], below: new Map() };
  let from = 0;
  items.forEach(({ kind, status }, index) => {
    if (kind !== 'WORLD' || !beginnings.has(status ?? '')) return;
    plant(items.slice(from, index), forest);
    from = index;
  });
  plant(items.slice(from), forest);
  return forest;
}

/** Adds what happened between two beginnings of a world. */
function plant(items: readonly Item[], { roots, below }: Forest): void {
  const byId = new Map<string, Item>();
  const newest = new Map<string, Item>();
  const reached = new Map<string, string | null>();
  let clock = '';
  for (const item of items) {
    if (item.kind === 'STATE') reached.set(stepId(item.causeId, item.resourceId), item.status);
    if (item.kind === 'DELIVERY') newest.set(item.id, item);
    if (item.kind !== 'STATE' && item.kind !== 'LEDGER' && !byId.has(item.id)) byId.set(item.id, item);
  }
  for (const item of items) {
    if (item.kind === 'INBOX') continue; // The attempt that filled it stands here.
    if (item.kind === 'CLOCK' && item.summary === clock) continue; // Moved on its way, and no news.
    if (item.kind === 'CLOCK') clock = item.summary;
    const { causeId } = item;
    if (item.kind === 'DELIVERY' && byId.get(item.id) !== item) continue; // Its later statuses are shown at the first place.
    const told = item.kind === 'DELIVERY' ? { ...item, status: newest.get(item.id)!.status } : item;
    if (told !== item) byId.set(item.id, told);
    let parent = byId.get(item.attempt?.deliveryId ?? '') ?? (causeId === null ? undefined : byId.get(idIn(causeId)));
    if (parent === undefined && causeId !== null && item.rule) {
      const step = stepOf(item, reached.get(stepId(causeId, item.resourceId)) ?? null);
      parent = byId.get(step.id);
      if (parent === undefined) {
        byId.set(step.id, step);
        roots.push(step);
        parent = step;
      }
    }
    if (parent === undefined || parent === told) roots.push(told);
    else {
      const siblings = below.get(parent);
      if (siblings) siblings.push(told);
      else below.set(parent, [told]);
    }
  }
}

const isRead = ({ kind, request, status }: Item) => kind === 'REQUEST' && request?.method === 'GET' && status?.startsWith('2') === true;

/** Names a row among all others. It is made for those that are looked at alone: for all of thousands it would be most of the work. */
export const rowKey = ({ item: { kind, id, order } }: Pick<Row, 'item'>): string => `${kind}:${id}:${order}`;

/** What happened as rows, newest first, each with what it caused below it. @param open the rows that are unfolded */
export function rowsOf(items: readonly Item[], open: ReadonlySet<string>, shown: Shown): Row[] {
  const { roots, below } = forestOf(items);
  const wanted = kindsOf[shown.kinds];
  const words = shown.text.toLowerCase();
  const suits = (item: Item): boolean =>
    (wanted === null || wanted.includes(item.kind)) &&
    (!shown.failuresOnly || isFailure(item)) &&
    (words === '' || `${item.summary} ${item.id} ${item.resourceId ?? ''} ${item.status ?? ''}`.toLowerCase().includes(words));
  const has = (item: Item, depth = 0): boolean =>
    suits(item) || (depth < 20 && (below.get(item) ?? []).some((each) => has(each, depth + 1)));

  const rows: Row[] = [];
  const add = (item: Item, depth: number, times: number, isLast: boolean): void => {
    const children = depth < 20 ? (below.get(item) ?? []) : [];
    const isOpen = children.length > 0 && open.has(rowKey({ item }));
    rows.push({ item, depth, hasMore: children.length > 0, isOpen, times, isLast });
    if (isOpen) children.forEach((each, index) => add(each, depth + 1, 1, index === children.length - 1));
  };
  for (let at = roots.length - 1; at >= 0; at -= 1) {
    const item = roots[at]!;
    if (!has(item)) continue;
    let times = 1;
    if (shown.fold && isRead(item)) {
      while (at > 0 && isRead(roots[at - 1]!) && roots[at - 1]!.summary === item.summary) {
        times += 1;
        at -= 1;
      }
    }
    add(item, 0, times, true);
  }
  return rows;
}
