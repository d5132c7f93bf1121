import { describe, expect, it } from 'vitest';
import { operationStatuses, type Intent } from '../../contract/public/operations.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import { current } from '../machine.js';
import { amountOf } from '../money.js';
import { operationTransitions, type OperationRecord, type OperationStatus } from './operation.js';
import { decideOperationMove, pathTo } from './moves.js';

const now = '2026-11-21T12:00:05.000Z';
const context: Context = {
  now,
  causeId: 'test',
  newId: (kind) => `${kind}-id`,
  newCode: (_kind, length) => 'x'.repeat(length),
  deriveId: (kind, key) => `${kind}/${key}`,
};

const address = { addressLine1: 'Rua 1', addressLine2: null, city: 'Santos', state: 'SP', country: 'BR', postalCode: '11010-000' };
const holder = {
  type: 'COMPANY' as const,
  legalName: 'Porto Sul SA',
  tradeName: null,
  taxId: { type: 'CNPJ' as const, value: '42273345000169' },
  address,
};
const intents: Intent[] = [
  {
    type: 'WITHDRAWAL',
    beneficiary: { id: 'b', holder, paymentInstruction: { id: 'i', rail: 'PIX_KEY', keyType: 'EMAIL', key: 'x@example.com' } },
  },
  { type: 'TRANSFER', targetAccount: { id: 'other', owner: 'Folha Certa' } },
  { type: 'SWAP' },
  { type: 'DEPOSIT', fundingInstruction: { rail: 'PIX_KEY', asset: 'BRL', keyType: 'EVP', key: 'k' } },
];

function operationAt(status: OperationStatus, intent: Intent): OperationRecord {
  const at = '2026-11-21T12:00:00.000Z';
  const amount = amountOf('10', 'BRL');
  return Object.freeze({
    id: 'o',
    seq: 1,
    customerId: 'c',
    account: { id: 'a', owner: 'Aurora' },
    sourceAmount: amount,
    targetAmount: amount,
    requestedAmount: amount,
    intent,
    quote: { id: 'q', effectiveRate: { value: '1.00', base: 'BRL' as const, quote: 'BRL' as const }, expiresAt: at, consumedAt: at },
    fees: [],
    transactions: Object.freeze([]),
    states: Object.freeze([Object.freeze({ status, createdAt: at, reason: null, causeId: 'before' })]),
    tags: [],
    createdAt: at,
    updatedAt: at,
  });
}

const moves = intents.flatMap((intent) =>
  operationStatuses.flatMap((from) => operationStatuses.map((to) => ({ kind: intent.type, intent, from, to }))),
);
const allowed = moves.filter(({ from, to }) => operationTransitions[from].includes(to));
const refused = moves.filter((each) => !allowed.includes(each));
const withReason = new Set<OperationStatus>(['FAILED', 'ON_HOLD', 'ACTION_REQUIRED']);
const eventOf: Partial<Record<OperationStatus, string>> = { COMPLETED: 'OPERATION_COMPLETED', FAILED: 'OPERATION_FAILED' };

describe('operation transitions', () => {
  // §D9-moves §3-operation-statuses
  it.each(allowed)('move a $kind from $from to $to', ({ intent, from, to }) => {
    const before = operationAt(from, intent);
    const { operation, events } = decideOperationMove(context, before, to);
    expect(operation.states).toHaveLength(2);
    expect(current(operation.states)).toMatchObject({ status: to, createdAt: now, causeId: 'test' });
    expect(current(operation.states).reason !== null).toBe(withReason.has(to));
    expect(operation.updatedAt).toBe(now);
    expect(events.map((each) => each.type)).toEqual(to in eventOf ? [eventOf[to]] : []);
    const { states: _states, updatedAt: _updatedAt, transactions: _transactions, ...rest } = operation;
    expect(before).toMatchObject(rest);
  });

  // §D9-moves
  it.each(refused)('do not move a $kind from $from to $to', ({ intent, from, to }) => {
    const before = operationAt(from, intent);
    const attempt = () => decideOperationMove(context, before, to);
    expect(attempt).toThrow(DomainError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_STATUS_CHANGE' }));
  });

  it.each(operationStatuses.filter((status) => operationTransitions[status].length > 0))(
    'lead a forced completion from %s through PROCESSING',
    (from) => {
      const path = pathTo(operationAt(from, intents[0]!), 'COMPLETED');
      expect([from, ...path].slice(-2)).toEqual(['PROCESSING', 'COMPLETED']);
    },
  );

  it('reach every status, and FAILED from each status that is not final', () => {
    const reached = new Set<OperationStatus>(['REQUESTED']);
    for (const status of reached) for (const next of operationTransitions[status]) reached.add(next);
    expect([...reached].toSorted()).toEqual([...operationStatuses].toSorted());
    for (const status of operationStatuses) {
      expect(operationTransitions[status].length === 0 || operationTransitions[status].includes('FAILED')).toBe(true);
    }
  });
});
