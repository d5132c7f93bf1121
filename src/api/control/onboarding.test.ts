import { describe, expect, it } from 'vitest';
import { accountStatuses, accountAssetStatuses } from '../../contract/public/accounts.js';
import { documentStatuses } from '../../contract/public/documents.js';
import { uboStatuses } from '../../contract/public/ubos.js';
import { accountAssetTransitions, accountTransitions } from '../../domain/accounts/account.js';
import { documentTransitions } from '../../domain/accounts/document.js';
import { moveRequirement, personRequirements, requirementStatuses, requirementTransitions } from '../../domain/accounts/requirement.js';
import { uboTransitions } from '../../domain/accounts/ubo.js';
import { useHarness } from '../../testing/harness.js';
import { companyRequest, createAccount, createReady, getAccount, individualRequest, uboRequest, upload } from '../../testing/onboarding.js';

const harness = useHarness();
const control = (world: string, path: string, body?: unknown) => harness.control('POST', path, body, world);
const pairs = <A, B>(left: readonly A[], right: readonly B[]) => left.flatMap((a) => right.map((b) => [a, b] as const));
const manual = (name: string) => harness.world(name.toLowerCase().replaceAll('_', '-'), { scenario: 'manual' });

async function documentsOf(world: string, accountId: string) {
  const list = await harness.control(
    'GET',
    `/documents?limit=100&sortOrder=ASCENDING&filters=accountId[eq]=${accountId}`,
    undefined,
    world,
  );
  return list.body.data;
}

async function approveAll(world: string, accountId: string) {
  for (const { id } of await documentsOf(world, accountId)) await control(world, `/documents/${id}/approve`);
}

