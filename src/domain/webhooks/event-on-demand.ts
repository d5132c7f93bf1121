import { assetActivated } from '../accounts/asset-event.js';
import type { AccountRecord } from '../accounts/account.js';
import type { Context } from '../context.js';
import type { DomainEvent } from '../event.js';
import { current, historyEntry, isFinal } from '../machine.js';
import { operationEvent, statusOfOperationEvent, type OperationEventType } from '../operations/event.js';
import { decideOperationMove, pathTo } from '../operations/moves.js';
import { operationTransitions, type OperationRecord, type OperationStatus } from '../operations/operation.js';
import {
  instructionEvent,
  statusOfInstructionEvent,
  type BeneficiaryRecord,
  type InstructionEventType,
  type InstructionRecord,
} from '../payees/beneficiary.js';
import { defaultReason } from '../reasons.js';

/** An event about a resource, and whether its payload shows a state that the resource is not in. */
export interface EventOnDemand {
  readonly event: DomainEvent;
  readonly isSynthetic: boolean;
}

/** Returns an event about an operation: with its present state if the status fits the event, else with the state after the event. */
export function operationOnDemand(context: Context, type: OperationEventType, operation: OperationRecord): EventOnDemand {
  const wanted = statusOfOperationEvent[type];
  if (current(operation.states).status === wanted) return { event: operationEvent(type, operation), isSynthetic: false };
  const shown = wanted === 'REQUESTED' ? asRequested(operation) : movedTo(idsOfExamples(context), operation, wanted);
  return { event: operationEvent(type, shown), isSynthetic: true };
}

function asRequested(operation: OperationRecord): OperationRecord {
  return { ...operation, states: operation.states.slice(0, 1), transactions: [] };
}

function movedTo(context: Context, operation: OperationRecord, wanted: OperationStatus): OperationRecord {
  const { status } = current(operation.states);
  let shown = isFinal(operationTransitions, status) ? beforeItsEnd(operation) : operation;
  for (const next of pathTo(shown, wanted)) shown = decideOperationMove(context, shown, next).operation;
  return shown;
}

/** Returns an operation as it was before its final status. */
function beforeItsEnd(operation: OperationRecord): OperationRecord {
  const transactions = operation.transactions.map((each) => ({
    ...each,
    status: 'PROCESSING' as const,
    statusAt: each.createdAt,
    failure: null,
  }));
  return { ...operation, states: operation.states.slice(0, -1), transactions };
}

/** Returns an event about an instruction: with its present state if the status fits the event, else with the state after the event. */
export function instructionOnDemand(
  context: Context,
  type: InstructionEventType,
  beneficiary: BeneficiaryRecord,
  instruction: InstructionRecord,
): EventOnDemand {
  const wanted = statusOfInstructionEvent[type];
  if (current(instruction.states).status === wanted) return { event: instructionEvent(type, beneficiary, instruction), isSynthetic: false };
  const states =
    wanted === 'PENDING_REVIEW'
      ? instruction.states.slice(0, 1)
      : [...instruction.states, historyEntry(context, wanted, wanted === 'REJECTED' ? defaultReason('instructionRejected') : null)];
  return { event: instructionEvent(type, beneficiary, { ...instruction, states }), isSynthetic: true };
}

/** Returns the event of the first active asset of an account; without one, of its first asset as if that asset became active now. */
export function assetOnDemand(context: Context, account: AccountRecord): EventOnDemand {
  const active = account.assets.find(({ status }) => status === 'ACTIVE');
  const activeSince = account.states.find(({ status }) => status === 'ACTIVE')?.createdAt;
  const shown = active ?? account.assets[0];
  const at = active && activeSince !== undefined ? { now: activeSince } : context;
  return { event: assetActivated(at, account, shown ? [shown.asset] : []), isSynthetic: active === undefined };
}

/** Returns a context that takes ids from the series for examples, so that the ids of real resources do not change. */
function idsOfExamples(context: Context): Context {
  return {
    now: context.now,
    causeId: context.causeId,
    newId: () => context.newId('syntheticResource'),
    newCode: (_kind, length) => context.newCode('syntheticEndToEnd', length),
    deriveId: (kind, key) => context.deriveId(kind, key),
  };
}
