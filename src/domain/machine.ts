import { maxStates, type Reason } from '../contract/shared/common.js';
import type { Context } from './context.js';
import { DomainError, resourceName, humanize } from './errors.js';

/** The allowed status changes of a kind: for each status, its successors. A status without successors is final. */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>;

/** One entry of a status history, with the id of its cause. */
export interface StateRecord<S extends string> {
  readonly status: S;
  readonly createdAt: string;
  readonly reason: Reason | null;
  readonly causeId: string;
}

export function isFinal<S extends string>(transitions: Transitions<S>, status: S): boolean {
  return transitions[status].length === 0;
}

/** Returns all statuses reachable from a status, directly or through others. */
export function reachableFrom<S extends string>(transitions: Transitions<S>, status: S): S[] {
  const seen = new Set(transitions[status]);
  for (const each of seen) for (const next of transitions[each]) seen.add(next);
  return [...seen];
}

/** Returns the last entry of a history. @throws Error if it is empty */
export function current<S extends string>(states: readonly StateRecord<S>[]): StateRecord<S> {
  const last = states.at(-1);
  if (last === undefined) throw new Error('A history has no entries.');
  return last;
}

/** Creates a history entry with the current world time. */
export function historyEntry<S extends string>(context: Context, status: S, reason: Reason | null = null): StateRecord<S> {
  return { status, createdAt: context.now, reason, causeId: context.causeId };
}

/** A resource whose status changes: its kind and id for errors, its allowed changes, and its history. */
export interface StatusHolder<S extends string> {
  readonly resource: string;
  readonly id: string;
  readonly transitions: Transitions<S>;
  readonly states: readonly StateRecord<S>[];
}

/**
 * Returns the history with one more entry, at the current world time. The last possible entry is reserved for a final status.
 * @throws DomainError INVALID_STATUS_CHANGE if the table forbids the change, or the history is full
 */
export function withStatus<S extends string>(
  context: Context,
  { resource, id, transitions, states }: StatusHolder<S>,
  to: S,
  reason: Reason | null,
): readonly StateRecord<S>[] {
  checkMove(resource, id, transitions, current(states).status, to);
  if (!hasRoom(transitions, states, to)) throw fullHistory({ resource, id, transitions, states }, to);
  return [...states, historyEntry(context, to, reason)];
}

/** Whether a history has room for one more status. */
export function hasRoom<S extends string>(transitions: Transitions<S>, states: readonly StateRecord<S>[], to: S): boolean {
  const canEnd = reachableFrom(transitions, current(states).status).some((status) => isFinal(transitions, status));
  return states.length + (canEnd && !isFinal(transitions, to) ? 1 : 0) < maxStates;
}

function fullHistory<S extends string>({ resource, id, transitions, states }: StatusHolder<S>, to: S): DomainError {
  const from = current(states).status;
  const possible = transitions[from].filter((status) => hasRoom(transitions, states, status));
  return new DomainError(
    'INVALID_STATUS_CHANGE',
    `The ${humanize(resource)} ${id} is ${from} and cannot become ${to}, because its history is full: it has at most ${maxStates} statuses. Possible: ${possible.join(', ') || 'none'}.`,
    { resource: resourceName(resource), id, from, to, possible, maximum: maxStates },
  );
}

/**
 * Returns the error for a forbidden status change, which lists the allowed ones.
 * @param possible the allowed statuses. Default: those of the table
 */
export function invalidStatusChange<S extends string>(
  resource: string,
  id: string,
  transitions: Transitions<S>,
  from: S,
  to: S,
  possible: readonly S[] = transitions[from],
): DomainError {
  const moves = possible.length === 0 ? 'none: the status is final' : possible.join(', ');
  return new DomainError(
    'INVALID_STATUS_CHANGE',
    `The ${humanize(resource)} ${id} is ${from} and cannot become ${to}. Possible: ${moves}.`,
    {
      resource: resourceName(resource),
      id,
      from,
      to,
      possible: [...possible],
    },
  );
}

/** Checks that the table allows a status change. @throws DomainError INVALID_STATUS_CHANGE */
export function checkMove<S extends string>(resource: string, id: string, transitions: Transitions<S>, from: S, to: S): void {
  if (!transitions[from].includes(to)) throw invalidStatusChange(resource, id, transitions, from, to);
}

function stateView<S extends string>({ status, createdAt, reason }: StateRecord<S>) {
  return { status, createdAt, reason };
}

/** Returns a history as responses show it: the last entry and all entries. */
export function historyView<S extends string>(states: readonly StateRecord<S>[]) {
  return { currentState: stateView(current(states)), states: states.map(stateView) };
}
