import { ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

/** What a journey asks of a client that a tool has generated of the two documents. */
export interface Client {
  token(credentials: { clientId: string; clientSecret: string }): Promise<{ accessToken: string }>;
  /** The next calls of the public API carry these headers: the token, and a new idempotency key. */
  accounts(headers: Headers): Promise<{ id: string }[]>;
  fundingInstructions(headers: Headers, accountId: string): Promise<{ rail: string }[]>;
  quote(headers: Headers, body: QuoteBody): Promise<{ id: string }>;
  withdrawal(headers: Headers, body: WithdrawalBody): Promise<{ id: string }>;
  operation(headers: Headers, operationId: string): Promise<{ currentState: { status: string } }>;
  /** Control calls. */
  beneficiaries(filters: string): Promise<{ id: string; paymentInstructions: { id: string }[] }[]>;
  advance(by: string): Promise<{ fired: unknown[] }>;
}

export type Headers = { Authorization: string; 'X-Idempotency-Key': string };

// Types rather than interfaces: these fit schemas that let other fields pass.
type QuoteBody = {
  accountId: string;
  sourceAsset: 'BRL';
  targetAsset: 'BRL';
  targetAmount: string;
};

type WithdrawalBody = {
  accountId: string;
  quoteId: string;
  beneficiary: { type: 'REFERENCE'; id: string; paymentInstruction: { type: 'REFERENCE'; id: string } };
};

/** Goes from a token to a withdrawal that is COMPLETED. */
export async function journey(client: Client): Promise<void> {
  const { accessToken } = await client.token({ clientId: 'sandbox', clientSecret: 'sandbox-secret' });
  const headers = () => ({ Authorization: `Bearer ${accessToken}`, 'X-Idempotency-Key': randomUUID() });
  const [account] = await client.accounts(headers());
  ok(account);
  ok((await client.fundingInstructions(headers(), account.id)).length > 0);
  const quote = await client.quote(headers(), { accountId: account.id, sourceAsset: 'BRL', targetAsset: 'BRL', targetAmount: '10.00' });
  const [beneficiary] = await client.beneficiaries('status[eq]=APPROVED');
  const [instruction] = beneficiary?.paymentInstructions ?? [];
  ok(beneficiary && instruction);
  const operation = await client.withdrawal(headers(), {
    accountId: account.id,
    quoteId: quote.id,
    beneficiary: { type: 'REFERENCE', id: beneficiary.id, paymentInstruction: { type: 'REFERENCE', id: instruction.id } },
  });
  ok((await client.advance('PT1M')).fired.length > 0);
  const { currentState } = await client.operation(headers(), operation.id);
  ok(currentState.status === 'COMPLETED', `the withdrawal is ${currentState.status}`);
}