// §D7-account-moves
describe('forcing an account', () => {
  /** Functions that create an account in each status, in a world without automatic steps. */
  const into: Record<(typeof accountStatuses)[number], (world: string) => Promise<string>> = {
    ACTION_REQUIRED: (world) => createReady(harness, world, companyRequest()),
    REVIEWING: async (world) => {
      const id = await into.ACTION_REQUIRED(world);
      await approveAll(world, id);
      return id;
    },
    OPENING: (world) => forced(world, 'ACTION_REQUIRED', 'open'),
    ACTIVE: (world) => forced(world, 'REVIEWING', 'activate'),
    REJECTED: (world) => forced(world, 'REVIEWING', 'reject'),
    CLOSED: (world) => forced(world, 'ACTIVE', 'close'),
  };
  async function forced(world: string, from: (typeof accountStatuses)[number], verb: string) {
    const id = await into[from](world);
    expect((await control(world, `/accounts/${id}/${verb}`)).status).toBe(200);
    return id;
  }
  const onTheWay = ['ACTION_REQUIRED', 'REVIEWING', 'OPENING', 'ACTIVE'];
  const verbs = [
    ['open', 'OPENING'],
    ['activate', 'ACTIVE'],
    ['reject', 'REJECTED'],
    ['close', 'CLOSED'],
  ] as const;
  /** Whether an account can be forced into a status: the table allows it directly, or open and activate reach it through other statuses. */
  const isLegal = (from: (typeof accountStatuses)[number], to: (typeof accountStatuses)[number]) =>
    accountTransitions[from].includes(to) || (onTheWay.includes(from) && onTheWay.indexOf(from) < onTheWay.indexOf(to));

  it.each(pairs(accountStatuses, verbs).map(([from, [verb, to]]) => [from, verb, to, isLegal(from, to)] as const))(
    'from %s by %s to %s is allowed: %s',
    async (from, verb, to, legal) => {
      const world = await manual(`account-${from}-${verb}`);
      const id = await into[from](world);
      const before = await getAccount(harness, world, id);
      expect(before.currentState.status).toBe(from);
      const { status, body } = await control(world, `/accounts/${id}/${verb}`, { reason: { code: 'TOLD', message: 'Because.' } });
      const after = await getAccount(harness, world, id);
      const possible = verbs.map(([, each]) => each).filter((each) => isLegal(from, each));
      const refusal = { code: 'INVALID_STATUS_CHANGE', details: { resource: 'Account', id, from, to, possible } };
      expect({ status, body }).toMatchObject(
        legal ? { status: 200, body: { currentState: { status: to } } } : { status: 422, body: refusal },
      );
      expect(after).toEqual(legal ? body : before);
      const steps = after.states
        .slice(1)
        .map((state: { status: typeof from }, index: number) => [after.states[index].status, state.status]);
      for (const [earlier, later] of steps as [typeof from, typeof from][]) expect(accountTransitions[earlier]).toContain(later);
    },
  );

  it('with `activate` satisfies all requirements, and sends the same events as a normal onboarding', async () => {
    const world = await manual('activate');
    harness.attempts.length = 0;
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
    const { id } = await createAccount(harness, world, companyRequest());
    await harness.api('POST', `/api/accounts/${id}/ubos`, { body: uboRequest({ phone: undefined }) }, world);
    const holder = { type: 'ACCOUNT', referenceId: id };
    await upload(harness, world, { documentType: 'ARTICLES_OF_ASSOCIATION', holder });
    const { body } = await control(world, `/accounts/${id}/activate`);
    expect(body.requirements).toMatchObject({ currentlyDue: [], pendingVerification: [], errors: [] });
    expect(body.owner.ubos[0].currentState.status).toBe('APPROVED');
    expect(body.assets.map((each: { status: string }) => each.status)).toEqual(['ACTIVE', 'ACTIVE']);
    const [document] = await documentsOf(world, id);
    expect(document.currentState.status).toBe('APPROVED');
    await harness.quiet(world);
    expect(harness.attempts.map((each) => JSON.parse(each.body).assets)).toEqual([['BRL'], ['USDC']]);
    expect((await harness.control('GET', '/clock', undefined, world)).body.pendingTimers).toBe(0);
  });

  it('with `reject` uses the given reason or COMPLIANCE_REJECTED, and cancels the scheduled steps', async () => {
    const world = await harness.world('reject-reason');
    const ids = [await createReady(harness, world, companyRequest()), await createReady(harness, world, individualRequest())] as const;
    const reason = { code: 'SANCTIONS_MATCH', message: 'The owner is on a list.', details: { list: 'A' } };
    expect((await control(world, `/accounts/${ids[0]}/reject`, { reason: reason })).body.currentState.reason).toEqual(reason);
    expect((await control(world, `/accounts/${ids[1]}/reject`)).body.currentState.reason).toMatchObject({ code: 'COMPLIANCE_REJECTED' });
    expect((await harness.control('GET', '/clock', undefined, world)).body.pendingTimers).toBe(0);
    const [document] = await documentsOf(world, ids[0]);
    const { status, body } = await control(world, `/documents/${document.id}/approve`);
    expect([status, body.code, body.details.accountStatus]).toEqual([422, 'INVALID_STATUS_CHANGE', 'REJECTED']);
    const ubo = (await getAccount(harness, world, ids[0])).owner.ubos[0];
    expect((await control(world, `/ubos/${ubo.id}/approve`)).body).toMatchObject({
      code: 'INVALID_STATUS_CHANGE',
      details: { possible: [] },
    });
    const again = await upload(harness, world, {
      documentType: 'PASSPORT',
      holder: { type: 'ACCOUNT', referenceId: ids[1] },
      metadata: { country: 'BR' },
    });
    expect(again.body.code).toBe('DOCUMENT_NOT_REQUIRED');
  });

  it('with `open` keeps the scheduled steps after OPENING', async () => {
    const world = await harness.world('open-later');
    const steps = ['OPENING', 'CLOSED'].map((to) => ({ after: '10s', to }));
    await harness.control('PUT', '/scenario', { inline: { extends: 'default', rules: [{ on: 'ACCOUNT', steps }] } }, world);
    const id = await createReady(harness, world, individualRequest());
    await harness.control('POST', '/clock/advance', { by: '5s' }, world);
    expect((await getAccount(harness, world, id)).currentState.status).toBe('REVIEWING');
    await control(world, `/accounts/${id}/open`);
    await harness.control('POST', '/clock/advance', { by: '9s' }, world);
    expect((await getAccount(harness, world, id)).currentState.status).toBe('ACTIVE');
    await harness.control('POST', '/clock/advance', { by: '1s' }, world);
    expect((await getAccount(harness, world, id)).currentState.status).toBe('CLOSED');
  });

  it('with `open` starts the scheduled steps of its assets', async () => {
    const world = await harness.world('open');
    const { id } = await createAccount(harness, world, companyRequest());
    expect((await control(world, `/accounts/${id}/open`)).body.currentState.status).toBe('OPENING');
    await harness.control('POST', '/clock/advance', { by: '1s' }, world);
    expect((await getAccount(harness, world, id)).currentState.status).toBe('ACTIVE');
  });
});

