import type { AccountRecord } from '../domain/account.js';
import { createDeposit } from '../domain/deposit.js';
import { moveOperation } from '../domain/operation-moves.js';
import type { Requested } from '../domain/operation-request.js';
import { createQuote, type Pricing, type QuoteRecord } from '../domain/quote.js';
import { reason } from '../domain/reasons.js';
import { settlementPostings } from '../domain/settlement.js';
import { createSwap } from '../domain/swap.js';
import { createTransfer } from '../domain/transfer.js';
import { createWithdrawal } from '../domain/withdrawal.js';
import { post } from './ledger.js';
import type { Population } from './reference-data.js';
import type { UnitOfWork } from './unit-of-work.js';

type PastOperation = Population['operations'][number];

/** Requests an operation of the fixtures, as its customer once did. */
export function requestPast(uow: UnitOfWork, past: PastOperation, pricing: Pricing): string {
  const { operation, quote } = requested(uow, past, pricing);
  uow.put('quotes', quote);
  uow.put('operations', operation);
  return operation.id;
}

/** Lets an operation of the fixtures process. */
export function processPast(uow: UnitOfWork, operationId: string): void {
  uow.put('operations', moveOperation(uow, uow.require('operations', operationId, 'operation'), 'PROCESSING').operation);
}

/** Ends an operation of the fixtures: settled and booked, or failed. */
export function endPast(uow: UnitOfWork, operationId: string, { failed }: PastOperation): void {
  const running = uow.require('operations', operationId, 'operation');
  const why = failed === undefined ? null : reason('operationFailed', failed);
  const { operation } = moveOperation(uow, running, why === null ? 'COMPLETED' : 'FAILED', why);
  uow.put('operations', operation);
  if (why === null) post(uow, settlementPostings(operation), operation.id);
}

function requested(uow: UnitOfWork, past: PastOperation, pricing: Pricing): Requested {
  const account = nth(uow.rows('accounts'), past.account, 'account');
  const seq = uow.count('operation');
  const quoted = (sourceAsset: QuoteRecord['sourceAmount']['asset'], targetAsset: typeof sourceAsset) =>
    createQuote(uow, account, { accountId: account.id, sourceAsset, targetAsset, sourceAmount: past.amount }, pricing, uow.count('quote'));
  switch (past.type) {
    case 'DEPOSIT':
      return createDeposit(uow, { account, quote: quoted(past.source, past.target), funding: { rail: past.rail } }, seq);
    case 'SWAP':
      return createSwap(uow, account, quoted(past.source, past.target), seq);
    case 'TRANSFER': {
      const target: AccountRecord = nth(uow.rows('accounts'), past.to, 'account');
      const amount = { value: past.amount, asset: past.source };
      return createTransfer(uow, { source: account, target, amount }, pricing, { operation: seq, quote: uow.count('quote') });
    }
    case 'WITHDRAWAL': {
      const beneficiary = nth(uow.rows('beneficiaries'), past.to, 'beneficiary');
      const instruction = nth(beneficiary.paymentInstructions, 0, 'payment instruction');
      return createWithdrawal(uow, { account, quote: quoted(past.source, instruction.asset), beneficiary, instruction }, seq);
    }
  }
}

function nth<T>(rows: Iterable<T>, index: number, what: string): T {
  const row = [...rows][index];
  if (row === undefined) throw new Error(`The fixtures have no ${what} ${index}.`);
  return row;
}
