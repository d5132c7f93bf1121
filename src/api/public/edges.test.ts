import { describe, expect, it } from 'vitest';
import { OperationEventSchema, InstructionEventSchema } from '../../contract/public/events.js';
import { maxUbos } from '../../contract/public/ubos.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdraw } from '../../testing/withdrawals.js';
import { operationIn } from '../../testing/money.js';

const harness = useHarness();

// oxlint-disable-next-line typescript/no-explicit-any -- payloads of two kinds, which their schemas check
type Payload = any;

const address = { addressLine1: 'Rua Augusta 2203', city: 'São Paulo', state: 'SP', country: 'BR', postalCode: '01413-000' };
const company = (legalName = 'Brisa Comércio Ltda') => ({
  assets: [{ code: 'BRL' }],
  owner: { type: 'COMPANY', legalName, taxId: { type: 'CNPJ', value: '11.222.333/0001-81' }, industry: 'WHOLESALE', address },
});
const person = (birthDate: string) => ({
  assets: [{ code: 'BRL' }],
  owner: { type: 'INDIVIDUAL', firstName: 'Ana', lastName: 'Reis', taxId: { type: 'CPF', value: '314.159.265-90' }, birthDate, address },
});
const ubo = (index: number, contact: Record<string, string> = {}) => ({
  name: `Owner ${index}`,
  taxId: { type: 'OTHER', value: `X${index}` },
  address,
  isLegalRepresentative: true,
  ...contact,
});

describe('requirements for information', () => {
  it('list the contact fields that are still missing', async () => {
    const world = await harness.world('information');
    const { body: account } = await harness.api('POST', '/api/accounts', { body: company() }, world);
    const missing = async (uboId: string) => {
      const { body } = await harness.control('GET', `/accounts/${account.id}`, undefined, world);
      const due = body.requirements.currentlyDue as { type: string; uboId: string | null; requiredMetadata: string[] }[];
      return due.find((each) => each.type === 'INFORMATION' && each.uboId === uboId)?.requiredMetadata;
    };
    const { body: none } = await harness.api('POST', `/api/accounts/${account.id}/ubos`, { body: ubo(1) }, world);
    const { body: phone } = await harness.api(
      'POST',
      `/api/accounts/${account.id}/ubos`,
      { body: ubo(2, { phone: '+5511988881578' }) },
      world,
    );
    expect([await missing(none.id), await missing(phone.id)]).toEqual([['phone', 'email'], ['email']]);
    await harness.api('PATCH', `/api/accounts/${account.id}/ubos/${none.id}`, { body: { email: 'owner@example.com' } }, world);
    expect(await missing(none.id)).toEqual(['phone']);
    await harness.api('PATCH', `/api/accounts/${account.id}/ubos/${none.id}`, { body: { phone: '+5511988881578' } }, world);
    expect(await missing(none.id)).toBeUndefined();
  });
});

it('the error for a permanent limit says that the limit is permanent, and has no Retry-After header', async () => {
  const world = await harness.world('many-owners');
  const { body: account } = await harness.api('POST', '/api/accounts', { body: company() }, world);
  for (let index = 0; index < maxUbos; index += 1)
    expect((await harness.api('POST', `/api/accounts/${account.id}/ubos`, { body: ubo(index) }, world)).status).toBe(201);
  const refused = await harness.api('POST', `/api/accounts/${account.id}/ubos`, { body: ubo(maxUbos) }, world);
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED', details: { maximum: maxUbos, permanent: true } } });
  expect(refused.body.message).toContain('permanent');
  expect(refused.headers.get('retry-after')).toBeNull();
});

it('a closed account lists no funding instructions', async () => {
  const world = await harness.world('closed-account');
  const { accountId } = fixtureIds(harness, world);
  const list = async () => (await harness.api('GET', `/api/accounts/${accountId}/fundingInstructions`, {}, world)).body.data as unknown[];
  expect((await list()).length).toBeGreaterThan(0);
  await harness.control('POST', `/accounts/${accountId}/close`, undefined, world);
  expect(await list()).toEqual([]);
});

describe('text fields', () => {
  it.each([
    ['\u0000', 'U+0000'],
    ['\n', 'U+000A'],
    ['\u007f', 'U+007F'],
    ['\u0085', 'U+0085'],
  ])('reject the control character %j and report its position', async (character, name) => {
    const { status, body } = await harness.api('POST', '/api/accounts', { body: company(`Brisa${character}Ltda`) });
    expect([status, body.code]).toEqual([400, 'INVALID_DATA']);
    expect(body.details.errors).toHaveLength(1);
    expect(body.details.errors[0]).toMatchObject({
      field: 'body:owner.legalName',
      message: expect.stringContaining(`expected text without control characters; ${name} is at position 6`),
    });
  });

  it('accept all other characters, for example accents and emoji', async () => {
    expect((await harness.api('POST', '/api/accounts', { body: company('Ação & Côrtes 株式会社 🙂 “Sul”') })).status).toBe(201);
  });
});

it('dates of birth before 1900 are out of range', async () => {
  const { status, body } = await harness.api('POST', '/api/accounts', { body: person('1899-12-31') });
  expect([status, body.details.errors[0]]).toMatchObject([
    400,
    { code: 'OUT_OF_RANGE', field: 'body:owner.birthDate', params: { minimum: '1900-01-01' } },
  ]);
  const holder = await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary({ dateOfBirth: '0001-01-01' }) });
  expect(holder.body.details.errors[0]).toMatchObject({ code: 'OUT_OF_RANGE', field: 'body:holder.dateOfBirth' });
  expect((await harness.api('POST', '/api/accounts', { body: person('1900-01-01') })).status).toBe(201);
});

it('with the setting payloadExtras: false, webhooks have only the fields of the real service', async () => {
  const world = await harness.world('plain-payloads');
  await harness.control('PUT', '/settings', { payloadExtras: false }, world);
  await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
  harness.attempts.length = 0;
  const { id } = await withdraw(harness, world);
  await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
  await harness.control('POST', `/operations/${id}/complete`, undefined, world);
  await harness.quiet(world);
  const [requested, created, completed] = harness.attempts.map((each): Payload => JSON.parse(each.body));
  for (const payload of [requested, completed]) {
    expect(OperationEventSchema.parse(payload)).toEqual(payload);
    expect(Object.keys(payload)).toEqual(
      'customerId account sourceAmount destinationAmount intent fees transactions currentState atTime quote tags'.split(' '),
    );
    expect(Object.keys(payload.account as object)).toEqual(['owner']);
    expect(Object.keys(payload.intent.beneficiary as object)).toEqual(['holder', 'instruction']);
    expect(Object.keys(payload.intent.beneficiary.instruction as object)).toEqual(['address']);
  }
  expect(completed.transactions[0]).not.toHaveProperty('id');
  expect(InstructionEventSchema.parse(created)).toEqual(created);
  expect(created.instruction).not.toHaveProperty('id');
  expect(created).toHaveProperty('id');
  await harness.control('PUT', '/settings', { payloadExtras: null }, world);
  const { body } = await harness.control('POST', '/events', { eventType: 'OPERATION_COMPLETED', resourceId: id }, world);
  expect(JSON.parse(body.data[0].payload)).toMatchObject({ id, account: { id: expect.any(String) } });
  expect((await operationIn(harness, world, id)).id).toBe(id);
});
