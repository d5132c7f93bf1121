import { accountRef, checkActive, checkEnabled, type AccountRecord } from './account.js';
import { checkPayable, type BeneficiaryRecord, type InstructionRecord } from './beneficiary.js';
import type { Context } from './context.js';
import { DomainError } from './errors.js';
import type { DomainEvent } from './event.js';
import { enter } from './machine.js';
import type { OperationRecord, OperationStatus } from './operation.js';
import { operationEvent } from './operation-event.js';
import { checkQuoteUsable, consumeQuote, operationQuoteView, type QuoteRecord } from './quote.js';

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