// §D7-asset-moves
describe('forcing an asset', () => {
  const verbs = { activate: 'ACTIVE', fail: 'FAILED', freeze: 'FROZEN', unfreeze: 'ACTIVE', deactivate: 'DEACTIVATED' } as const;
  const into = {
    ONBOARDING: [],
    ACTIVE: ['activate'],
    FAILED: ['fail'],
    FROZEN: ['activate', 'freeze'],
    DEACTIVATED: ['activate', 'deactivate'],
  } as const;
  const names = Object.keys(verbs) as (keyof typeof verbs)[];
  const isLegal = (from: (typeof accountAssetStatuses)[number], verb: keyof typeof verbs) =>
    accountAssetTransitions[from].includes(verbs[verb]) && (verb !== 'unfreeze' || from === 'FROZEN');

  it.each(pairs(accountAssetStatuses, names).map(([from, verb]) => [from, verb, isLegal(from, verb)] as const))(
    'from %s by %s is allowed: %s',
    async (from, verb, legal) => {
      const world = await manual(`asset-${from}-${verb}`);
      const { id } = await createAccount(harness, world, companyRequest());
      await control(world, `/accounts/${id}/open`);
      await control(world, `/accounts/${id}/assets/BRL/activate`);
      for (const step of into[from]) expect((await control(world, `/accounts/${id}/assets/USDC/${step}`)).status).toBe(200);
      const { status, body } = await control(world, `/accounts/${id}/assets/USDC/${verb}`);
      const possible = accountAssetTransitions[from].filter((each) => verb !== 'unfreeze' || each !== 'ACTIVE');
      const refusal = { code: 'INVALID_STATUS_CHANGE', details: { resource: 'Asset', from, to: verbs[verb], possible } };
      expect({ status, body }).toMatchObject(
        legal ? { status: 200, body: { currentState: { status: 'ACTIVE' } } } : { status: 422, body: refusal },
      );
      const { assets } = await getAccount(harness, world, id);
      expect(assets[1].status).toBe(legal ? verbs[verb] : from);
    },
  );

  it('with `fail` takes a reason, which becomes the reason of the account if all its assets have failed', async () => {
    const world = await manual('asset-fail-reason');
    const { id } = await createAccount(harness, world, companyRequest());
    await control(world, `/accounts/${id}/open`);
    await control(world, `/accounts/${id}/assets/BRL/fail`);
    const reason = { code: 'SANCTIONS_MATCH', message: 'The bank found a match.' };
    const { body } = await control(world, `/accounts/${id}/assets/USDC/fail`, { reason });
    expect(body.currentState).toMatchObject({ status: 'REJECTED', reason: { ...reason, details: { failedAssets: ['BRL', 'USDC'] } } });
  });

  it('is rejected before the account is opened', async () => {
    const world = await manual('asset-early');
    const { id } = await createAccount(harness, world, companyRequest());
    const { status, body } = await control(world, `/accounts/${id}/assets/BRL/activate`);
    expect([status, body.details]).toEqual([
      422,
      {
        resource: 'Asset',
        id: `${id}/BRL`,
        from: 'ONBOARDING',
        to: 'ACTIVE',
        possible: [],
        actions: [],
        accountStatus: 'ACTION_REQUIRED',
        help: '/docs/guides/force-outcomes#force-a-status',
      },
    ]);
  });

  it('rejects an asset that the account does not have', async () => {
    const world = await manual('asset-unknown');
    const { id } = await createAccount(harness, world, companyRequest());
    expect((await control(world, `/accounts/${id}/assets/EUR/activate`)).body).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
      details: { resource: 'Asset', parameters: { accountId: id, asset: 'EUR' } },
    });
  });

  // §D7-asset-event
  it('sends ASSET_ACTIVATED only when the asset is first activated, not after a freeze', async () => {
    const world = await manual('asset-once');
    harness.attempts.length = 0;
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', resources: [{ name: 'ACCOUNT' }] } }, world);
    const { id } = await createAccount(harness, world, companyRequest());
    await control(world, `/accounts/${id}/open`);
    for (const verb of ['activate', 'freeze', 'unfreeze', 'freeze', 'activate']) await control(world, `/accounts/${id}/assets/BRL/${verb}`);
    await harness.quiet(world);
    expect(harness.attempts.map((each) => JSON.parse(each.body).assets)).toEqual([['BRL']]);
  });
});

