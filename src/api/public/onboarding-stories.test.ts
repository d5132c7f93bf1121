import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { accountStatuses, documentTypes, type Requirement, type Requirements } from '../../contract/public/accounts.js';
import { accountTransitions, type AccountStatus } from '../../domain/accounts/account.js';
import { useHarness } from '../../testing/harness.js';
import { companyRequest, createAccount, getAccount, individualRequest, uboRequest, upload, uploadsFor } from '../../testing/onboarding.js';

const harness = useHarness();
const scenarios = ['default', 'instant', 'manual', 'onboarding-rejections'];
const taxIds = ['331.662.479-12', '236.067.977-53', '316.227.766-31'].map((value) => ({ type: 'CPF', value }));
const fileNames = ['scan.pdf', 'scan.pdf', 'scan.pdf', 'illegible.pdf', 'mismatch.pdf'];

/** One action of a client, a tester or a timer. `pick` selects one of the existing resources. */
const step = fc.record({
  what: fc.constantFrom(
    'UPLOAD',
    'UPLOAD',
    'UPLOAD',
    'UPLOAD',
    'STRAY',
    'ADD_UBO',
    'PATCH_UBO',
    'DOCUMENT',
    'UBO',
    'ASSET',
    'ACCOUNT',
    'ADVANCE',
    'ADVANCE',
  ),
  pick: fc.nat(1000),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const pickOf = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(list.length, 1)];

async function act(world: string, id: string, { what, pick }: Step): Promise<number> {
  const account = await getAccount(harness, world, id);
  const holder = { type: 'ACCOUNT', referenceId: id };
  const control = async (path: string) => (await harness.control('POST', path, undefined, world)).status;
  switch (what) {
    case 'UPLOAD': {
      const open: Requirement[] = [...account.requirements.currentlyDue, ...account.requirements.errors];
      const asked = pickOf(
        open.filter((each) => each.type !== 'INFORMATION'),
        pick,
      );
      const bodies = asked ? uploadsFor(asked, id) : [];
      for (const body of bodies) await upload(harness, world, body, pickOf(fileNames, pick));
      return 204;
    }
    case 'STRAY':
      return (
        await upload(harness, world, {
          documentType: pickOf(documentTypes, pick),
          holder,
          metadata: { country: 'BR', issuedAt: '2026-11-01', description: 'x' },
        })
      ).status;
    case 'ADD_UBO': {
      const body = uboRequest({ taxId: pickOf(taxIds, pick), ownershipPercentage: 30, phone: pick % 2 ? undefined : '+55 11 5555-0000' });
      return (await harness.api('POST', `/api/accounts/${id}/ubos`, { body }, world)).status;
    }
    case 'PATCH_UBO': {
      const ubo = pickOf<{ id: string }>(account.owner.ubos ?? [], pick);
      return ubo
        ? (await harness.api('PATCH', `/api/accounts/${id}/ubos/${ubo.id}`, { body: { phone: '+55 11 5555-0000' } }, world)).status
        : 200;
    }
    case 'DOCUMENT': {
      const document = pickOf([...harness.sandbox.world(world).state.documents.values()], pick);
      return document ? control(`/documents/${document.id}/${pick % 3 ? 'approve' : 'reject'}`) : 200;
    }
    case 'UBO': {
      const ubo = pickOf<{ id: string }>(account.owner.ubos ?? [], pick);
      return ubo ? control(`/ubos/${ubo.id}/${pick % 5 ? 'approve' : 'reject'}`) : 200;
    }
    case 'ASSET':
      return control(
        `/accounts/${id}/assets/${pickOf(['BRL', 'USDC'], pick)}/${pickOf(['activate', 'fail', 'freeze', 'unfreeze', 'deactivate'], pick)}`,
      );
    case 'ACCOUNT':
      return control(`/accounts/${id}/${pickOf(['open', 'activate', 'reject', 'close'], pick)}`);
    case 'ADVANCE':
      return (await harness.control('POST', '/clock/advance', { by: `${pick % 4}s` }, world)).status;
  }
}

/** Checks the invariants of an account and returns its status. */
async function check(world: string, id: string): Promise<AccountStatus> {
  const account = await getAccount(harness, world, id);
  const statuses = account.states.map((each: { status: AccountStatus }) => each.status) as AccountStatus[];
  for (const [index, status] of statuses.slice(1).entries()) expect(accountTransitions[statuses[index]!]).toContain(status);
  const status = statuses.at(-1)!;
  const { currentlyDue, pendingVerification, errors } = account.requirements as Requirements;
  const isOpen = currentlyDue.length + pendingVerification.length + errors.length > 0;
  const assets = account.assets.map((each: { status: string }) => each.status) as string[];
  const ubos = (account.owner.ubos ?? []).map((each: { currentState: { status: string } }) => each.currentState.status) as string[];
  const { state } = harness.sandbox.world(world);
  const inReview = [...state.documents.values()].filter((each) => each.accountId === id && each.states.at(-1)!.status === 'PENDING');
  expect(inReview).toHaveLength(pendingVerification.length);
  if (status === 'ACTION_REQUIRED') expect(isOpen).toBe(true);
  if (['REVIEWING', 'OPENING', 'ACTIVE', 'CLOSED'].includes(status)) expect(isOpen).toBe(false);
  if (['OPENING', 'ACTIVE', 'CLOSED'].includes(status)) expect(ubos.every((each) => each === 'APPROVED')).toBe(true);
  if (status === 'OPENING') expect(assets).toContain('ONBOARDING');
  if (['ACTION_REQUIRED', 'REVIEWING'].includes(status)) expect(new Set(assets)).toEqual(new Set(['ONBOARDING']));
  if (status === 'ACTIVE') expect(assets.some((each) => ['ACTIVE', 'FROZEN', 'DEACTIVATED'].includes(each))).toBe(true);
  if (['REJECTED', 'CLOSED'].includes(status)) expect([...state.jobs.values()].filter((each) => each.verb === 'step')).toEqual([]);
  return status;
}

it('an account, its requirements, documents, owners and assets stay consistent after random actions', async () => {
  let stories = 0;
  const reached = new Set<AccountStatus>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...scenarios),
      fc.boolean(),
      fc.array(step, { minLength: 5, maxLength: 40 }),
      async (scenario, isCompany, steps) => {
        stories += 1;
        const world = await harness.world(`story-${stories}`, { scenario, fixtures: 'empty' });
        const assets = [{ code: 'BRL' }, { code: 'USDC' }];
        const { id } = await createAccount(harness, world, isCompany ? companyRequest({}, assets) : individualRequest({}, assets));
        for (const each of steps) {
          expect(await act(world, id, each)).toBeLessThan(500);
          reached.add(await check(world, id));
        }
        await harness.control('DELETE', `/worlds/${world}`);
      },
    ),
    { numRuns: 60, seed: 20261121 },
  );
  expect([...reached].toSorted()).toEqual([...accountStatuses].toSorted());
}, 60_000);
