import type { InstructionEvent, OperationEvent } from '../../contract/public/events.js';
import type { DomainEvent } from '../event.js';

/** Returns the payload of an event without the fields that the sandbox adds to those of the real service. */
export function withoutExtras({ type, payload }: Pick<DomainEvent, 'type' | 'payload'>): unknown {
  if (type.startsWith('OPERATION_')) return plainOperation(payload() as OperationEvent);
  if (type.startsWith('BENEFICIARY_')) return plainInstruction(payload() as InstructionEvent);
  return payload();
}

function plainOperation({ id: _id, account: { owner }, intent, transactions, ...rest }: OperationEvent): unknown {
  const plainTransactions = transactions.map(({ id: _transactionId, ...transaction }) => transaction);
  return inOrder({ ...rest, account: { owner }, intent: plainIntent(intent), transactions: plainTransactions });
}

function plainIntent(intent: OperationEvent['intent']): unknown {
  if (intent.type !== 'WITHDRAWAL') return intent;
  const { holder, instruction } = intent.beneficiary;
  return { ...intent, beneficiary: { holder, instruction: { address: instruction.address } } };
}

function plainInstruction({ instruction: { id: _id, ...instruction }, ...rest }: InstructionEvent): unknown {
  return { ...rest, instruction };
}

/** The order of the fields of an operation's payload. */
const order = [
  'customerId',
  'account',
  'sourceAmount',
  'destinationAmount',
  'intent',
  'fees',
  'transactions',
  'currentState',
  'atTime',
  'quote',
  'tags',
] as const;

function inOrder(fields: Record<(typeof order)[number], unknown>): unknown {
  return Object.fromEntries(order.map((name) => [name, fields[name]]));
}
