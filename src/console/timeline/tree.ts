import { causeTreeOf, idIn } from '../../client/cause-tree.js';
import type { Item } from '../item.js';
import { inWords } from '../parts/words.js';
import { groupIdOf } from './groups.js';

/** The visible kinds of items. */
export type Kinds = 'all' | 'calls' | 'webhooks' | 'states' | 'jobs';

export interface TreeSettings {
  readonly kinds: Kinds;
  readonly failuresOnly: boolean;
  /** The items that a search has found, by {@link foundBy}; null without a search. Only these items and their causes are shown. */
  readonly found: ReadonlySet<number | string> | null;
  /** Whether consecutive reads of the same path become one row. Among failures, their errors must be equal too. */
  readonly fold: boolean;
  /** False while older items are not loaded: an item is hidden until its cause is loaded. */
  readonly isComplete: boolean;
}

/** A row of the timeline. */
export interface Row {
  readonly item: Item;
  /** The item whose key identifies the row: of folded reads, the oldest. */
  readonly anchor: Item;
  readonly depth: number;
  /** Whether the row has rows below it, visible or folded. */
  readonly hasMore: boolean;
  readonly isOpen: boolean;
  /** Number of folded reads in the row; 1 for other rows. */
  readonly times: number;
  /** Whether the row is the last one below its cause. */
  readonly isLast: boolean;
  /** The operation whose group the row heads; null for other rows. */
  readonly operationId: string | null;
  /** Returns all items of the operation whose group the row heads, oldest first; null for other rows. Called only for visible rows. */
  readonly within: (() => readonly Item[]) | null;
  /** When the next attempt of a delivery is due; null if none is planned. */
  readonly nextAt: string | null;
  /** The row of depth 0 above this row; null for a row of depth 0. */
  readonly root: Row | null;
}

const kindsOf: Record<Kinds, readonly Item['kind'][] | null> = {
  all: null,
  calls: ['REQUEST', 'CONTROL'],
  webhooks: ['DELIVERY', 'ATTEMPT', 'INBOX'],
  states: ['STATE', 'LEDGER'],
  jobs: ['JOB', 'RULE', 'CLOCK'],
};

/** Whether an item is a finding, or a failure of a request, a webhook or a resource. */
export function isFailure({ kind, status, request }: Item): boolean {
  if (kind === 'FINDING') return true;
  if (status === null) return false;
  if (kind === 'REQUEST' || kind === 'CONTROL') return Number(status) >= 400 || request?.outcome === 'LOST';
  if (kind === 'ATTEMPT') return !status.startsWith('2');
  return status === 'FAILED' || status === 'REJECTED';
}

/** The empty fields of an item that represents others. */
const noFacts = { status: null, ms: null, causeId: null } as const;

/** Returns an item for a step of a rule. The stream sends only the effects of the step; this item becomes their parent. */
function stepOf({ order, causeId, at, realAt, generation, test, resource, resourceId, rule }: Item, status: string | null): Item {
  const summary = `step ${rule?.step} of "${rule?.name}"`;
  const subject = resource === 'OPERATION' || resourceId === null ? '' : `${inWords(resource ?? '')} ${resourceId.slice(0, 8)}, `;
  const own = { order, id: stepId(causeId, resourceId), at, realAt, generation, test, resource, resourceId };
  return { ...noFacts, ...own, kind: 'RULE', summary: `${subject}${summary}`, status };
}

/** Returns the head of a group, with the time of the first item of its operation. */
function headOf({ order, at, realAt, generation, test }: Item, operationId: string): Item {
  const own = { order, id: operationId, at, realAt, generation, test, resource: 'OPERATION', resourceId: operationId };
  return { ...noFacts, ...own, kind: 'STATE', summary: `operation ${operationId.slice(0, 8)}` };
}

/** Returns the id of a step of a rule, which runs once per resource. */
const stepId = (causeId: string | null, resourceId: string | null): string => `${causeId}|${resourceId}`;

/** The items as trees: the roots, the effects below each item, and the roots that head a group. */
interface Forest {
  readonly roots: Item[];
  readonly below: Map<Item, Item[]>;
  readonly heads: Set<Item>;
}

/** Statuses of a world after which the same ids may occur again. */
const beginnings = new Set(['RESET', 'RESTORE', 'IMPORT', 'RECREATE']);

function forestOf(items: readonly Item[], isComplete: boolean): Forest {
  const forest: Forest = { roots: [], below: new Map(), heads: new Set() };
  let from = 0;
  items.forEach(({ kind, status }, index) => {
    if (kind !== 'WORLD' || !beginnings.has(status ?? '')) return;
    plant(items.slice(from, index), forest, isComplete || from > 0);
    from = index;
  });
  plant(items.slice(from), forest, isComplete || from > 0);
  return forest;
}

