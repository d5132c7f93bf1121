import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary } from '../../testing/withdrawals.js';
import { quoteIn } from '../../testing/money.js';
import { companyRequest, createAccount, getAccount, individualRequest, uboRequest, upload } from '../../testing/onboarding.js';
import { amount, firstOwnerName, id, instant, state } from '../../testing/shapes.js';

/** Tests through the API that resources and webhooks have the fields of the specification. */

const harness = useHarness();
const place = { addressLine1: 'Rua 1', addressLine2: null, city: 'Rio Claro', state: 'SP', country: 'BR', postalCode: '13500-000' };

describe('an account', () => {
  // §2.4-fields §4.2-create-account §2.4-assets §2.4-source-account §2.4-ubos-on-companies §3-account-start §2.1-state §D6-reason-null §D6-created
  // §D7-virtual §D1-unset-null §2.1-address §0-timestamps
  it('of a company has the fields of the specification', async () => {
    const world = await harness.world('company');
    const { status, body } = await harness.api(
      'POST',
      '/api/accounts',
      { body: companyRequest({}, [{ code: 'BRL', isVirtual: true }, { code: 'USDC' }]) },
      world,
    );
    expect(status).toBe(201);
    expect(body).toEqual({
      id,
      customer: { id },
      owner: {
        type: 'COMPANY',
        legalName: 'Rio Claro Exportadora Ltda',
        taxId: { value: '42273345000169', type: 'CNPJ' },
        industry: 'WHOLESALE',
        incorporateDate: null,
        address: place,
        ubos: [],
      },
      assets: [
        { asset: 'BRL', allowsVirtualAccounts: true, status: 'ONBOARDING' },
        { asset: 'USDC', allowsVirtualAccounts: false, status: 'ONBOARDING' },
      ],
      requirements: { currentlyDue: expect.any(Array), pendingVerification: [], errors: [], satisfied: [] },
      tags: [
        { key: 'segment', value: 'STANDARD_COMPANY' },
        { key: null, value: expect.any(String) },
      ],
      currentState: state('ACTION_REQUIRED'),
      states: [state('ACTION_REQUIRED')],
      createdAt: instant,
      updatedAt: instant,
      sourceAccountId: null,
    });
    expect((await harness.api('GET', '/api/accounts?limit=1', {}, world)).body.data).toEqual([body]);
  });

  // §2.4-ubos-on-companies §2.4-request-individual §2.4-kyc §D7-individual §D7-identity-group §2.4-requirement-item §2.4-requirements
  it('of an individual has its owner’s fields, and requirements in the specified format', async () => {
    const world = await harness.world('individual');
    const { id: accountId } = await createAccount(harness, world, individualRequest({ birthDate: '1986-04-17' }));
    const { owner, requirements } = await getAccount(harness, world, accountId);
    expect(owner).toEqual({
      type: 'INDIVIDUAL',
      firstName: 'Helena',
      lastName: 'Prado',
      taxId: { value: '27182818205', type: 'CPF' },
      birthDate: '1986-04-17',
      address: place,
    });
    const unset = { documentType: null, documentSubType: null, group: null, options: null, uboId: null, metadata: null, reason: null };
    expect(requirements.currentlyDue).toEqual([
      {
        ...unset,
        type: 'DOCUMENT_GROUP',
        group: 'IDENTITY_VERIFICATION',
        options: ['ID_CARD', 'DRIVER_LICENSE', 'PASSPORT', 'RESIDENCE_PERMIT'],
        requiredMetadata: ['country'],
      },
      { ...unset, type: 'DOCUMENT', documentType: 'PROOF_OF_ADDRESS', requiredMetadata: ['issuedAt'] },
    ]);
  });

  // §2.4-kyb §D7-company §D7-no-ubo §2.5-contact
  it('of a company requires documents of the company and of each beneficial owner', async () => {
    const world = await harness.world('kyb');
    const { id: accountId, requirements } = await createAccount(harness, world, companyRequest());
    const due = (of: typeof requirements) =>
      of.currentlyDue.map((each: { type: string; documentType: string; group: string; uboId: string | null; requiredMetadata: string[] }) =>
        [each.uboId === null ? 'account' : 'ubo', each.documentType ?? each.group ?? each.requiredMetadata.join()].join(' '),
      );
    expect(due(requirements)).toContain('account ARTICLES_OF_ASSOCIATION');
    expect(due(requirements)).toContain('account ubos');
    await harness.api('POST', `/api/accounts/${accountId}/ubos`, { body: uboRequest({ email: undefined }) }, world);
    const after = due((await getAccount(harness, world, accountId)).requirements);
    expect(after).toEqual(expect.arrayContaining(['ubo IDENTITY_VERIFICATION', 'ubo PROOF_OF_ADDRESS', 'ubo email']));
    expect(after).not.toContain('account ubos');
  });

  // §D7-owner-name §2.2-account
  it('is named after its owner: the legal name, or the first and last name', async () => {
    const { accountIds } = fixtureIds(harness);
    const owners = [];
    for (const accountId of accountIds.slice(0, 3))
      owners.push((await quoteIn(harness, 'default', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1' })).account);
    expect(owners).toEqual([
      { id: accountIds[0], owner: firstOwnerName },
      { id: accountIds[1], owner: 'Folha Certa Pagamentos SA' },
      { id: accountIds[2], owner: 'Helena Prado' },
    ]);
  });

  // §D6-industries §2.4-request-company
  it('accepts each industry', async () => {
    const industries =
      'ACCOUNTING ADVERTISING__MARKETING AEROSPACE__DEFENSE AGRICULTURE__FORESTRY AMUSEMENT_AND_RECREATION AUTOMOTIVE CONSTRUCTION__CARPENTRY__LANDSCAPING CUSTOMER_SERVICE_AND_SUPPORT EDUCATION ENERGY ENGINEERING FINANCIAL_SERVICES HEALTHCARE__MEDICAL_SERVICES HOTEL__HOSPITALITY INFORMATION_TECHNOLOGY MANUFACTURING MEDIA__ENTERTAINMENT MINING_OIL_AND_GAS NON_PROFIT__NGO__CHARITY PHARMACEUTICALS PRINTING__PUBLISHING REAL_ESTATE RESTAURANT__FOOD_SERVICE RETAIL_SALES__RETAIL_TRADE SECURITY TRANSPORTATION TRAVEL UTILITIES WHOLESALE OTHERS'.split(
        ' ',
      );
    expect(industries).toHaveLength(30);
    for (const industry of industries)
      expect((await createAccount(harness, 'default', companyRequest({ industry }))).owner.industry).toBe(industry);
    const { body } = await harness.api('POST', '/api/accounts', { body: companyRequest({ industry: 'BANKING' }) });
    expect(body.details.errors[0].params.allowed).toEqual(industries);
  });

  // §2.4-document-types §4.14-documents
  it('accepts each document type of the specification', async () => {
    const types =
      'ARTICLES_OF_ASSOCIATION SIGNING_AUTHORITY_PROOF PJ_PARTNER_DOCUMENTS PJ_PARTNER_FINANCIAL_STATEMENT ORGANIZATIONAL_CHART FINANCIAL_STATEMENT ID_CARD DRIVER_LICENSE PASSPORT RESIDENCE_PERMIT PROOF_OF_ADDRESS AML_POLICY KYC_FORM BAAS_ADHESION_FORM POWER_OF_ATTORNEY EVIDENCE_OF_SOURCE_OF_FUNDS EVIDENCE_OF_SOURCE_OF_WEALTH PROOF_OF_BUSINESS_ACTIVITY PROOF_OF_REGULATORY_LICENSE WOLFSBERG_QUESTIONNAIRE OTHER'.split(
        ' ',
      );
    const { accountId } = fixtureIds(harness);
    const holder = { type: 'ACCOUNT', referenceId: accountId };
    const metadata = { country: 'BR', issuedAt: '2026-11-02', description: 'x' };
    for (const documentType of types) {
      const side = ['ID_CARD', 'DRIVER_LICENSE'].includes(documentType) ? { documentSubType: 'FRONT_SIDE' } : {};
      expect((await upload(harness, 'default', { documentType, ...side, holder, metadata })).body.code).toBe('DOCUMENT_NOT_REQUIRED');
    }
    const unknown = await upload(harness, 'default', { documentType: 'VISA', holder });
    expect(unknown.body.details.errors[0].params.allowed).toEqual(types);
  });
});

describe('a beneficial owner', () => {
  // §2.5-fields §2.5-create §4.4-ubos §3-ubo-start §2.5-legal-representative
  it('has the fields of the specification', async () => {
    const world = await harness.world('ubo');
    const { id: accountId } = await createAccount(harness, world, companyRequest());
    const { name, taxId, address } = uboRequest();
    const created = await harness.api('POST', `/api/accounts/${accountId}/ubos`, { body: { name, taxId, address } }, world);
    expect([created.status, created.body]).toEqual([
      201,
      { id, name, taxId: { value: '33166247912', type: 'CPF' }, address: place, currentState: state('PENDING'), ownershipPercentage: null },
    ]);
    const path = `/api/accounts/${accountId}/ubos/${created.body.id}`;
    expect((await harness.api('GET', path, {}, world)).body).toEqual(created.body);
    // The owner is not a legal representative, so the ownership share counts.
    const small = await harness.api('PATCH', path, { body: { ownershipPercentage: 10 } }, world);
    expect(small.body.code).toBe('INSUFFICIENT_OWNERSHIP');
    const changed = await harness.api('PATCH', path, { body: { ownershipPercentage: 10, isLegalRepresentative: true } }, world);
    expect([changed.status, changed.body]).toEqual([200, { ...created.body, ownershipPercentage: 10 }]);
  });
});

describe('a quote', () => {
  // §2.3-fields §2.1-amount §2.1-rate §D13-quote-view §2.3-same-asset §D6-rate-digits §D8-ttl §2.1-decimals §8-scale
  it('has the fields of the specification', async () => {
    const world = await harness.world('quote');
    const { accountId } = fixtureIds(harness, world);
    const quoted = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '100.5' };
    const common = { id, customerId: id, account: { id: accountId, owner: firstOwnerName }, expiresAt: '2026-11-21T12:00:30.000Z' };
    expect(await quoteIn(harness, world, quoted)).toEqual({
      ...common,
      sourceAmount: amount('100.50', 'BRL', 2),
      targetAmount: amount('100.50', 'BRL', 2),
      effectiveRate: { value: '1.00', base: 'BRL', quote: 'BRL' },
    });
    const { targetAmount, effectiveRate, ...converted } = await quoteIn(harness, world, { ...quoted, targetAsset: 'USDC' });
    expect(converted).toEqual({ ...common, sourceAmount: amount('100.50', 'BRL', 2) });
    expect(targetAmount).toEqual(amount(expect.stringMatching(/^\d+\.\d{6}$/) as string, 'USDC', 6));
    expect(effectiveRate).toEqual({ value: expect.stringMatching(/^0\.\d{2,10}$/), base: 'BRL', quote: 'USDC' });
  });

  // §2.1-asset-codes §2.1-decimals §2.1-amount-precision §D1-precision-alone §8-scale §7-precision
  it.each([
    ...'USD BRL EUR CAD AUD GBP MXN HKD SGD PHP NZD CHF NOK DKK PLN SEK'.split(' ').map((asset) => [asset, 2] as const),
    ...'USDC USDT EURC BRLT'.split(' ').map((asset) => [asset, 6] as const),
  ])('of %s has amounts with %i decimal places', async (asset, decimals) => {
    const { accountId } = fixtureIds(harness);
    const quoted = { accountId, sourceAsset: asset, targetAsset: asset };
    const finest = `1.${'0'.repeat(decimals - 1)}1`;
    expect((await quoteIn(harness, 'default', { ...quoted, sourceAmount: finest })).sourceAmount).toEqual(amount(finest, asset, decimals));
    expect((await quoteIn(harness, 'default', { ...quoted, targetAmount: '3' })).targetAmount.value).toBe(`3.${'0'.repeat(decimals)}`);
    for (const side of ['sourceAmount', 'targetAmount']) {
      const { status, body } = await harness.api('POST', '/api/quotes', { body: { ...quoted, [side]: `${finest}0` } });
      expect([status, body.code]).toEqual([400, 'INVALID_AMOUNT_PRECISION']);
      expect(body.details).toEqual({ field: `body:${side}`, asset, allowed: decimals, received: decimals + 1 });
    }
  });
});

describe('a beneficiary', () => {
  // §2.6-response §D10-shape §4.5-create-beneficiary §4.5-get-beneficiary §3-instruction-created §3-instruction-approved §3-instruction-rejected
  // §6-instruction-payload §2.6-request
  it('has the documented fields, and its events have the fields of the specification', async () => {
    const world = await harness.world('beneficiary');
    harness.attempts.length = 0;
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
    const { status, body } = await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    const address = { type: 'PixKey', rail: 'PIX_KEY', keyType: 'EMAIL', key: 'caio.menezes@example.com' };
    const instruction = {
      id,
      asset: 'BRL',
      type: 'PIX',
      status: 'PENDING_REVIEW',
      currentState: state('PENDING_REVIEW'),
      states: [state('PENDING_REVIEW')],
      address,
      createdAt: instant,
    };
    const holder = { type: 'INDIVIDUAL', firstName: 'Caio', lastName: 'Menezes', dateOfBirth: '1991-11-02', address: null };
    const shared = {
      id,
      customerId: id,
      status: 'PENDING_REVIEW',
      holder: { ...holder, taxId: { value: '31415926590', type: 'CPF' } },
      relationshipType: 'THIRD_PARTY',
      paymentInstructions: [instruction],
      createdAt: instant,
      updatedAt: instant,
    };
    expect([status, body]).toEqual([201, { ...shared, paymentInstruction: instruction }]);
    expect((await harness.api('GET', `/api/beneficiaries/${body.id}`, {}, world)).body).toEqual(shared);
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary({ lastName: 'Rejected' }) }, world);
    await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
    const webhooks = harness.attempts.map(({ headers, body: text }) => [headers['x-event-type'], JSON.parse(text)] as const);
    expect(webhooks.map(([type, payload]) => [type, payload.instruction.status])).toEqual([
      ['BENEFICIARY_PAYMENT_INSTRUCTION_CREATED', 'PENDING_REVIEW'],
      ['BENEFICIARY_PAYMENT_INSTRUCTION_CREATED', 'PENDING_REVIEW'],
      ['BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED', 'APPROVED'],
      ['BENEFICIARY_PAYMENT_INSTRUCTION_REJECTED', 'REJECTED'],
    ]);
    expect(webhooks[0]![1]).toEqual({
      id: body.id,
      customerId: body.customerId,
      holder: { ...holder, taxId: '31415926590' },
      relationshipType: 'THIRD_PARTY',
      instruction: { id: body.paymentInstruction.id, asset: 'BRL', status: 'PENDING_REVIEW', address },
      atTime: body.createdAt,
    });
  });

  // §D10-company-holder
  it('may be a company without an address or a trade name', async () => {
    const taxId = { type: 'CNPJ', value: '42.273.345/0001-69' };
    const body = { ...pixBeneficiary(), holder: { type: 'COMPANY', legalName: 'Porto Sul SA', taxId } };
    const created = await harness.api('POST', '/api/beneficiaries', { body });
    expect(created.body.holder).toEqual({
      type: 'COMPANY',
      legalName: 'Porto Sul SA',
      tradeName: null,
      taxId: { value: '42273345000169', type: 'CNPJ' },
      address: null,
    });
  });
});
