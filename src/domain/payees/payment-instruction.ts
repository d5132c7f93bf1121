import type { InstructionAddress, WithdrawalInstruction } from '../../contract/shared/instruction-address.js';
import type { PaymentInstructionRequest } from '../../contract/shared/payment-instructions.js';

/** Returns the destination in a payment instruction request. */
export function addressOf(request: PaymentInstructionRequest): InstructionAddress {
  if (request.type === 'PIX') return { type: 'PixKey', rail: 'PIX_KEY', keyType: request.dictKeyType, key: request.dictKey };
  if (request.type === 'CRYPTO_WALLET') return { type: 'CryptoWallet', rail: 'CRYPTO', network: request.network, address: request.address };
  const type = 'BankAccount';
  const { rail } = request;
  switch (rail) {
    case 'TED': {
      const { bankCode, branch, accountNumber, accountType } = request;
      return { type, rail, bankCode, branch, accountNumber, accountType };
    }
    case 'SEPA':
      return { type, rail, iban: request.iban, bic: request.bic ?? null };
    case 'SWIFT':
      return { type, rail, bic: request.bic, iban: request.iban ?? null, accountNumber: request.accountNumber ?? null };
    case 'WIRE':
    case 'ACH':
      return { type, rail, routingNumber: request.routingNumber, accountNumber: request.accountNumber };
  }
}

/** Returns a payment instruction as the intent of a withdrawal shows it: its id next to the fields of its address. */
export function flatInstruction(id: string, { type: _type, ...fields }: InstructionAddress): WithdrawalInstruction {
  return { id, ...fields };
}

/** Returns the address of a payment instruction from the intent of a withdrawal. */
export function addressOfFlat({ id: _id, ...fields }: WithdrawalInstruction): InstructionAddress {
  if (fields.rail === 'PIX_KEY') return { type: 'PixKey', ...fields };
  return fields.rail === 'CRYPTO' ? { type: 'CryptoWallet', ...fields } : { type: 'BankAccount', ...fields };
}
