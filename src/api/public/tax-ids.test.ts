import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { pixBeneficiary } from '../../testing/withdrawals.js';
import { companyRequest, createAccount, individualRequest, uboRequest } from '../../testing/onboarding.js';

const harness = useHarness();
const cpf = { type: 'CPF', value: '271.828.182-05' };
const cnpj = { type: 'CNPJ', value: '42.273.345/0001-69' };
const firm = { type: 'COMPANY', legalName: 'Porto Sul SA' };
const payeeOf = (holder: object) => ({ ...pixBeneficiary(), holder });

// §D6-own-tax-id
it.each([
  ['a company as account owner', '/api/accounts', companyRequest({ taxId: cpf }), 'owner.taxId.value', companyRequest()],
  ['an individual as account owner', '/api/accounts', individualRequest({ taxId: cnpj }), 'owner.taxId.value', individualRequest()],
  [
    'a company as beneficiary',
    '/api/beneficiaries',
    payeeOf({ ...firm, taxId: cpf }),
    'holder.taxId.value',
    payeeOf({ ...firm, taxId: cnpj }),
  ],
  ['an individual as beneficiary', '/api/beneficiaries', pixBeneficiary({ taxId: cnpj }), 'holder.taxId.value', pixBeneficiary()],
])('a CPF is rejected for a company, and a CNPJ for an individual: %s', async (_who, path, wrong, field, right) => {
  const { status, body } = await harness.api('POST', path, { body: wrong });
  expect([status, body.code]).toEqual([400, 'INVALID_DATA']);
  expect(body.details.errors).toMatchObject([{ code: 'VALIDATE_TAX_ID', field: `body:${field}` }]);
  expect((await harness.api('POST', path, { body: right })).status).toBe(201);
});

it('a beneficial owner cannot have a CNPJ when created or changed', async () => {
  const { id } = await createAccount(harness, 'default', companyRequest());
  const path = `/api/accounts/${id}/ubos`;
  const item = { code: 'VALIDATE_TAX_ID', field: 'body:taxId.value', params: { type: 'CNPJ', expected: 'CPF' } };
  const refused = await harness.api('POST', path, { body: uboRequest({ taxId: cnpj }) });
  expect([refused.status, refused.body.details.errors]).toMatchObject([400, [item]]);
  const { body: ubo } = await harness.api('POST', path, { body: uboRequest() });
  const changed = await harness.api('PATCH', `${path}/${ubo.id}`, { body: { taxId: cnpj } });
  expect([changed.status, changed.body.details.errors]).toMatchObject([400, [item]]);
});

it('tax ids of foreign registers are accepted for companies and individuals', async () => {
  for (const taxId of [
    { type: 'OTHER', value: 'X-1' },
    { type: 'ITIN', value: '912-90-3456' },
    { type: 'KVK', value: '33031431' },
  ])
    for (const request of [companyRequest({ taxId }), individualRequest({ taxId })])
      expect((await harness.api('POST', '/api/accounts', { body: request })).status).toBe(201);
});
