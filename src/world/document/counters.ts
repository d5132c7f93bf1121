import type { Work } from '../../domain/work.js';
import type { State } from '../state.js';
import type { ListedTable, Tables } from '../tables.js';

type Counter = Tables['counters'];

/** The tables whose rows are numbered, each with the name of its counter. */
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

/** The fields of a transaction that are drawn anew each time, with their counters. */
const drawn = [
  ['id', 'transactionId'],
  ['uetr', 'uetrId'],
  ['transactionHash', 'transactionHashId'],
  ['endToEnd', 'endToEndCode'],
] as const;

/**
 * The counters that rows show to be too low, or missing, at what they have to be: what is made next must not bear the number or the id
 * of something that there is. The work can be held up between two rows.
 */
export function* raisedCounters(state: State): Work<Counter[]> {
  const shown = new Map<string, number>();
  const reached = (name: string, value: number) => shown.set(name, Math.max(shown.get(name) ?? 0, value));
  const found = (name: string, count: number) => shown.set(name, (shown.get(name) ?? 0) + count);
  for (const [table, name] of numbered) {
    for (const { seq } of state[table].values()) {
      reached(name, seq);
      yield;
    }
  }
  for (const { verb, order } of state.jobs.values()) if (verb === 'step') reached('job', order);
  for (const id of state.outbox.keys()) reached('attempt', Number(/^attempt-([0-9]{1,15})$/.exec(id)?.[1] ?? 0));
  // None of these is ever deleted, so there are as many as were ever made.
  for (const { ubos } of state.accounts.values()) found('uboId', ubos.length);
  for (const { paymentInstructions } of state.beneficiaries.values()) found('paymentInstructionId', paymentInstructions.length);
  for (const { transactions } of state.operations.values()) {
    for (const [field, name] of drawn) found(name, transactions.filter((each) => field in each).length);
    yield;
  }
  for (const { body } of state.inboxMessages.values()) found('inboxCharacters', body.length);
  return [...shown].filter(([id, value]) => value > (state.counters.get(id)?.value ?? 0)).map(([id, value]) => ({ id, value }));
}
