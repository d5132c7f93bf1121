import { stepText, unrecordedCause } from '../contract/control/analysis/cause-text.js';
import { answered, type CallOptions, type Control } from './caller.js';
import { causeTreeOf, type CauseTree } from './cause-tree.js';
import type { TimelineItem } from './types.js';
import { timesOfLines } from './why-text.js';

/** Maximum number of items; the newest are used. */
const maxItems = 1000;
const pageSize = 500;

/** The kinds of items that the text shows. */
const kinds = 'REQUEST,CONTROL,STATE,DELIVERY,LEDGER,FINDING';

async function itemsOf(client: Control, { signal = null }: CallOptions): Promise<TimelineItem[]> {
  const items: TimelineItem[] = [];
  let cursor: string | undefined;
  do {
    const query = { kinds, reads: 'false', counts: 'false', limit: pageSize, ...(cursor === undefined ? {} : { cursor }) } as const;
    const { data, meta } = await answered(client.GET('/_sandbox/timeline', { params: { query }, signal }));
    items.push(...data);
    cursor = meta.nextCursor ?? undefined;
  } while (cursor !== undefined && items.length < maxItems);
  return items.toReversed();
}

/** Returns the timeline of a world as a tree of lines: causes (requests, rule steps), the resources that each began, and their items. */
export async function timelineOf(client: Control, options: CallOptions = {}): Promise<string> {
  const { signal = null } = options;
  const [clock, items] = await Promise.all([answered(client.GET('/_sandbox/clock', { signal })), itemsOf(client, options)]);
  const tree = causeTreeOf(items);
  const roots = rootsOf(tree);
  const head = `${clock.now}, ${clock.mode}, timers waiting: ${clock.pendingTimers}`;
  const timeOf = timesOfLines(clock.now);
  return [head, ...(roots.length > 0 ? roots.flatMap((root) => linesOf(root, tree, timeOf)) : ['No events yet.'])].join('\n');
}

type Tree = CauseTree<TimelineItem>;

/** A top-level line: a request, a rule step or a finding. `began` has all items of each resource whose first item this line caused. */
interface Root {
  readonly order: number;
  readonly at: string;
  readonly causeId: string;
  readonly text: string;
  readonly began: (readonly TimelineItem[])[];
}

/** True for a request to show even if no resource began with it: in progress, rejected, or with a changed or lost response. */
const isNotable = ({ kind, request, status }: TimelineItem) =>
  request !== undefined &&
  (status === null || Number(status) >= 400 || (request.outcome !== null && request.outcome !== 'DELIVERED')) &&
  (kind === 'REQUEST' || request.method !== 'GET');

function rootsOf(tree: Tree): Root[] {
  const resources = new Map<string, TimelineItem[]>();
  const roots = new Map<string, Root>();
  const add = (causeId: string, { order, at }: TimelineItem, text: string): Root => {
    const root = roots.get(causeId) ?? { order, at, causeId, text, began: [] };
    roots.set(causeId, root);
    return root;
  };
  const withdrawn = new Set(tree.items.flatMap(({ id, finding }) => (finding?.withdrawn ? [id] : [])));
  for (const item of tree.items) {
    if (item.kind === 'FINDING') {
      if (!item.finding?.withdrawn && !withdrawn.has(item.id)) add(`finding ${item.id}`, item, `finding ${item.id}, ${item.summary}`);
    } else if (item.request) {
      if (isNotable(item)) add(item.id, item, requestText(item.request, item.status));
    } else {
      const key = item.resourceId ?? item.id;
      const known = resources.get(key);
      if (known) known.push(item);
      else resources.set(key, [item]);
    }
  }
  for (const of of resources.values()) {
    const first = of[0]!;
    const cause = tree.causeOf(first);
    const [id, from] = cause?.request ? [cause.id, cause] : [first.causeId ?? '', first];
    add(id, from, causeLine(tree, first)).began.push(of);
  }
  return [...roots.values()].toSorted((a, b) => a.order - b.order);
}

function requestText({ method, path, code, outcome, ruleId }: NonNullable<TimelineItem['request']>, status: string | null): string {
  if (status === null) return `${method} ${path}, in progress`;
  const notes = [code, outcome === 'DELIVERED' ? null : outcome, ruleId === null ? null : `changed by ${ruleId}`].filter(Boolean);
  return [`${method} ${path}, answered ${status}`, ...notes].join(', ');
}

/** Describes the cause of an item: a request among the items, else a scenario step, else by its id. */
function causeLine(tree: Tree, item: TimelineItem): string {
  const cause = tree.causeOf(item);
  if (cause?.request) return requestText(cause.request, cause.status);
  return item.rule ? stepText(item.rule) : unrecordedCause(item.causeId ?? '').summary;
}

/** Formats the timestamp of a line. The lines are formatted in the order in which they are shown. */
type TimeOf = (instant: string) => string;

function linesOf({ at, text, causeId, began }: Root, tree: Tree, timeOf: TimeOf): string[] {
  return [`${timeOf(at)} ${text}`, ...began.flatMap((items) => resourceLines(items, causeId, tree, timeOf))];
}

/** Returns the lines of a resource: its present status and its items. @param known id of the cause in the line above, not repeated */
function resourceLines(items: readonly TimelineItem[], known: string, tree: Tree, timeOf: TimeOf): string[] {
  const { resource, resourceId, id } = items[0]!;
  const status = items.findLast(({ kind }) => kind === 'STATE')?.status ?? '';
  return [
    `  ${[resource ?? 'LEDGER_ENTRY', resourceId ?? id, status].join(' ').trimEnd()}`,
    ...items.map((item) => `    ${timeOf(item.at)} ${entryText(item, known, tree)}`),
  ];
}

function entryText(item: TimelineItem, known: string, tree: Tree): string {
  const { kind, state, delivery, summary, status, causeId } = item;
  const reason = state?.reason ? ` (${state.reason.code}: ${state.reason.message})` : '';
  const what = kind === 'STATE' ? `${state?.to}${reason}` : delivery ? `webhook ${delivery.eventType}, ${status}` : `posting ${summary}`;
  return `${what}${causeId === known ? '' : ` ← ${causeLine(tree, item)}`}`;
}
