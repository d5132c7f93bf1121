import type { Amount, Reason } from '../contract/common.js';
import type { OperationEvent } from '../contract/events.js';
import { operationStatuses, type Operation, type Transaction } from '../contract/operations.js';
import { accountRef, checkActive, checkEnabled, hasEnabled, isActive, type AccountRecord } from './account.js';
import { checkPayable, holderName, type BeneficiaryRecord, type InstructionRecord } from './beneficiary.js';
import type { Context } from './context.js';
import { DomainError } from './errors.js';
import type { DomainEvent } from './event.js';
import { customerLedger, feeLedger, fxLedger, posting, railLedger, type Posting } from './ledger.js';
import { checkMove, current, enter, historyView, invalidStatusChange, isFinal, type StateRecord, type Transitions } from './machine.js';
import { minorUnits } from './money.js';
import { checkQuoteUsable, consumeQuote, operationQuoteView, type QuoteRecord } from './quote.js';
import { defaultReason, reason } from './reasons.js';

export type OperationStatus = (typeof operationStatuses)[number];

/** What may follow each status of an operation, and what each means. */
export const operationTransitions: Transitions<OperationStatus> = {
  /** Accepted; nothing has moved yet. */
  REQUESTED: ['PROCESSING', 'FAILED'],
  /** Its transactions are on the way. */
  PROCESSING: ['COMPLETED', 'FAILED', 'ON_HOLD', 'ACTION_REQUIRED'],
  /** Stopped by a review. */
  ON_HOLD: ['PROCESSING', 'FAILED'],
  /** Stopped until the customer does something. */
  ACTION_REQUIRED: ['PROCESSING', 'FAILED'],
  /** Settled: its movements are in the ledger. */
  COMPLETED: [],
  /** Ended without moving money. */
  FAILED: [],
};

/** A transaction with what its webhook form needs besides. */
export type TransactionRecord = Transaction & { readonly statusAt: string; readonly failure: string | null };

