import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { companyRequest, createAccount, createReady, getAccount, individualRequest, uboRequest } from '../../testing/onboarding.js';

const harness = useHarness();
const other = { taxId: { type: 'CPF', value: '236.067.977-53' } };

async function company(name: string) {
  const world = await harness.world(name, { scenario: 'manual' });
  const { id } = await createAccount(harness, world, companyRequest());
  const path = `/api/accounts/${id}/ubos`;
  const add = (overrides: Record<string, unknown> = {}) => harness.api('POST', path, { body: uboRequest(overrides) }, world);
  const patch = (uboId: string, body: Record<string, unknown>) => harness.api('PATCH', `${path}/${uboId}`, { body }, world);
  return { world, id: id as string, path, add, patch, get: () => getAccount(harness, world, id) };
}

describe('a beneficial owner', () => {
  // §4.4-ubos §2.5-fields
  it('is added with its verification requirements, and returned by GET', async () => {
    const { world, path, add, get } = await company('add');
    const { status, body } = await add({ phone: undefined });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      name: 'Marina Lobo',
      taxId: { type: 'CPF', value: '33166247912' },
      address: { ...uboRequest().address, addressLine2: null },
      currentState: { status: 'PENDING', createdAt: '2026-11-21T12:00:00.000Z', reason: null },
      ownershipPercentage: 60,
    });
    expect((await harness.api('GET', `${path}/${body.id}`, {}, world)).body).toEqual(body);
    const { owner, requirements } = await get();
    expect(owner.ubos).toEqual([body]);
    const own = requirements.currentlyDue.filter((each: { uboId: string | null }) => each.uboId === body.id);
    expect(own).toMatchObject([
      { type: 'DOCUMENT_GROUP', group: 'IDENTITY_VERIFICATION', requiredMetadata: ['country'] },
      { type: 'DOCUMENT', documentType: 'PROOF_OF_ADDRESS', requiredMetadata: ['issuedAt'] },
      { type: 'INFORMATION', requiredMetadata: ['phone'] },
    ]);
  });

  it('cannot be added to an account that has 100 owners', async () => {
    const { add } = await company('crowd');
    const next = (index: number) =>
      add({ ownershipPercentage: null, isLegalRepresentative: true, taxId: { type: 'OTHER', value: `N${index}` } });
    for (let index = 0; index < 100; index += 1) expect((await next(index)).status).toBe(201);
    const { status, body } = await next(100);
    expect([status, body.code, body.details]).toEqual([429, 'RATE_LIMIT_EXCEEDED', { maximum: 100, permanent: true }]);
  });

  // §2.5-contact §D7-no-ubo
  it('satisfies the owner requirement when it is added, and the contact requirement with phone and email', async () => {
    const { add, patch, get } = await company('information');
    const due = async () => {
      const { currentlyDue } = (await get()).requirements;
      return currentlyDue
        .filter((each: { type: string }) => each.type === 'INFORMATION')
        .map((each: { requiredMetadata: string[] }) => each.requiredMetadata);
    };
    expect(await due()).toEqual([['ubos']]);
    const { body } = await add({ phone: undefined, email: undefined });
    expect(await due()).toEqual([['phone', 'email']]);
    await patch(body.id, { phone: '+55 11 5555-0000' });
    expect(await due()).toEqual([['email']]);
    await patch(body.id, { email: 'a@example.com' });
    expect(await due()).toEqual([]);
  });

  // §2.5-patch §D7-patch-null
  it('can be changed field by field; only the ownership share accepts null', async () => {
    const { add, patch } = await company('patch');
    const { body } = await add();
    expect((await patch(body.id, {})).body).toEqual(body);
    expect((await patch(body.id, { name: 'Marina Lobo Reis', ownershipPercentage: 75.5 })).body).toEqual({
      ...body,
      name: 'Marina Lobo Reis',
      ownershipPercentage: 75.5,
    });
    const cleared = await patch(body.id, { ownershipPercentage: null, ...other });
    expect(cleared.body).toMatchObject({ ownershipPercentage: null, taxId: { type: 'CPF', value: '23606797753' } });
    const nulls = { name: null, taxId: null, address: null, phone: null, email: null, isLegalRepresentative: null };
    const { status, body: refusal } = await patch(body.id, nulls);
    expect(status).toBe(400);
    expect(refusal.details.errors.map((each: { code: string; field: string }) => [each.code, each.field])).toEqual(
      Object.keys(nulls).map((name) => ['INVALID_TYPE', `body:${name}`]),
    );
  });

  // §D7-25-percent §D7-100-percent §D7-duplicate-ubo
  it.each([
    [{ ownershipPercentage: 24.99 }, 422, 'INSUFFICIENT_OWNERSHIP'],
    [{ ownershipPercentage: 0 }, 422, 'INSUFFICIENT_OWNERSHIP'],
    [{ ownershipPercentage: 25 }, 201, null],
    [{ ownershipPercentage: 40 }, 201, null],
    [{ ownershipPercentage: 40.01 }, 422, 'OWNERSHIP_EXCEEDS_TOTAL'],
    [{ ownershipPercentage: null }, 201, null],
    [{ ownershipPercentage: undefined }, 201, null],
    [{ ownershipPercentage: 1, isLegalRepresentative: true }, 201, null],
    [{ ownershipPercentage: 41, isLegalRepresentative: true }, 422, 'OWNERSHIP_EXCEEDS_TOTAL'],
    [{ taxId: { type: 'CPF', value: '33166247912' }, ownershipPercentage: 1 }, 409, 'DUPLICATE_UBO'],
  ])('with %j, added next to an owner of 60 %%, returns %i %s', async (overrides, status, code) => {
    const { add } = await company(
      `rule-${JSON.stringify(overrides)
        .replaceAll(/[^a-z0-9]+/gi, '-')
        .toLowerCase()
        .slice(0, 40)}`.replace(/-$/, ''),
    );
    await add();
    const answer = await add({ ...other, ...overrides });
    expect([answer.status, answer.body.code ?? null]).toEqual([status, code]);
  });

  // §D7-100-percent
  it('has an ownership share that is summed as a decimal, not as a binary float', async () => {
    const { add } = await company('decimals');
    const taxIds = ['331.662.479-12', '236.067.977-53', '316.227.766-31'];
    const answers = [];
    for (const [index, share] of [33.4, 33.3, 33.3].entries()) {
      answers.push((await add({ taxId: { type: 'CPF', value: taxIds[index] }, ownershipPercentage: share })).status);
    }
    expect(answers).toEqual([201, 201, 201]);
  });

  // §D7-25-percent §D7-100-percent §D7-duplicate-ubo
  it('is validated by the rules of its creation when it is changed', async () => {
    const { add, patch } = await company('patch-rules');
    await add();
    const { body } = await add({ ...other, ownershipPercentage: 1, isLegalRepresentative: true });
    const codes = [];
    for (const change of [
      { isLegalRepresentative: false },
      { ownershipPercentage: 41 },
      { taxId: { type: 'CPF', value: '33166247912' } },
      { isLegalRepresentative: false, ownershipPercentage: 40 },
    ]) {
      codes.push((await patch(body.id, change)).body.code ?? 'OK');
    }
    expect(codes).toEqual(['INSUFFICIENT_OWNERSHIP', 'OWNERSHIP_EXCEEDS_TOTAL', 'DUPLICATE_UBO', 'OK']);
  });

  it('reports all errors of a request in contract order', async () => {
    const { path, world } = await company('shape');
    const body = {
      taxId: { type: 'CPF', value: '331.662.479-13' },
      ownershipPercentage: 101,
      email: 'nobody',
      phone: ' ',
      isLegalRepresentative: 'yes',
    };
    const answer = await harness.api('POST', path, { body }, world);
    expect(answer.body.details.errors.map((each: { code: string; field: string }) => [each.field, each.code])).toEqual([
      ['body:name', 'REQUIRED'],
      ['body:taxId.value', 'VALIDATE_TAX_ID'],
      ['body:address', 'REQUIRED'],
      ['body:ownershipPercentage', 'OUT_OF_RANGE'],
      ['body:phone', 'INVALID_FORMAT'],
      ['body:email', 'INVALID_FORMAT'],
      ['body:isLegalRepresentative', 'INVALID_TYPE'],
    ]);
  });

  // §D7-individual-ubo
  it('cannot be added to the account of an individual', async () => {
    const world = await harness.world('individual');
    const { id } = await createAccount(harness, world, individualRequest());
    const answer = await harness.api('POST', `/api/accounts/${id}/ubos`, { body: uboRequest() }, world);
    expect([answer.status, answer.body.code]).toEqual([422, 'UBOS_NOT_ALLOWED_FOR_INDIVIDUAL']);
  });

  // §4.4-ubos
  it('is found only under the account to which it belongs', async () => {
    const { world, path, add } = await company('found');
    const { body } = await add();
    const { id: second } = await createAccount(harness, world, companyRequest());
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const [method, wrong] of [
      ['GET', `/api/accounts/${second}/ubos/${body.id}`],
      ['GET', `/api/accounts/${unknown}/ubos/${body.id}`],
      ['GET', `${path}/${unknown}`],
      ['PATCH', `${path}/${unknown}`],
      ['POST', `/api/accounts/${unknown}/ubos`],
    ] as const) {
      const answer = await harness.api(method, wrong, method === 'GET' ? {} : { body: uboRequest() }, world);
      expect([answer.status, answer.body.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    }
    const foreign = await harness.api('GET', `${path}/${body.id}`);
    expect(foreign.status).toBe(404);
  });

  // §D7-approved-ubo
  it('cannot be changed once it is approved', async () => {
    const { world, add, patch } = await company('approved');
    const { body } = await add();
    await harness.control('POST', `/ubos/${body.id}/approve`, undefined, world);
    const answer = await patch(body.id, { name: 'Somebody' });
    expect([answer.status, answer.body.code, answer.body.details.status]).toEqual([422, 'APPROVED_UBO', 'APPROVED']);
  });

  // §D7-back-from-review §D7-modifiable
  it('brings an account under review back to ACTION_REQUIRED when it is added, not when it is changed', async () => {
    const world = await harness.world('reviewing');
    const inline = { extends: 'instant', rules: [{ on: 'UBO', steps: [{ after: '5s', to: 'APPROVED' }] }] };
    await harness.control('PUT', '/scenario', { inline }, world);
    const id = await createReady(harness, world, companyRequest());
    const reviewing = await getAccount(harness, world, id);
    expect(reviewing.currentState.status).toBe('REVIEWING');
    const first = reviewing.owner.ubos[0].id;
    await harness.api('PATCH', `/api/accounts/${id}/ubos/${first}`, { body: { name: 'Marina L.' } }, world);
    expect((await getAccount(harness, world, id)).currentState.status).toBe('REVIEWING');
    await harness.api('POST', `/api/accounts/${id}/ubos`, { body: uboRequest({ ...other, ownershipPercentage: 40 }) }, world);
    await harness.control('POST', '/clock/advance', { by: '1m' }, world);
    const back = await getAccount(harness, world, id);
    expect(back.currentState.status).toBe('ACTION_REQUIRED');
    expect(back.owner.ubos.map((each: { currentState: { status: string } }) => each.currentState.status)).toEqual(['PENDING', 'PENDING']);
  });

  // §D7-modifiable
  it.each(['open', 'activate', 'reject'])('cannot be added or changed after a forced %s of the account', async (verb) => {
    const { world, id, add, patch } = await company(`not-modifiable-${verb}`);
    const { body } = await add();
    await harness.control('POST', `/accounts/${id}/${verb}`, undefined, world);
    const answers = [await add({ ...other, ownershipPercentage: 40 }), await patch(body.id, { name: 'Somebody' })];
    for (const { status, body: refusal } of answers) expect([status, refusal.code]).toEqual([422, 'ACCOUNT_NOT_MODIFIABLE']);
  });
});
