import type { EventType } from '../../contract/shared/event-types.js';
import type { InstructionEvent, OperationEvent } from '../../contract/public/events.js';
import { assetActivated } from '../accounts/asset-event.js';
import type { Context } from '../context.js';
import type { DomainEvent } from '../event.js';
import { amountOf } from '../money.js';
import { isOperationEvent, statusOfOperationEvent, type OperationEventType } from '../operations/event.js';
import { standardReason } from '../operations/moves.js';
import { statusOfInstructionEvent, type InstructionEventType } from '../payees/beneficiary.js';

const address = {
  addressLine1: 'Rua das Laranjeiras 210',
  addressLine2: 'Apto 31',
  city: 'Rio de Janeiro',
  state: 'RJ',
  country: 'BR',
  postalCode: '22240-003',
};
const taxId = '31415926590';
const pixKey = { type: 'PixKey', rail: 'PIX_KEY', keyType: 'EMAIL', key: 'caio.menezes@example.com' } as const;

/** Creates an example event about fictitious resources. Every field has a value. */
export function syntheticEvent(context: Context, customerId: string, type: EventType): DomainEvent {
  if (type === 'ASSET_ACTIVATED') return assetActivated(context, { id: context.newId('syntheticResource'), customerId }, ['BRL']);
  if (isOperationEvent(type)) {
    const payload = syntheticOperation(context, customerId, type);
    return { type, resourceId: payload.id, payload: () => payload };
  }
  const instructionId = context.newId('syntheticResource');
  const payload = syntheticInstruction(context, customerId, type, instructionId);
  return { type, resourceId: instructionId, payload: () => payload };
}

function syntheticOperation(context: Context, customerId: string, type: OperationEventType): OperationEvent & { id: string } {
  const status = statusOfOperationEvent[type];
  const reason = standardReason(status);
  const transaction: OperationEvent['transactions'][number] = {
    id: context.newId('syntheticResource'),
    type: 'PIX',
    direction: 'DEBIT',
    amount: amountOf('535.11', 'BRL'),
    currentState: {
      status: status === 'FAILED' ? 'FAILED' : status === 'COMPLETED' ? 'CONFIRMED' : 'PROCESSING',
      createdAt: context.now,
      reason: status === 'FAILED' ? (reason?.code ?? null) : null,
    },
    endToEnd: `E99990101${context.now.replace(/\D/g, '').slice(0, 12)}${context.newCode('syntheticEndToEnd', 11)}`,
  };
  return {
    id: context.newId('syntheticResource'),
    customerId,
    account: { id: context.newId('syntheticResource'), owner: 'Aurora Comércio Exterior Ltda' },
    sourceAmount: amountOf('100.00', 'USD'),
    destinationAmount: amountOf('535.11', 'BRL'),
    intent: {
      type: 'WITHDRAWAL',
      beneficiary: {
        id: context.newId('syntheticResource'),
        holder: { name: 'Caio Menezes', taxId, address },
        instruction: { id: context.newId('syntheticResource'), address: pixKey },
      },
    },
    fees: [{ type: 'PERCENTAGE', amount: amountOf('0.50', 'USD'), source: 'FX_SPREAD', percentage: '0.0050' }],
    transactions: status === 'REQUESTED' ? [] : [transaction],
    currentState: { status, createdAt: context.now, reason },
    atTime: context.now,
    quote: {
      id: context.newId('syntheticResource'),
      effectiveRate: { value: '5.3511', base: 'USD', quote: 'BRL' },
      expiresAt: context.now,
      consumedAt: context.now,
    },
    tags: [
      { key: 'segment', value: 'STANDARD_COMPANY' },
      { key: null, value: 'synthetic' },
    ],
  };
}

function syntheticInstruction(context: Context, customerId: string, type: InstructionEventType, instructionId: string): InstructionEvent {
  return {
    id: context.newId('syntheticResource'),
    customerId,
    holder: { type: 'INDIVIDUAL', firstName: 'Caio', lastName: 'Menezes', taxId, dateOfBirth: '1991-11-02', address },
    relationshipType: 'THIRD_PARTY',
    instruction: { id: instructionId, asset: 'BRL', status: statusOfInstructionEvent[type], address: pixKey },
    atTime: context.now,
  };
}

/** Merges `patch` into `base`: objects field by field; other values replace the old ones. */
export function mergedOver(base: unknown, patch: unknown): unknown {
  if (!isPlainObject(base) || !isPlainObject(patch)) return patch;
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(patch)) merged[name] = name in base ? mergedOver(base[name], value) : value;
  return merged;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
