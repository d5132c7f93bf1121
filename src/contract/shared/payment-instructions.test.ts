import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PaymentInstructionRequestSchema } from './payment-instructions.js';
import { bankRails, networks } from './rails.js';
import { walletAddress } from './identifiers/wallet-address.js';

/** Generates a value that is valid for its field on some rail, and sometimes any other value. */
const usually = (...right: string[]) => fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...right) }, fc.string(), fc.jsonValue());

/** Generates valid and invalid instructions of every type: any fields, with the values of any rail. */
const anything = fc.record(
  {
    type: fc.constantFrom('PIX', 'BANK_ACCOUNT', 'BANK_ACCOUNT', 'CRYPTO_WALLET', 'CASH'),
    asset: usually('BRL', 'USD', 'EUR', 'USDT', 'GBP', 'USDC'),
    rail: usually(...bankRails, 'PIX_KEY'),
    network: usually(...networks),
    address: usually(...networks.map((network) => walletAddress(network, new Uint8Array(network === 'SOLANA' ? 32 : 20).fill(7)))),
    dictKeyType: usually('PHONE', 'EMAIL'),
    dictKey: usually('+5511987654321', 'Caio@Example.com'),
    iban: usually('de89 3704 0044 0532 0130 00', 'GB29NWBK60161331926819', 'BR1800360305000010009795493C1'),
    bic: usually('bukbgb22', 'DEUTDEFF500'),
    routingNumber: usually('021000021'),
    bankCode: usually('341', '999'),
    branch: usually('0001'),
    accountNumber: usually('123456-7', '00210169-6', '123456789'),
    accountType: usually('CHECKING', 'SAVINGS'),
  },
  { requiredKeys: ['type', 'asset', 'rail'] },
);

describe('requests for payment instructions', () => {
  it('cause no exception with any content; accepted ones are also accepted in their normalised form', () => {
    let taken = 0;
    fc.assert(
      fc.property(anything, (request) => {
        const first = PaymentInstructionRequestSchema.safeParse(request);
        if (!first.success) return;
        taken += 1;
        expect(PaymentInstructionRequestSchema.parse(first.data)).toEqual(first.data);
      }),
      { numRuns: 3000 },
    );
    expect(taken).toBeGreaterThan(10);
  });

  // Decoding this address would take hours.
  it('are rejected if an identifier is too long, without decoding the identifier', () => {
    const address = '2'.repeat(1_000_000);
    const result = PaymentInstructionRequestSchema.safeParse({ type: 'CRYPTO_WALLET', asset: 'USDC', network: 'SOLANA', address });
    expect(result.error?.issues).toMatchObject([{ path: ['address'], params: { code: 'INVALID_IDENTIFIER' } }]);
  });
});