const reviews = [
  ['approve', 'APPROVED'],
  ['reject', 'REJECTED'],
] as const;

// §D7-ubo-moves
describe('forcing a beneficial owner', () => {
  it.each(pairs(uboStatuses, reviews).map(([from, [verb, to]]) => [from, verb, to, uboTransitions[from].includes(to)] as const))(
    'from %s by %s to %s is allowed: %s',
    async (from, verb, to, legal) => {
      const world = await manual(`ubo-${from}-${verb}`);
      const { id: accountId } = await createAccount(harness, world, companyRequest());
      const { id } = (await harness.api('POST', `/api/accounts/${accountId}/ubos`, { body: uboRequest() }, world)).body;
      const first = reviews.find(([, status]) => status === from)?.[0];
      if (first) await control(world, `/ubos/${id}/${first}`);
      const { status, body } = await control(world, `/ubos/${id}/${verb}`);
      const refusal = { code: 'INVALID_STATUS_CHANGE', details: { resource: 'Ubo', id, from, to, possible: uboTransitions[from] } };
      expect({ status, body }).toMatchObject(
        legal ? { status: 200, body: { id, currentState: { status: to } } } : { status: 422, body: refusal },
      );
      const account = await getAccount(harness, world, accountId);
      expect(account.currentState.status).toBe(account.owner.ubos[0].currentState.status === 'REJECTED' ? 'REJECTED' : 'ACTION_REQUIRED');
    },
  );

  it('with `approve`, for the last owner under review, continues the onboarding after the delay of the scenario', async () => {
    const world = await harness.world('ubo-last');
    await harness.control('PUT', '/scenario', { inline: { extends: 'default', rules: [{ on: 'UBO', steps: [] }] } }, world);
    const id = await createReady(harness, world, companyRequest());
    await harness.control('POST', '/clock/advance', { by: '10m' }, world);
    const waiting = await getAccount(harness, world, id);
    expect(waiting.currentState.status).toBe('REVIEWING');
    await control(world, `/ubos/${waiting.owner.ubos[0].id}/approve`);
    await harness.control('POST', '/clock/advance', { by: '3s' }, world);
    expect((await getAccount(harness, world, id)).currentState.status).toBe('ACTIVE');
  });
});

