import { describe, expect, it } from 'vitest';
import { AssetActivatedEventSchema } from '../../contract/public/events.js';
import { documentTypes } from '../../contract/public/accounts.js';
import { segments } from '../../contract/control/segments.js';
import { loadReferenceData } from '../../fixtures/reference-data.js';
import { join } from 'node:path';
import { root, useHarness } from '../../testing/harness.js';
import {
  companyRequest,
  createAccount,
  createReady,
  getAccount,
  individualRequest,
  uboRequest,
  upload,
  uploadAll,
} from '../../testing/onboarding.js';

const harness = useHarness();
const statuses = (account: { states: { status: string }[] }) => account.states.map((each) => each.status);
const advance = (world: string) => harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
const way = ['ACTION_REQUIRED', 'REVIEWING', 'OPENING', 'ACTIVE'];

describe('the onboarding of an account with only the payments API', () => {
  // §D7-to-active §D7-asset-event §6-asset-activated §D7-buckets
  it('activates an individual account and sends an event for each asset', async () => {
    const world = await harness.world('way-individual');
    harness.attempts.length = 0;
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', resources: [{ name: 'ACCOUNT' }] } }, world);
    const id = await createReady(harness, world, individualRequest({}, [{ code: 'BRL', isVirtual: true }, { code: 'EUR' }]));
    const uploaded = await getAccount(harness, world, id);
    expect(uploaded.requirements).toMatchObject({ currentlyDue: [], errors: [], satisfied: [] });
    expect(uploaded.requirements.pendingVerification.map((each: { documentType: string }) => each.documentType)).toEqual([
      'ID_CARD',
      'ID_CARD',
      'PROOF_OF_ADDRESS',
    ]);
    await advance(world);
    const account = await getAccount(harness, world, id);
    expect(account.states.map((each: { status: string; createdAt: string }) => [each.status, each.createdAt.slice(17, 19)])).toEqual([
      ['ACTION_REQUIRED', '00'],
      ['REVIEWING', '02'],
      ['OPENING', '04'],
      ['ACTIVE', '05'],
    ]);
    expect(account.requirements.satisfied).toHaveLength(3);
    expect(account.assets.map((each: { status: string }) => each.status)).toEqual(['ACTIVE', 'ACTIVE']);
    expect(harness.attempts.map((each) => each.headers['x-event-type'])).toEqual(['ASSET_ACTIVATED', 'ASSET_ACTIVATED']);
    const payloads = harness.attempts.map((each) => AssetActivatedEventSchema.parse(JSON.parse(each.body)));
    expect(payloads).toEqual(harness.attempts.map((each) => JSON.parse(each.body)));
    expect(payloads).toEqual(
      ['BRL', 'EUR'].map((asset) => ({
        accountId: id,
        customerId: account.customer.id,
        assets: [asset],
        atTime: '2026-11-21T12:00:05.000Z',
      })),
    );
  });

  // §2.4-segments §D7-segment
  it.each(segments)('activates a company account of the customer segment %s', async (segment) => {
    const world = await harness.world(`way-${segment.toLowerCase().replaceAll('_', '-')}`);
    const natural: Record<string, Record<string, unknown>> = {
      STANDARD_COMPANY: {},
      PAYMENT_SERVICE_PROVIDER: { industry: 'FINANCIAL_SERVICES' },
      NON_RESIDENT_ENTITY: { taxId: { type: 'EIN', value: '12-3456789' } },
    };
    const { id } = await createAccount(harness, world, companyRequest(natural[segment]));
    const forced = natural[segment] ? null : await harness.control('PUT', `/accounts/${id}/segment`, { segment }, world);
    expect(forced?.status ?? 200).toBe(200);
    await harness.api('POST', `/api/accounts/${id}/ubos`, { body: uboRequest() }, world);
    const created = await getAccount(harness, world, id);
    expect(created.tags).toContainEqual({ key: 'segment', value: segment });
    const companys = created.requirements.currentlyDue.filter((each: { uboId: string | null }) => each.uboId === null);
    expect(companys.map((each: { documentType: string }) => each.documentType)).toEqual(
      loadReferenceData(join(root, 'fixtures')).documents[segment].map((each) => each.documentType),
    );
    await uploadAll(harness, world, id);
    await advance(world);
    const account = await getAccount(harness, world, id);
    expect(statuses(account)).toEqual(way);
    expect(account.owner.ubos[0].currentState.status).toBe('APPROVED');
    expect(account.assets.map((each: { status: string }) => each.status)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  // §2.4-document-types
  it('requires each document type in at least one customer segment', () => {
    const { documents } = loadReferenceData(join(root, 'fixtures'));
    const asked = new Set(Object.values(documents).flatMap((list) => list.map((each) => each.documentType)));
    for (const identity of ['ID_CARD', 'DRIVER_LICENSE', 'PASSPORT', 'RESIDENCE_PERMIT'] as const) asked.add(identity);
    expect([...asked].toSorted()).toEqual([...documentTypes].toSorted());
  });

  it('activates an account immediately in the scenario instant', async () => {
    const world = await harness.world('way-instant', { scenario: 'instant' });
    const id = await createReady(harness, world, companyRequest());
    const account = await getAccount(harness, world, id);
    expect(statuses(account)).toEqual(way);
    expect(account.currentState.createdAt).toBe(account.createdAt);
  });

  it('in the scenario manual reaches REVIEWING once all documents are approved, and then waits for forced changes', async () => {
    const world = await harness.world('way-manual', { scenario: 'manual' });
    const id = await createReady(harness, world, companyRequest());
    await advance(world);
    expect(statuses(await getAccount(harness, world, id))).toEqual(['ACTION_REQUIRED']);
    const documents = await harness.control('GET', '/documents?limit=100&filters=currentState.status[eq]=PENDING', undefined, world);
    for (const each of documents.body.data) await harness.control('POST', `/documents/${each.id}/approve`, undefined, world);
    await advance(world);
    expect(statuses(await getAccount(harness, world, id))).toEqual(['ACTION_REQUIRED', 'REVIEWING']);
    await harness.control('POST', `/accounts/${id}/open`, undefined, world);
    await harness.control('POST', `/accounts/${id}/assets/USDC/fail`, undefined, world);
    const { body } = await harness.control('POST', `/accounts/${id}/assets/BRL/activate`, undefined, world);
    expect(statuses(body)).toEqual(way);
    expect(body.assets.map((each: { status: string }) => each.status)).toEqual(['ACTIVE', 'FAILED']);
  });

  it('completes the half-finished account of the fixtures', async () => {
    const world = await harness.world('way-fixture');
    const listed = await harness.api('GET', '/api/accounts?filters=currentState.status[eq]=ACTION_REQUIRED', {}, world);
    const [account] = listed.body.data;
    expect(listed.body.data).toHaveLength(1);
    const { currentlyDue, errors, satisfied } = account.requirements;
    expect([currentlyDue.length > 3, errors.length, satisfied.length > 3]).toEqual([true, 1, true]);
    const [, tomas] = account.owner.ubos;
    const patch = { phone: '+55 48 98888-1200', email: 'tomas.reis@example.com' };
    expect((await harness.api('PATCH', `/api/accounts/${account.id}/ubos/${tomas.id}`, { body: patch }, world)).status).toBe(200);
    await uploadAll(harness, world, account.id);
    await advance(world);
    expect(statuses(await getAccount(harness, world, account.id))).toEqual(way);
  });
});

describe('onboarding failures', () => {
  // §D7-causes §D10a-reasons
  it.each([
    ['illegible', 'ILLEGIBLE'],
    ['expired', 'EXPIRED'],
    ['wrong', 'WRONG_DOCUMENT'],
    ['mismatch', 'MISMATCH'],
  ])('include a document named %s, which is rejected with the cause %s and can then be replaced', async (word, cause) => {
    const world = await harness.world(`document-${word}`);
    const { id } = await createAccount(harness, world, individualRequest());
    const passport = { documentType: 'PASSPORT', holder: { type: 'ACCOUNT', referenceId: id }, metadata: { country: 'BR' } };
    await upload(harness, world, passport, `My ${word} scan.PDF`);
    await advance(world);
    const { requirements, currentState } = await getAccount(harness, world, id);
    expect(currentState.status).toBe('ACTION_REQUIRED');
    expect(requirements.errors).toMatchObject([
      { group: 'IDENTITY_VERIFICATION', documentType: 'PASSPORT', reason: { code: 'DOCUMENT_REJECTED', details: { cause } } },
    ]);
    await uploadAll(harness, world, id);
    await advance(world);
    expect(statuses(await getAccount(harness, world, id))).toEqual(way);
  });

  // §D10a-reasons
  it.each([
    ['Rejected', 'IDENTITY_NOT_VERIFIED'],
    ['Sanctioned', 'SANCTIONS_MATCH'],
  ])('include an account whose owner is named %s, which is rejected with the reason %s', async (name, code) => {
    const world = await harness.world(`owner-${name.toLowerCase()}`);
    const ids = [
      await createReady(harness, world, individualRequest({ lastName: `von ${name}` })),
      await createReady(harness, world, companyRequest({ legalName: `${name} Comércio Ltda` })),
    ];
    await advance(world);
    for (const id of ids) {
      const account = await getAccount(harness, world, id);
      expect(statuses(account)).toEqual(['ACTION_REQUIRED', 'REVIEWING', 'REJECTED']);
      expect(account.currentState.reason.code).toBe(code);
    }
  });

  // §D7-rejected-ubo §D10a-reasons
  it.each([
    ['Rejected', 'IDENTITY_NOT_VERIFIED'],
    ['Sanctioned', 'SANCTIONS_MATCH'],
  ])('include a company account whose beneficial owner is named %s, which is rejected with the reason %s', async (name, code) => {
    const world = await harness.world(`ubo-${name.toLowerCase()}`);
    const { id } = await createAccount(harness, world, companyRequest());
    await harness.api('POST', `/api/accounts/${id}/ubos`, { body: uboRequest({ ownershipPercentage: 50 }) }, world);
    const second = uboRequest({ name: `Ana ${name}`, taxId: { type: 'CPF', value: '236.067.977-53' }, ownershipPercentage: 50 });
    const ubo = await harness.api('POST', `/api/accounts/${id}/ubos`, { body: second }, world);
    await uploadAll(harness, world, id);
    await advance(world);
    const account = await getAccount(harness, world, id);
    expect(statuses(account)).toEqual(['ACTION_REQUIRED', 'REVIEWING', 'REJECTED']);
    expect(account.currentState.reason).toMatchObject({ code, details: { uboId: ubo.body.id } });
    expect(account.owner.ubos[1].currentState).toMatchObject({ status: 'REJECTED', reason: { code } });
    const upload404 = await harness.api('PATCH', `/api/accounts/${id}/ubos/${ubo.body.id}`, { body: { name: 'Ana' } }, world);
    expect(upload404.body.code).toBe('ACCOUNT_NOT_MODIFIABLE');
  });

  // §D7-all-assets-fail
  it('include every rejection of the scenario onboarding-rejections', async () => {
    const world = await harness.world('rejections', { scenario: 'onboarding-rejections' });
    const id = await createReady(harness, world, companyRequest());
    await advance(world);
    const first = await getAccount(harness, world, id);
    expect(new Set(first.requirements.errors.map((each: { reason: { details: { cause: string } } }) => each.reason.details.cause))).toEqual(
      new Set(['ILLEGIBLE', 'EXPIRED']),
    );
    const group = first.requirements.currentlyDue.find((each: { group: string | null }) => each.group !== null);
    expect(group).toMatchObject({ type: 'DOCUMENT_GROUP', reason: { details: { cause: 'MISMATCH' } } });
    await uploadAll(harness, world, id);
    await advance(world);
    const account = await getAccount(harness, world, id);
    expect(statuses(account)).toEqual(way);
    expect(account.assets.map((each: { status: string }) => each.status)).toEqual(['ACTIVE', 'FAILED']);

    const rejected: [Record<string, unknown>, Record<string, unknown>, unknown[], Record<string, unknown>][] = [
      [{ industry: 'MINING_OIL_AND_GAS' }, {}, [{ code: 'BRL' }], { code: 'COMPLIANCE_REJECTED', details: {} }],
      [{}, { address: { ...uboRequest().address, country: 'PT' } }, [{ code: 'BRL' }], { code: 'IDENTITY_NOT_VERIFIED' }],
      [{}, {}, [{ code: 'USDC' }, { code: 'USDT' }], { code: 'COMPLIANCE_REJECTED', details: { failedAssets: ['USDC', 'USDT'] } }],
    ];
    for (const [owner, ubo, assets, reason] of rejected) {
      const other = await createAccount(harness, world, companyRequest(owner, assets));
      await harness.api('POST', `/api/accounts/${other.id}/ubos`, { body: uboRequest(ubo) }, world);
      for (let round = 0; round < 2; round += 1) {
        await uploadAll(harness, world, other.id);
        await advance(world);
      }
      expect((await getAccount(harness, world, other.id)).currentState).toMatchObject({ status: 'REJECTED', reason });
    }
  });
});