/** Adds the items of one generation of a world. */
function plant(items: readonly Item[], { roots, below, heads }: Forest, isComplete: boolean): void {
  const tree = causeTreeOf(items);
  const reached = new Map<string, string | null>();
  const steps = new Map<string, Item>();
  const groupHeads = new Map<string, Item>();
  let clock = '';
  for (const { kind, causeId, resourceId, status } of items) if (kind === 'STATE') reached.set(stepId(causeId, resourceId), status);
  const putBelow = (parent: Item, item: Item): void => {
    const siblings = below.get(parent);
    if (siblings) siblings.push(item);
    else below.set(parent, [item]);
  };
  /** Adds an item without a loaded cause: to the group of its operation, else as a root. */
  const putApart = (item: Item): void => {
    const operationId = groupIdOf(item);
    if (operationId === null) {
      roots.push(item);
      return;
    }
    let head = groupHeads.get(operationId);
    if (head === undefined) {
      head = headOf(item, operationId);
      groupHeads.set(operationId, head);
      heads.add(head);
      roots.push(head);
    }
    putBelow(head, item);
  };
  for (const item of tree.items) {
    if (item.kind === 'INBOX') continue; // The attempt that filled the inbox is shown instead.
    if (item.kind === 'CLOCK' && (item.summary === clock || item.rule)) continue; // The clock has the same state, or a rule has moved it.
    if (item.kind === 'CLOCK') clock = item.summary;
    const { causeId } = item;
    let parent = tree.causeOf(item);
    if (parent === undefined && causeId !== null && item.rule) {
      const id = stepId(causeId, item.resourceId);
      parent = steps.get(id);
      if (parent === undefined) {
        parent = stepOf(item, reached.get(id) ?? null);
        steps.set(id, parent);
        putApart(parent);
      }
    }
    if (parent !== undefined) putBelow(parent, item);
    else if (isComplete || causeId === null || groupIdOf(item) !== null) putApart(item);
  }
}

/** Returns a text that is equal for consecutive reads in one row: those of one path, among failures those with one error; null for others. */
function foldedBy({ kind, request, status, summary }: Item, { fold, failuresOnly }: TreeSettings): string | null {
  if (!fold || kind !== 'REQUEST' || request?.method !== 'GET' || status === null) return null;
  if (status.startsWith('2')) return summary;
  return failuresOnly && status.startsWith('4') ? [status, request.code, request.operationId].join(' ') : null;
}

const keyOf = ({ kind, id, order, generation }: Item, isHead: boolean): string =>
  isHead ? `operation:${id}:${generation}` : `${kind}:${id}:${order}`;

/**
 * Returns the unique key of a row. Not a field of the row, because computing the keys of thousands of rows would be most of the work, and
 * few keys are needed.
 */
export const rowKey = ({ anchor, operationId }: Pick<Row, 'anchor' | 'operationId'>): string => keyOf(anchor, operationId !== null);

/**
 * Returns the key of the row that shows a search result. All statuses of a delivery share one row; an inbox item is shown in the row of its
 * attempt.
 */
export function foundBy({ kind, id, order, causeId }: Item): number | string {
  if (kind === 'DELIVERY') return id;
  return kind === 'INBOX' && causeId !== null ? idIn(causeId) : order;
}

/** Maximum depth of rows. */
const maxDepth = 20;

/**
 * Returns the items as rows, newest first, each followed by its effects.
 * @param toggled keys of rows that the user has folded or unfolded. At first, roots are folded and rows below them are open
 */
export function rowsOf(items: readonly Item[], toggled: ReadonlySet<string>, shown: TreeSettings): Row[] {
  const { roots, below, heads } = forestOf(items, shown.isComplete);
  const wanted = kindsOf[shown.kinds];
  const suits = (item: Item): boolean =>
    !heads.has(item) &&
    (wanted === null || wanted.includes(item.kind)) &&
    (!shown.failuresOnly || isFailure(item)) &&
    (shown.found === null || shown.found.has(foundBy(item)));
  const has = (item: Item, depth = 0): boolean =>
    suits(item) || (depth < maxDepth && (below.get(item) ?? []).some((each) => has(each, depth + 1)));
  const collect = (item: Item, into: Item[], depth = 0): Item[] => {
    for (const each of depth < maxDepth ? (below.get(item) ?? []) : []) {
      into.push(each);
      collect(each, into, depth + 1);
    }
    return into;
  };

  const allOf = (head: Item): (() => readonly Item[]) => {
    let all: readonly Item[] | undefined;
    return () => (all ??= collect(head, []));
  };

  const rows: Row[] = [];
  const add = (item: Item, anchor: Item, depth: number, times: number, isLast: boolean, above: Row | null): void => {
    const children = depth < maxDepth ? below.get(item) : undefined;
    const isHead = depth === 0 && heads.has(item);
    const isOpen = children !== undefined && toggled.has(keyOf(anchor, isHead)) === (depth === 0);
    const retry = item.kind === 'DELIVERY' && item.status === 'WAITING' ? children?.findLast(({ kind }) => kind === 'JOB') : undefined;
    const row: Row = {
      item,
      anchor,
      depth,
      hasMore: children !== undefined,
      isOpen,
      times,
      isLast,
      operationId: isHead ? item.id : null,
      within: isHead ? allOf(item) : (above?.within ?? null),
      nextAt: retry?.status ?? null,
      root: above,
    };
    rows.push(row);
    if (!isOpen) return;
    const root = above ?? row;
    children.forEach((each, index) => add(each, each, depth + 1, 1, index === children.length - 1, root));
  };
  const hasFinding = (item: Item): boolean => (below.get(item) ?? []).some(({ kind }) => kind === 'FINDING');
  const listed = roots.filter((root) => has(root));
  for (let at = listed.length - 1; at >= 0; at -= 1) {
    const item = listed[at]!;
    let times = 1;
    let anchor = item;
    const folded = foldedBy(item, shown);
    const isLike = (other: Item | undefined): boolean =>
      folded !== null && other !== undefined && foldedBy(other, shown) === folded && !hasFinding(other);
    while (isLike(listed[at - 1])) {
      times += 1;
      at -= 1;
      anchor = listed[at]!;
    }
    add(item, anchor, 0, times, true, null);
  }
  return rows;
}
