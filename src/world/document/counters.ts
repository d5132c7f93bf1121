import type { Interruptible } from '../../domain/interruptible.js';
import type { State } from '../state.js';
import type { ListedTable, Tables } from '../tables.js';

type Counter = Tables['counters'];

/** Tables with numbered rows, and the names of their counters. */
const numbered: readonly (readonly [ListedTable, string])[] = [
  ['accounts', 'account'],
  ['documents', 'document'],
  ['beneficiaries', 'beneficiary'],
  ['quotes', 'quote'],
  ['operations', 'operation'],
  ['subscriptions', 'subscription'],
  ['deliveries', 'delivery'],
  ['inboxMessages', 'inboxMessage'],
  ['ledgerEntries', 'ledgerEntry'],
  ['faults', 'fault'],
];

/** Generated fields of a transaction, with their counters. */
const drawn = [
  ['id', 'transactionId'],
  ['uetr', 'uetrId'],
  ['transactionHash', 'transactionHashId'],
  ['endToEnd', 'endToEndCode'],
] as const;

/**
 * Returns the counters that are missing or too low for existing rows, with corrected values, so that new rows never reuse a number or id.
 * Can pause between two rows.
 */
export function* raisedCounters(state: State): Interruptible<Counter[]> {
  const shown = new Map<string, number>();
  const reached = (name: string, value: number) => shown.set(name, Math.max(shown.get(name) ?? 0, value));
  const found = (name: string, count: number) => shown.set(name, (shown.get(name) ?? 0) + count);
  for (const [table, name] of numbered) {
    for (const { seq } of state[table].values()) {
      reached(name, Math.floor(seq)); // An unknown event has a position between two whole numbers, which does not come from the counter.
      yield;
    }
  }
  for (const { verb, order } of state.jobs.values()) if (verb === 'step') reached('job', order);
  for (const id of state.outbox.keys()) reached('attempt', Number(/^attempt-([0-9]{1,15})$/.exec(id)?.[1] ?? 0));
  // Beneficial owners, payment instructions and transactions are never deleted, so their number is the counter.
  for (const { ubos } of state.accounts.values()) found('uboId', ubos.length);
  for (const { paymentInstructions } of state.beneficiaries.values()) found('paymentInstructionId', paymentInstructions.length);
  for (const { transactions } of state.operations.values()) {
    for (const [field, name] of drawn) found(name, transactions.filter((each) => field in each).length);
    yield;
  }
  for (const { body } of state.inboxMessages.values()) found('inboxCharacters', body.length);
  return [...shown].filter(([id, value]) => value > (state.counters.get(id)?.value ?? 0)).map(([id, value]) => ({ id, value }));
}
