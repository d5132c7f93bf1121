import type { Intent } from '../../contract/public/operations.js';
import { accountRef, type AccountRecord } from '../accounts/account.js';
import type { Context } from '../context.js';
import type { DomainEvent } from '../event.js';
import { historyEntry } from '../machine.js';
import type { OperationRecord, OperationStatus } from './operation.js';
import { eventsOfStatus } from './event.js';
import { consumeQuote, operationQuoteView, type QuoteRecord } from './quote.js';

/** A new operation with the quote that it consumed. */
export interface RequestedOperation {
  readonly operation: OperationRecord;
  readonly quote: QuoteRecord;
  readonly events: DomainEvent[];
}

/** Returns the id of the operation with this number. */
export function operationIdOf(context: Context, seq: number): string {
  return context.deriveId('operation', String(seq));
}

/** Creates an operation after all checks, and consumes its quote. */
export function requestOperation(
  context: Context,
  account: AccountRecord,
  quote: QuoteRecord,
  intent: Intent,
  seq: number,
): RequestedOperation {
  const id = operationIdOf(context, seq);
  const consumed = consumeQuote(context, quote, id);
  const operation: OperationRecord = {
    id,
    seq,
    customerId: account.customerId,
    account: accountRef(account),
    sourceAmount: quote.sourceAmount,
    targetAmount: quote.targetAmount,
    requestedAmount: quote.requestedAmount,
    intent,
    quote: operationQuoteView(consumed),
    fees: [...quote.fees],
    ...(intent.type === 'DEPOSIT' && quote.terms ? { terms: quote.terms } : {}),
    transactions: [],
    states: [historyEntry<OperationStatus>(context, 'REQUESTED')],
    tags: account.tags,
    createdAt: context.now,
    updatedAt: context.now,
  };
  return { operation, quote: consumed, events: eventsOfStatus(operation) };
}
