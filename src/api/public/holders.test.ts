import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary } from '../../testing/withdrawals.js';

const harness = useHarness();

const caio = { type: 'CPF', value: '314.159.265-90' };
const livia = { type: 'CPF', value: '173.205.080-52' };
const aurora = { type: 'CNPJ', value: '31.415.926/0001-71' };
const pix = (dictKeyType: string, dictKey: string) => ({ type: 'PIX', asset: 'BRL', dictKeyType, dictKey });
const ted = { type: 'BANK_ACCOUNT', asset: 'BRL', bankCode: '341', branch: '0001', accountNumber: '123456-7' };

/** Registers a beneficiary and returns its status and reason after the review. */
async function reviewed(world: string, taxId: object, paymentInstruction: object, relationshipType = 'THIRD_PARTY', advance = '5s') {
  const person = pixBeneficiary({ taxId });
  const company = { ...person, holder: { type: 'COMPANY', legalName: 'Aurora Comércio Exterior Ltda', taxId } };
  const body = { ...(taxId === aurora ? company : person), paymentInstruction, relationshipType };
  const { status, body: made } = await harness.api('POST', '/api/beneficiaries', { body }, world);
  expect([status, made.paymentInstruction.status]).toEqual([201, 'PENDING_REVIEW']);
  await harness.control('POST', '/clock/advance', { by: advance }, world);
  const { body: beneficiary } = await harness.api('GET', `/api/beneficiaries/${made.id}`, {}, world);
  const { status: end, reason } = beneficiary.paymentInstructions[0].currentState;
  expect(beneficiary.status).toBe(end);
  return [end, reason?.code].filter(Boolean).join(' ');
}

const mismatch = 'REJECTED HOLDER_MISMATCH';

let count = 0;

describe('the review of a PIX key', () => {
  it.each([
    ['CPF', '314.159.265-90', caio, 'APPROVED'],
    ['CPF', '31415926590', caio, 'APPROVED'],
    ['CPF', '173.205.080-52', caio, mismatch],
    ['CNPJ', '31.415.926/0001-71', aurora, 'APPROVED'],
    ['CNPJ', '42.273.345/0001-69', aurora, mismatch],
    ['CNPJ', '31.415.926/0001-71', caio, mismatch],
  ])('of type %s compares the key %s with the tax id of the holder', async (type, key, taxId, end) => {
    const world = await harness.world(`key-${(count += 1)}`);
    expect(await reviewed(world, taxId, pix(type, key))).toBe(end);
    await harness.control('DELETE', `/worlds/${world}`);
    harness.forget(world);
  });

  it.each([
    ['EMAIL', 'Someone@example.com', 'someone@example.com'],
    ['PHONE', '+5511900001111', '+5511900001111'],
    ['EVP', '5A1E9C02-7D44-4F0B-9B1A-0C6DE3F8A417', '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417'],
  ])('of type %s assigns a key to the first holder who registers it in the world', async (type, written, again) => {
    const world = await harness.world(`first-${type.toLowerCase()}`);
    expect(await reviewed(world, caio, pix(type, written))).toBe('APPROVED');
    expect(await reviewed(world, livia, pix(type, again))).toBe(mismatch);
    expect(await reviewed(world, caio, pix(type, again))).toBe('APPROVED');
    const other = await harness.world(`other-${type.toLowerCase()}`);
    expect(await reviewed(other, livia, pix(type, again))).toBe('APPROVED');
  });

  it('approves a key of the fixtures only for the holder whom the fixtures name', async () => {
    const world = await harness.world('listed-keys');
    const key = pix('EVP', '8d1f0a52-3b9c-4e57-9a6e-2c4b7d9e0f13');
    expect(await reviewed(world, caio, key)).toBe(mismatch);
    expect(await reviewed(world, livia, key)).toBe('APPROVED');
  });

  it('explains a mismatch in the reason of the rejection; a forced approval skips the check', async () => {
    const world = await harness.world('forced-holder', { scenario: 'manual' });
    const body = { ...pixBeneficiary(), paymentInstruction: pix('CPF', '173.205.080-52') };
    const { body: made } = await harness.api('POST', '/api/beneficiaries', { body }, world);
    const forced = await harness.control('POST', `/payment-instructions/${made.paymentInstruction.id}/approve`, undefined, world);
    expect(forced.body.status).toBe('APPROVED');
    const other = await harness.world('told-holder');
    const { body: second } = await harness.api('POST', '/api/beneficiaries', { body }, other);
    await harness.control('POST', '/clock/advance', { by: '5s' }, other);
    const { body: shown } = await harness.api('GET', `/api/beneficiaries/${second.id}`, {}, other);
    expect(shown.paymentInstructions[0].currentState.reason).toEqual({
      code: 'HOLDER_MISMATCH',
      message: 'The key does not belong to the holder.',
      details: { keyType: 'CPF', key: '17320508052', holderTaxId: { type: 'CPF', value: '31415926590' } },
    });
  });
});

describe('a SELF_OWNED beneficiary', () => {
  it('is approved only with the tax id of an account owner of the customer', async () => {
    const world = await harness.world('self-owned');
    expect(await reviewed(world, caio, ted, 'SELF_OWNED')).toBe(mismatch);
    expect(await reviewed(world, aurora, ted, 'SELF_OWNED')).toBe('APPROVED');
    expect(await reviewed(world, aurora, pix('CNPJ', '31.415.926/0001-71'), 'SELF_OWNED')).toBe('APPROVED');
    expect(await reviewed(world, caio, ted)).toBe('APPROVED');
  });
});

it('the pending beneficiary of the fixtures has its own tax id as PIX key', async () => {
  const world = await harness.world('fixture-holders');
  const { pending } = fixtureIds(harness, world);
  await harness.control('PUT', '/scenario', { name: 'default' }, world);
  expect(pending.paymentInstructions[0]!.address).toMatchObject({ keyType: 'CNPJ', key: pending.holder.taxId.value });
});
