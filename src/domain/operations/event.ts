import type { OperationEvent } from '../../contract/public/events.js';
import type { Intent } from '../../contract/public/operations.js';
import { holderName } from '../payees/beneficiary.js';
import type { DomainEvent } from '../event.js';
import { current, historyView, isFinal } from '../machine.js';
import { operationTransitions, type OperationRecord, type OperationStatus } from './operation.js';
import { addressOfFlat } from '../payees/payment-instruction.js';
import { transactionEventView } from './transaction.js';

export type OperationEventType = Extract<DomainEvent['type'], `OPERATION_${string}`>;

/** The status that an operation has in each of its events. An operation that enters this status sends the event. */
export const statusOfOperationEvent: Readonly<Record<OperationEventType, OperationStatus>> = {
  OPERATION_REQUESTED: 'REQUESTED',
  OPERATION_COMPLETED: 'COMPLETED',
  OPERATION_FAILED: 'FAILED',
};
const operationEventTypes = Object.keys(statusOfOperationEvent) as OperationEventType[];

export function isOperationEvent(type: string): type is OperationEventType {
  return Object.hasOwn(statusOfOperationEvent, type);
}

/** Types of the events of operations in a final status. */
export const finalOperationEvents: ReadonlySet<string> = new Set(
  operationEventTypes.filter((type) => isFinal(operationTransitions, statusOfOperationEvent[type])),
);

/** Returns the type of the event of a status; undefined for a status without an event. */
export function eventTypeOf(status: string): OperationEventType | undefined {
  return operationEventTypes.find((type) => statusOfOperationEvent[type] === status);
}

/** Returns the events of an operation that has entered its present status: one, or none. */
export function eventsOfStatus(operation: OperationRecord): DomainEvent[] {
  const type = eventTypeOf(current(operation.states).status);
  return type === undefined ? [] : [operationEvent(type, operation)];
}

/** Creates an event with the present state of an operation. */
export function operationEvent(type: OperationEventType, operation: OperationRecord): DomainEvent {
  return { type, resourceId: operation.id, payload: () => operationEventView(operation) };
}

function operationEventView(operation: OperationRecord): OperationEvent {
  const { id, customerId, account, sourceAmount, targetAmount, intent, fees, transactions, states, quote, tags } = operation;
  return {
    id,
    customerId,
    account,
    sourceAmount,
    destinationAmount: targetAmount,
    intent: intentEventView(intent),
    fees,
    transactions: transactions.map(transactionEventView),
    currentState: historyView(states).currentState,
    atTime: current(states).createdAt,
    quote: sourceAmount.asset === targetAmount.asset ? null : quote,
    tags,
  };
}

/** Returns an intent as webhooks show it: only a withdrawal has more than a type. */
function intentEventView(intent: Intent): OperationEvent['intent'] {
  if (intent.type !== 'WITHDRAWAL') return { type: intent.type };
  const { id, holder, paymentInstruction } = intent.beneficiary;
  return {
    type: intent.type,
    beneficiary: {
      id,
      holder: { name: holderName(holder), taxId: holder.taxId.value, address: holder.address },
      instruction: { id: paymentInstruction.id, address: addressOfFlat(paymentInstruction) },
    },
  };
}
