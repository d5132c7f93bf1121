import { checkActive, checkEnabled, type AccountRecord } from '../accounts/account.js';
import { checkPayable, type BeneficiaryRecord, type InstructionRecord } from '../payees/beneficiary.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import { requestOperation, type RequestedOperation } from './request.js';
import { flatInstruction } from '../payees/payment-instruction.js';
import { checkQuoteUsable, type QuoteRecord } from './quote.js';

/**
 * Creates a withdrawal. Consumes its quote.
 * @throws DomainError for the quote, the account, the asset, the instruction, the beneficiary or the instruction's asset, in this order
 */
export function decideWithdrawal(
  context: Context,
  parties: { account: AccountRecord; quote: QuoteRecord; beneficiary: BeneficiaryRecord; instruction: InstructionRecord },
  seq: number,
): RequestedOperation {
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
  const paymentInstruction = flatInstruction(instruction.id, instruction.address);
  const payee = { id: beneficiary.id, holder: beneficiary.holder, paymentInstruction };
  return requestOperation(context, account, quote, { type: 'WITHDRAWAL', beneficiary: payee }, seq);
}
