import { maxStates, type Reason } from '../contract/shared/common.js';
import type { Context } from './context.js';
import { DomainError, resourceName, spoken } from './errors.js';

/** The legal status changes of one kind of thing: for each status, those that may follow it. None: it is final. */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>;

/** One entry of a history, with the id of what caused it. */
export interface StateRecord<S extends string> {
  readonly status: S;
  readonly createdAt: string;
  readonly reason: Reason | null;
  readonly causeId: string;
}

/** The statuses from which nothing follows. */
export function isFinal<S extends string>(transitions: Transitions<S>, status: S): boolean {
  return transitions[status].length === 0;
}

/** The statuses that lead on from a status, over however many others. */
export function reachableFrom<S extends string>(transitions: Transitions<S>, status: S): S[] {
  const seen = new Set(transitions[status]);
  for (const each of seen) for (const next of transitions[each]) seen.add(next);
  return [...seen];
}

/** The last entry of a history. A history is never empty. */
export function current<S extends string>(states: readonly StateRecord<S>[]): StateRecord<S> {
  const last = states.at(-1);
  if (last === undefined) throw new Error('A history has no entries.');
  return last;
}

/** A new history entry for this instant. */
export function enter<S extends string>(context: Context, status: S, reason: Reason | null = null): StateRecord<S> {
  return { status, createdAt: context.now, reason, causeId: context.causeId };
}

/** A history with one more entry. Of a very long one the first entry and the newest stay. */
export function grown<S extends string>(states: readonly StateRecord<S>[], entry: StateRecord<S>): readonly StateRecord<S>[] {
  return states.length < maxStates ? [...states, entry] : [states[0]!, ...states.slice(2), entry];
}

/**
 * The refusal of a status change that the table does not allow, naming those that it does.
 * `possible` defaults to what the table allows; a caller with further rules may narrow it.
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
  return new DomainError('INVALID_STATUS_CHANGE', `The ${spoken(resource)} ${id} is ${from} and cannot become ${to}. Possible: ${moves}.`, {
    resource: resourceName(resource),
    id,
    from,
    to,
    possible: [...possible],
  });
}

/** Refuses a status change that the table does not allow. @throws DomainError INVALID_STATUS_CHANGE */
export function checkMove<S extends string>(resource: string, id: string, transitions: Transitions<S>, from: S, to: S): void {
  if (!transitions[from].includes(to)) throw invalidStatusChange(resource, id, transitions, from, to);
}

/** A history entry as responses show it. */
function stateView<S extends string>({ status, createdAt, reason }: StateRecord<S>) {
  return { status, createdAt, reason };
}

/** A history as responses show it: the last entry, and all of them. */
export function historyView<S extends string>(states: readonly StateRecord<S>[]) {
  return { currentState: stateView(current(states)), states: states.map(stateView) };
}
