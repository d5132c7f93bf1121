import { expect } from 'vitest';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { TestResponse } from './calls.js';
import type { Harness } from './harness.js';

/** Returns the request body for a beneficiary with a PIX key. */
export function pixBeneficiary(overrides: Record<string, unknown> = {}) {
  return {
    holder: {
      type: 'INDIVIDUAL',
      firstName: 'Caio',
      lastName: 'Menezes',
      taxId: { type: 'CPF', value: '314.159.265-90' },
      dateOfBirth: '1991-11-02',
      ...overrides,
    },
    relationshipType: 'THIRD_PARTY',
    paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'caio.menezes@example.com' },
  };
}

/** Returns the ids for a withdrawal in a world with default fixtures: the funded account and the approved beneficiary. */
export function fixtureIds(harness: { sandbox: Sandbox }, world = 'default') {
  const { state } = harness.sandbox.world(world);
  const [account] = state.accounts.values();
  const [approved, pending, rejected] = state.beneficiaries.values();
  if (!account || !approved || !pending || !rejected) throw new Error('The fixtures are missing.');
  const accountIds = [...state.accounts.keys()];
  return { accountId: account.id, accountIds, approved, pending, rejected };
}

/** Creates a quote and requests a withdrawal in BRL from the fixtures of a world. Returns the operation, which is REQUESTED. */
export async function withdraw(harness: Harness, world = 'default', sourceAmount = '150.00'): Promise<TestResponse['body']> {
  const { accountId, approved } = fixtureIds(harness, world);
  const quote = await harness.api(
    'POST',
    '/api/quotes',
    { body: { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount } },
    world,
  );
  const operation = await harness.api(
    'POST',
    '/api/operations/withdrawal',
    { body: withdrawalBody(accountId, quote.body.id, approved) },
    world,
  );
  expect(operation.status).toBe(201);
  return operation.body;
}

/** Returns the request body for a withdrawal to the first payment instruction of a beneficiary. */
export function withdrawalBody(
  accountId: string,
  quoteId: string,
  beneficiary: { id: string; paymentInstructions: readonly { id: string }[] },
) {
  const reference = { type: 'REFERENCE', id: beneficiary.paymentInstructions[0]!.id };
  return { accountId, quoteId, beneficiary: { type: 'REFERENCE', id: beneficiary.id, paymentInstruction: reference } };
}