describe('forcing a document', () => {
  /** Uploads both sides of an identity card for a new account. */
  async function sides(world: string) {
    const { id } = await createAccount(harness, world, individualRequest());
    for (const documentSubType of ['FRONT_SIDE', 'BACK_SIDE']) {
      await upload(harness, world, {
        documentType: 'ID_CARD',
        documentSubType,
        holder: { type: 'ACCOUNT', referenceId: id },
        metadata: { country: 'BR' },
      });
    }
    return { accountId: id as string, documents: await documentsOf(world, id) };
  }

  it.each(pairs(documentStatuses, reviews).map(([from, [verb, to]]) => [from, verb, to, documentTransitions[from].includes(to)] as const))(
    'from %s by %s to %s is allowed: %s',
    async (from, verb, to, legal) => {
      const world = await manual(`document-${from}-${verb}`);
      const { documents } = await sides(world);
      const [{ id }, other] = documents;
      const ways = { PENDING: [], APPROVED: [`${id}/approve`], REJECTED: [`${id}/reject`], SUPERSEDED: [`${other.id}/reject`] };
      for (const way of ways[from]) expect((await control(world, `/documents/${way}`)).status).toBe(200);
      const { status, body } = await control(world, `/documents/${id}/${verb}`);
      const refusal = {
        code: 'INVALID_STATUS_CHANGE',
        details: { resource: 'Document', id, from, to, possible: documentTransitions[from] },
      };
      expect({ status, body }).toMatchObject(
        legal ? { status: 200, body: { id, currentState: { status: to } } } : { status: 422, body: refusal },
      );
    },
  );

  it.each([
    [undefined, { code: 'DOCUMENT_REJECTED', message: 'The document cannot be read.', details: { cause: 'ILLEGIBLE' } }],
    [
      { code: 'MISMATCH', message: 'No.' },
      { code: 'DOCUMENT_REJECTED', message: 'No.', details: { cause: 'MISMATCH' } },
    ],
    [{ code: 'DOCUMENT_REJECTED', message: 'No.', details: { cause: 'EXPIRED', page: 2 } }, { details: { cause: 'EXPIRED', page: 2 } }],
    [{ code: 'WRONG_DOCUMENT' }, { message: 'The document is not of the type it was submitted as.', details: { cause: 'WRONG_DOCUMENT' } }],
  ])('with `reject` converts the reason %j to %j', async (reason, expected) => {
    const world = await manual(`document-reason-${expected.details.cause}`);
    const { accountId, documents } = await sides(world);
    const { body } = await control(world, `/documents/${documents[0].id}/reject`, reason && { reason });
    expect(body.currentState.reason).toMatchObject(expected);
    const { requirements } = await getAccount(harness, world, accountId);
    expect(requirements.currentlyDue[0]).toMatchObject({ type: 'DOCUMENT_GROUP', documentType: null, reason: expected });
    expect(requirements.pendingVerification).toEqual([]);
  });

  it('can revoke an approval while the account is REVIEWING, which returns the account to ACTION_REQUIRED', async () => {
    const world = await manual('document-back');
    const id = await createReady(harness, world, companyRequest());
    await approveAll(world, id);
    expect((await getAccount(harness, world, id)).currentState.status).toBe('REVIEWING');
    const [document] = await documentsOf(world, id);
    await control(world, `/documents/${document.id}/reject`);
    const account = await getAccount(harness, world, id);
    expect(account.states.map((each: { status: string }) => each.status)).toEqual(['ACTION_REQUIRED', 'REVIEWING', 'ACTION_REQUIRED']);
    expect(account.requirements.errors).toMatchObject([{ documentType: document.documentType, reason: { code: 'DOCUMENT_REJECTED' } }]);
    await control(world, `/accounts/${id}/activate`);
    const late = await control(world, `/documents/${(await documentsOf(world, id))[1].id}/reject`);
    expect(late.body).toMatchObject({
      code: 'INVALID_STATUS_CHANGE',
      details: { from: 'APPROVED', to: 'REJECTED', accountStatus: 'ACTIVE' },
    });
  });

  it('is also possible with a scenario step, which can revoke an approval until the account leaves REVIEWING', async () => {
    const world = await harness.world('document-steps');
    const steps = [
      { after: '2s', to: 'APPROVED' },
      { after: '1s', to: 'REJECTED', reason: { code: 'WRONG_DOCUMENT' } },
    ];
    const rule = { on: 'DOCUMENT', when: { documentType: 'PROOF_OF_ADDRESS', 'holder.type': 'ACCOUNT' }, steps };
    const quick = { on: 'ACCOUNT', when: { 'owner.legalName': { like: 'Quick' } }, steps: [{ after: '0s', to: 'OPENING' }] };
    const owners = { on: 'UBO', steps: [{ after: '0s', to: 'APPROVED' }] };
    await harness.control('PUT', '/scenario', { inline: { extends: 'default', rules: [rule, quick, owners] } }, world);
    const slow = await createReady(harness, world, companyRequest());
    const quickly = await createReady(harness, world, companyRequest({ legalName: 'Quick Ltda' }));
    await harness.control('POST', '/clock/advance', { by: '1m' }, world);
    expect((await getAccount(harness, world, slow)).currentState.status).toBe('ACTION_REQUIRED');
    expect((await getAccount(harness, world, quickly)).currentState.status).toBe('ACTIVE');
  });
});

