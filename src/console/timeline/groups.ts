import type { Item } from '../item.js';

/** One operation from its request to its last webhook. */
export interface OperationGroup {
  readonly operationId: string;
  /** Type, amounts and payee; null while no status of the operation is loaded. */
  readonly facts: NonNullable<Item['operation']> | null;
  /** The newest status; null while none is loaded. */
  readonly status: string | null;
  /** The problems, for example `1 failed webhook` or `response lost`. */
  readonly problems: readonly string[];
}

/** A time span, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the operation in whose group of rows an item is shown; null without one. Reads have no group: polling would hide the other items. */
export function groupIdOf({ resource, resourceId, request, kind }: Item): string | null {
  if (resource !== 'OPERATION' || (request?.method === 'GET' && kind === 'REQUEST')) return null;
  return resourceId;
}

/** Returns the summary of a group. @param within all items of the group, oldest first */
export function summaryOfGroup(operationId: string, within: readonly Item[]): OperationGroup {
  const states = within.filter(({ kind, id }) => kind === 'STATE' && id === operationId);
  const facts = states.findLast(({ operation }) => operation !== undefined)?.operation ?? null;
  const failing = within.filter(({ kind, status }) => kind === 'DELIVERY' && status === 'FAILED').length;
  const lost = within.filter(({ request }) => request?.outcome === 'LOST').length;
  return {
    operationId,
    facts,
    status: states.at(-1)?.status ?? null,
    problems: [...(lost > 0 ? ['response lost'] : []), ...(failing > 0 ? [`${failing} failed webhook${failing === 1 ? '' : 's'}`] : [])],
  };
}

/** Returns the span of an item: the duration of a request or an attempt, the time until a timer is due, otherwise no duration. */
export function spanOf({ kind, at, realAt, ms, status }: Item, mode: 'world' | 'real'): Span {
  const from = Date.parse(mode === 'real' ? realAt : at);
  if (kind === 'JOB' && mode === 'world' && status !== null) return { from, to: Math.max(from, Date.parse(status)) };
  return { from, to: from + (ms ?? 0) };
}

/** Returns the span that covers all items. */
export function spanOfAll(items: readonly Item[], mode: 'world' | 'real'): Span {
  let [from, to] = [Infinity, -Infinity];
  for (const item of items) {
    const span = spanOf(item, mode);
    from = Math.min(from, span.from);
    to = Math.max(to, span.to);
  }
  return { from, to };
}
