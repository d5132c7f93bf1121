import assert from 'node:assert/strict';
import { api, data, keyed, pass, type Schemas } from './session.js';

const address: Schemas['AddressRequest'] = {
  addressLine1: 'Rua das Laranjeiras 77',
  city: 'Curitiba',
  state: 'PR',
  country: 'BR',
  postalCode: '80010-010',
};
async function accountNow(id: string): Promise<Schemas['Account']> {
  const page = data(await api.GET('/api/accounts', { params: { query: { filters: `id[eq]=${id}` } } }));
  assert.equal(page.meta.total, 1);
  return page.data[0] as Schemas['Account'];
}

async function upload(body: Schemas['DocumentRequest']): Promise<void> {
  const answer = await api.POST('/api/documents', {
    params: keyed(),
    body: { body, file: '%PDF-1.4\n%%EOF\n' },
    bodySerializer: (parts) => {
      const form = new FormData();
      form.set('body', new Blob([JSON.stringify(parts.body)], { type: 'application/json' }));
      form.set('file', new Blob([parts.file], { type: 'application/pdf' }), 'scan.pdf');
      return form;
    },
  });
  assert.equal(answer.response.status, 204);
}

/** Opens an account of a company, adds its owner and uploads its documents until the account is active. */
export async function openCompany(): Promise<Schemas['Account']> {
  const account = data(
    await api.POST('/api/accounts', {
      params: keyed(),
      body: {
        assets: [{ code: 'BRL' }, { code: 'USDC' }],
        owner: {
          type: 'COMPANY',
          legalName: 'Laranjeiras Comércio Ltda',
          taxId: { type: 'CNPJ', value: '42.273.345/0001-69' },
          industry: 'WHOLESALE',
          address,
        },
      },
    }),
  );
  assert.equal(account.currentState.status, 'ACTION_REQUIRED');
  assert.equal(account.owner.type === 'COMPANY' && account.owner.legalName, 'Laranjeiras Comércio Ltda');

  const ubo = data(
    await api.POST('/api/accounts/{accountId}/ubos', {
      params: { path: { accountId: account.id }, ...keyed() },
      body: { name: 'Marina Lobo', taxId: { type: 'CPF', value: '331.662.479-12' }, address, ownershipPercentage: 60 },
    }),
  );
  const uboPath = { path: { accountId: account.id, uboId: ubo.id } };
  data(
    await api.PATCH('/api/accounts/{accountId}/ubos/{uboId}', {
      params: { ...uboPath, ...keyed() },
      body: { phone: '+55 41 99123-4567', email: 'marina@example.com', ownershipPercentage: 75 },
    }),
  );
  const owner = data(await api.GET('/api/accounts/{accountId}/ubos/{uboId}', { params: uboPath }));
  assert.equal(owner.ownershipPercentage, 75);

  const metadata = { country: 'BR', issuedAt: account.createdAt.slice(0, 10) } as const;
  for (const due of (await accountNow(account.id)).requirements.currentlyDue) {
    const holder: Schemas['DocumentHolder'] =
      due.uboId === null ? { type: 'ACCOUNT', referenceId: account.id } : { type: 'UBO', referenceId: due.uboId };
    const documentType = due.documentType ?? due.options?.[0];
    assert.ok(documentType, 'every requirement left is one for a document');
    const sides = due.type === 'DOCUMENT_GROUP' ? (['FRONT_SIDE', 'BACK_SIDE'] as const) : [due.documentSubType];
    for (const side of sides) await upload({ documentType, ...(side === null ? {} : { documentSubType: side }), holder, metadata });
  }
  await pass('PT5M');
  const active = await accountNow(account.id);
  assert.equal(active.currentState.status, 'ACTIVE');
  return active;
}