export interface OperationRecord {
  readonly id: string;
  readonly seq: number;
  readonly customerId: string;
  readonly account: Operation['account'];
  readonly sourceAmount: Amount;
  readonly targetAmount: Amount;
  /** The amount that the client fixed. */
  readonly requestedAmount: Amount;
  readonly intent: Operation['intent'];
  readonly quote: Operation['quote'];
  readonly fees: Operation['fees'];
  readonly transactions: readonly TransactionRecord[];
  readonly states: readonly StateRecord<OperationStatus>[];
  readonly tags: Operation['tags'];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * Decides a withdrawal and consumes its quote.
 * @throws DomainError of the quote, the account, the asset, the beneficiary or the instruction, in this order
 */
export function createWithdrawal(
  context: Context,
  parties: { account: AccountRecord; quote: QuoteRecord; beneficiary: BeneficiaryRecord; instruction: InstructionRecord },
  seq: number,
): { operation: OperationRecord; quote: QuoteRecord; events: DomainEvent[] } {
  const { account, quote, beneficiary, instruction } = parties;
  checkQuoteUsable(context, quote, account.id);
  checkActive(account);
  checkEnabled(account, quote.sourceAmount.asset);
  checkPayable(beneficiary, instruction);
  if (instruction.asset !== quote.targetAmount.asset) {
    throw new DomainError(
      'INSTRUCTION_ASSET_MISMATCH',
      `Payment instruction ${instruction.id} receives ${instruction.asset}, but the quote's target is ${quote.targetAmount.asset}.`,
      { paymentInstructionId: instruction.id, instructionAsset: instruction.asset, quoteTargetAsset: quote.targetAmount.asset },
    );
  }
  const id = context.newId('operation');
  const consumed = consumeQuote(context, quote, id);
  const { rail, keyType, key } = instruction.address;
  const operation: OperationRecord = {
    id,
    seq,
    customerId: account.customerId,
    account: accountRef(account),
    sourceAmount: quote.sourceAmount,
    targetAmount: quote.targetAmount,
    requestedAmount: quote.requestedAmount,
    intent: {
      type: 'WITHDRAWAL',
      beneficiary: { id: beneficiary.id, holder: beneficiary.holder, paymentInstruction: { id: instruction.id, rail, keyType, key } },
    },
    quote: operationQuoteView(consumed),
    fees: [...quote.fees],
    transactions: [],
    states: [enter<OperationStatus>(context, 'REQUESTED')],
    tags: account.tags,
    createdAt: context.now,
    updatedAt: context.now,
  };
  return { operation, quote: consumed, events: [operationEvent(context, 'OPERATION_REQUESTED', operation)] };
}

/** Why an operation cannot settle by itself at this moment; null when it can. `balance` is the account's in the source asset, in minor units. */
export function settlementFault(operation: OperationRecord, account: AccountRecord, balance: bigint): Reason | null {
  if (!isActive(account)) return reason('operationFailed', 'ACCOUNT_NOT_ACTIVE', { accountId: account.id });
  const { asset, value } = operation.sourceAmount;
  if (!hasEnabled(account, asset)) return reason('operationFailed', 'ASSET_NOT_ENABLED', { accountId: account.id, asset });
  if (balance < minorUnits(value)) {
    return reason('operationFailed', 'INSUFFICIENT_BALANCE', { accountId: account.id, asset, required: value });
  }
  return null;
}

/**
 * Moves an operation one step along its table, its transactions with it.
 * FAILED, ON_HOLD and ACTION_REQUIRED carry `why`, or the standard reason of that status.
 * @throws DomainError INVALID_STATUS_CHANGE
 */
export function moveOperation(
  context: Context,
  operation: OperationRecord,
  to: OperationStatus,
  why: Reason | null = null,
): { operation: OperationRecord; events: DomainEvent[] } {
  checkMove('operation', operation.id, operationTransitions, current(operation.states).status, to);
  const stateReason = why ?? standardReason(to);
  const moved: OperationRecord = {
    ...operation,
    states: [...operation.states, enter(context, to, stateReason)],
    transactions: moveTransactions(context, operation, to, stateReason),
    updatedAt: context.now,
  };
  if (to === 'COMPLETED') return { operation: moved, events: [operationEvent(context, 'OPERATION_COMPLETED', moved)] };
  if (to === 'FAILED') return { operation: moved, events: [operationEvent(context, 'OPERATION_FAILED', moved)] };
  return { operation: moved, events: [] };
}

function standardReason(status: OperationStatus): Reason | null {
  if (status === 'FAILED') return defaultReason('operationFailed');
  if (status === 'ON_HOLD') return defaultReason('operationOnHold');
  if (status === 'ACTION_REQUIRED') return defaultReason('operationActionRequired');
  return null;
}

/**
 * The statuses to pass through from the present one to `target`, ending with it: a completion from elsewhere goes through PROCESSING,
 * so that the history stays truthful.
 * @throws DomainError INVALID_STATUS_CHANGE, naming every status that can be forced
 */
export function pathTo(operation: OperationRecord, target: OperationStatus): OperationStatus[] {
  const from = current(operation.states).status;
  if (operationTransitions[from].includes(target)) return [target];
  if (target === 'COMPLETED' && !isFinal(operationTransitions, from)) return ['PROCESSING', 'COMPLETED'];
  throw invalidStatusChange('operation', operation.id, operationTransitions, from, target, forcible(from));
}

/** Every status that an operation can be forced into from `from`. */
export function forcible(from: OperationStatus): OperationStatus[] {
  const next = operationTransitions[from];
  if (isFinal(operationTransitions, from)) return [];
  return operationStatuses.filter((status) => next.includes(status) || status === 'COMPLETED');
}

/** The participant code of the sandbox in PIX end-to-end ids; the central bank assigns none that begins with 9. */
const ispb = '99990101';

function moveTransactions(
  context: Context,
  operation: OperationRecord,
  to: OperationStatus,
  why: Reason | null,
): readonly TransactionRecord[] {
  if (to === 'PROCESSING' && operation.transactions.length === 0) {
    const stamp = context.now.replace(/[^0-9]/g, '').slice(0, 12);
    return [
      {
        id: context.newId('transaction'),
        type: 'PIX',
        direction: 'DEBIT',
        amount: operation.targetAmount,
        status: 'PROCESSING',
        createdAt: context.now,
        endToEnd: `E${ispb}${stamp}${context.newCode('endToEnd', 11)}`,
        statusAt: context.now,
        failure: null,
      },
    ];
  }
  if (to !== 'COMPLETED' && to !== 'FAILED') return operation.transactions;
  const status = to === 'COMPLETED' ? 'CONFIRMED' : 'FAILED';
  return operation.transactions.map((each) => ({
    ...each,
    status,
    statusAt: context.now,
    failure: to === 'FAILED' ? (why?.code ?? null) : null,
  }));
}

/** What a completed withdrawal does to the ledger: the account pays, the desk converts and keeps its fees, the rail pays out. */
export function settlementPostings(operation: OperationRecord): Posting[] {
  const { sourceAmount, targetAmount, fees } = operation;
  const from = customerLedger(operation.account.id);
  const out = railLedger(operation.intent.beneficiary.paymentInstruction.rail);
  const paid = minorUnits(sourceAmount.value);
  const delivered = minorUnits(targetAmount.value);
  if (sourceAmount.asset === targetAmount.asset)
    return [posting(from, sourceAmount.asset, -paid), posting(out, targetAmount.asset, delivered)];
  const charged = fees.map((fee) => posting(feeLedger(fee.source), fee.amount.asset, minorUnits(fee.amount.value)));
  const converted = paid - fees.reduce((sum, fee) => sum + minorUnits(fee.amount.value), 0n);
  return [
    posting(from, sourceAmount.asset, -paid),
    ...charged,
    posting(fxLedger, sourceAmount.asset, converted),
    posting(fxLedger, targetAmount.asset, -delivered),
    posting(out, targetAmount.asset, delivered),
  ];
}

function operationEvent(
  context: Context,
  type: Extract<DomainEvent['type'], `OPERATION_${string}`>,
  operation: OperationRecord,
): DomainEvent {
  const { id, customerId, account, sourceAmount, targetAmount, intent, fees, transactions, states, quote, tags } = operation;
  const { holder, paymentInstruction } = intent.beneficiary;
  const { rail, keyType, key } = paymentInstruction;
  const payload: OperationEvent = {
    id,
    customerId,
    account,
    sourceAmount,
    destinationAmount: targetAmount,
    intent: {
      type: intent.type,
      beneficiary: {
        holder: { name: holderName(holder), taxId: holder.taxId.value, address: holder.address },
        instruction: { address: { type: 'PixKey', rail, keyType, key } },
      },
    },
    fees,
    transactions: transactions.map((each) => ({
      type: each.type,
      direction: each.direction,
      amount: each.amount,
      currentState: { status: each.status, createdAt: each.statusAt, reason: each.failure },
      endToEnd: each.endToEnd,
    })),
    currentState: historyView(states).currentState,
    atTime: context.now,
    quote: sourceAmount.asset === targetAmount.asset ? null : quote,
    tags,
  };
  return { type, resourceId: id, payload };
}

function transactionView({ statusAt: _statusAt, failure: _failure, ...transaction }: TransactionRecord): Transaction {
  return transaction;
}

/** An operation as responses show it. */
export function operationView(operation: OperationRecord): Operation {
  const { id, customerId, account, sourceAmount, targetAmount, intent, quote, fees, transactions, states, tags, createdAt, updatedAt } =
    operation;
  return {
    id,
    customerId,
    account,
    sourceAmount,
    targetAmount,
    intent,
    quote,
    fees,
    transactions: transactions.map(transactionView),
    ...historyView(states),
    tags,
    createdAt,
    updatedAt,
  };
}

/**
 * An operation as scenario rules see it: its resource, and `requestedAmount` with `cents`,
 * the first two fractional digits of the amount that the client fixed when all further digits are zero, else null.
 */
export function operationSubject(operation: OperationRecord): Operation & { requestedAmount: Amount & { cents: string | null } } {
  const { requestedAmount } = operation;
  const cents = /\.([0-9]{2})0*$/.exec(requestedAmount.value)?.[1] ?? null;
  return { ...operationView(operation), requestedAmount: { ...requestedAmount, cents } };
}