describe('a requirement', () => {
  // §D7-buckets
  it.each(pairs(requirementStatuses, requirementStatuses))('changes from %s to %s only if the transition table allows it', (from, to) => {
    const [group] = personRequirements(null);
    const move = () => moveRequirement({ ...group!, status: from }, to).status;
    const outcome = requirementTransitions[from].includes(to) ? to : 'INVALID_STATUS_CHANGE';
    const attempt = () => {
      try {
        return move();
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(attempt()).toBe(outcome);
  });
});

describe('a change of the customer segment', () => {
  it('keeps the requirements that both segments have, and supersedes documents that are no longer required', async () => {
    const world = await manual('segment');
    const id = await createReady(harness, world, companyRequest());
    const put = (segment: string, account = id) => harness.control('PUT', `/accounts/${account}/segment`, { segment }, world);
    const { body } = await put('PAYMENT_SERVICE_PROVIDER');
    const types = (list: { documentType: string; uboId: string | null }[]) =>
      list.filter((each) => each.uboId === null).map((each) => each.documentType);
    expect(types(body.requirements.pendingVerification)).toEqual([
      'ARTICLES_OF_ASSOCIATION',
      'SIGNING_AUTHORITY_PROOF',
      'FINANCIAL_STATEMENT',
    ]);
    expect(types(body.requirements.currentlyDue)).toEqual([
      'PROOF_OF_REGULATORY_LICENSE',
      'AML_POLICY',
      'WOLFSBERG_QUESTIONNAIRE',
      'BAAS_ADHESION_FORM',
    ]);
    expect(body.requirements.pendingVerification.filter((each: { uboId: string | null }) => each.uboId !== null)).toHaveLength(3);
    const superseded = (await documentsOf(world, id)).filter(
      (each: { currentState: { status: string } }) => each.currentState.status === 'SUPERSEDED',
    );
    expect(superseded.map((each: { documentType: string }) => each.documentType)).toEqual([
      'PROOF_OF_BUSINESS_ACTIVITY',
      'PROOF_OF_ADDRESS',
    ]);

    await put('STANDARD_COMPANY');
    await approveAll(world, id);
    expect((await put('NON_RESIDENT_ENTITY')).body.requirements.currentlyDue).toContainEqual(
      expect.objectContaining({ documentType: 'ARTICLES_OF_ASSOCIATION', requiredMetadata: ['legalForm', 'apostilled'] }),
    );
    await control(world, `/accounts/${id}/activate`);
    expect((await put('FUND')).body.code).toBe('ACCOUNT_NOT_MODIFIABLE');
    const individual = await createAccount(harness, world, individualRequest());
    expect((await put('FUND', individual.id)).body).toMatchObject({ code: 'ACCOUNT_NOT_MODIFIABLE', details: { ownerType: 'INDIVIDUAL' } });
    expect((await put('BANK')).body.details.errors[0]).toMatchObject({ code: 'INVALID_ENUM', field: 'body:segment' });
  });
});

describe('an unknown id', () => {
  const nobody = '00000000-0000-4000-8000-000000000000';
  it.each([`documents/${nobody}/approve`, `ubos/${nobody}/reject`, `accounts/${nobody}/activate`, `accounts/${nobody}/assets/BRL/freeze`])(
    'is rejected by the forcing request %s',
    async (path) => {
      expect((await control('default', `/${path}`)).body.code).toBe('RESOURCE_NOT_FOUND');
    },
  );
});
