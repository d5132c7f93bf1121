import type { Operation } from '../../contract/public/operations.js';

const ends = new Set<string>(['COMPLETED', 'FAILED']);

/** Returns an operation as it was in one of its states. Only the states and transactions of an operation ever change. */
export function operationAt(operation: Operation, index: number): Operation {
  const states = operation.states.slice(0, index + 1);
  const state = states.at(-1)!;
  const isPaid = states.some(({ status }) => status === 'PROCESSING');
  const transactions = isPaid
    ? operation.transactions.map((each) => (ends.has(state.status) ? each : { ...each, status: 'PROCESSING' as const }))
    : [];
  return { ...operation, transactions, currentState: state, states, updatedAt: state.createdAt };
}
