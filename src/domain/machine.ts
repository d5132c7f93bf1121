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
export function enter<S extends string>(context: Context, status: S, reason: Reason | null = null): StateRecord<S> {
  return { status, createdAt: context.now, reason, causeId: context.causeId };
}

/** Returns the history with one more entry. A full history loses its second entry, so the first entry and the newest remain. */
export function grown<S extends string>(states: readonly StateRecord<S>[], entry: StateRecord<S>): readonly StateRecord<S>[] {
  return states.length < maxStates ? [...states, entry] : [states[0]!, ...states.slice(2), entry];
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
