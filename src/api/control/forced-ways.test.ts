import { describe, expect, it } from 'vitest';
import { accountAssetTransitions, accountTransitions, assetParts } from '../../domain/accounts/account.js';
import { instructionTransitions } from '../../domain/payees/beneficiary.js';
import { documentTransitions } from '../../domain/accounts/document.js';
import { isFinal, type Transitions } from '../../domain/machine.js';
import { operationTransitions } from '../../domain/operations/operation.js';
import { uboTransitions } from '../../domain/accounts/ubo.js';
import { useHarness, type Harness } from '../../testing/harness.js';
import { inLength } from '../../testing/long-run.js';
import { fixtureIds, pixBeneficiary, withdraw } from '../../testing/withdrawals.js';
import { quoteIn, request } from '../../testing/money.js';
import { companyRequest, createAccount, createReady, individualRequest, upload } from '../../testing/onboarding.js';

const natural = useHarness();
const forcing = useHarness();

/** A kind of resource whose status both scenarios and control requests can change. */
interface Kind {
  readonly on: string;
  readonly transitions: Transitions<string>;
  readonly from: string;
  /** The condition of the scenario rule. Needed if the world has more resources of this kind. */
  readonly when?: Record<string, unknown>;
  /** Creates a resource in the status `from`. @returns its id */
  readonly make: (harness: Harness, world: string) => Promise<string>;
  /** Returns the path of the control request that forces the resource into a status. */
  readonly verb: (id: string, to: string, from: string) => string;
  /** Called after each status change, in both worlds, for additional changes. */
  readonly follow?: (harness: Harness, world: string, id: string, status: string) => Promise<unknown>;
  /** Statuses to skip, because only changes of other resources cause them. */
  readonly except?: readonly string[];
  /** The scenario step that replaces `to`. */
  readonly step?: (to: string, from: string) => Record<string, unknown>;
}

const control = (harness: Harness, world: string, path: string, body?: unknown) => harness.control('POST', path, body, world);
const review = { APPROVED: 'approve', REJECTED: 'reject' } as Readonly<Record<string, string>>;

async function quoted(harness: Harness, world: string, kind: 'swap' | 'deposit', sourceAsset: string, more = {}): Promise<string> {
  const { accountId } = fixtureIds(harness, world);
  const { id } = await quoteIn(harness, world, { accountId, sourceAsset, targetAsset: 'BRL', sourceAmount: '5.00' });
  return (await request(harness, world, kind, { accountId, quoteId: id, ...more })).body.id as string;
}

async function documentOf(harness: Harness, world: string): Promise<string> {
  const { id } = await createAccount(harness, world, individualRequest());
  const holder = { type: 'ACCOUNT', referenceId: id };
  await upload(harness, world, { documentType: 'PASSPORT', holder, metadata: { country: 'BR' } });
  return [...harness.sandbox.world(world).state.documents.keys()].at(-1)!;
}

/** Creates a company account with all documents approved; with `owners`, also its owners. */
async function reviewing(harness: Harness, world: string, owners: boolean): Promise<string> {
  const id = await createReady(harness, world, companyRequest());
  const { state } = harness.sandbox.world(world);
  for (const document of state.documents.values()) {
    if (document.accountId === id) await control(harness, world, `/documents/${document.id}/approve`);
  }
  if (owners) for (const ubo of state.accounts.get(id)!.ubos) await control(harness, world, `/ubos/${ubo.id}/approve`);
  return id;
}

const operationVerbs: Readonly<Record<string, string>> = {
  PROCESSING: 'process',
  COMPLETED: 'complete',
  FAILED: 'fail',
  ON_HOLD: 'hold',
  ACTION_REQUIRED: 'require-action',
};
const operation = { on: 'OPERATION', transitions: operationTransitions as Transitions<string>, from: 'REQUESTED' };
const isPayment = (to: string, from: string) => from === 'REQUESTED' && to === 'PROCESSING';

const kinds: Readonly<Record<string, Kind>> = {
  withdrawal: {
    ...operation,
    make: async (harness, world) => (await withdraw(harness, world, '25.00')).id as string,
    verb: (id, to) => `/operations/${id}/${operationVerbs[to]}`,
  },
  transfer: {
    ...operation,
    make: async (harness, world) => {
      const [sourceAccountId, targetAccountId] = fixtureIds(harness, world).accountIds;
      const body = { sourceAccountId, targetAccountId, amount: { value: '1.00', asset: 'BRL' } };
      return (await request(harness, world, 'transfer', body)).body.id as string;
    },
    verb: (id, to, from) => `/operations/${id}/${to === 'PROCESSING' && from !== 'REQUESTED' ? 'resume' : operationVerbs[to]}`,
  },
  swap: {
    ...operation,
    make: (harness, world) => quoted(harness, world, 'swap', 'USD'),
    verb: (id, to) => `/operations/${id}/${operationVerbs[to]}`,
  },
  deposit: {
    ...operation,
    make: (harness, world) => quoted(harness, world, 'deposit', 'BRL', { fundingInstruction: { rail: 'TED' } }),
    verb: (id, to, from) => `/operations/${id}/${isPayment(to, from) ? 'pay' : operationVerbs[to]}`,
    step: (to, from) => (isPayment(to, from) ? { pay: {} } : { to }),
  },
  instruction: {
    on: 'PAYMENT_INSTRUCTION',
    transitions: instructionTransitions,
    from: 'PENDING_REVIEW',
    make: async (harness, world) =>
      (await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world)).body.paymentInstruction.id as string,
    verb: (id, to) => `/payment-instructions/${id}/${review[to]}`,
  },
  document: {
    on: 'DOCUMENT',
    transitions: documentTransitions,
    from: 'PENDING',
    make: documentOf,
    verb: (id, to) => `/documents/${id}/${review[to]}`,
    except: ['SUPERSEDED'],
  },
  owner: {
    on: 'UBO',
    transitions: uboTransitions,
    from: 'PENDING',
    make: async (harness, world) => {
      const id = await reviewing(harness, world, false);
      return harness.sandbox.world(world).state.accounts.get(id)!.ubos[0]!.id;
    },
    verb: (id, to) => `/ubos/${id}/${review[to]}`,
  },
  account: {
    on: 'ACCOUNT',
    transitions: accountTransitions,
    from: 'REVIEWING',
    make: (harness, world) => reviewing(harness, world, true),
    verb: (id, to) => `/accounts/${id}/${{ OPENING: 'open', REJECTED: 'reject', CLOSED: 'close' }[to]}`,
    // An account becomes ACTIVE with its first active asset.
    follow: async (harness, world, id, status) => status === 'OPENING' && control(harness, world, `/accounts/${id}/assets/BRL/activate`),
    except: ['ACTION_REQUIRED', 'ACTIVE'],
  },
  asset: {
    on: 'ASSET',
    when: { asset: 'USDC' },
    transitions: accountAssetTransitions,
    from: 'ONBOARDING',
    make: async (harness, world) => {
      const id = await reviewing(harness, world, true);
      await control(harness, world, `/accounts/${id}/open`);
      return `${id}/USDC`;
    },
    verb: (id, to, from) => {
      const [accountId, asset] = assetParts(id);
      const word = { ACTIVE: from === 'FROZEN' ? 'unfreeze' : 'activate', FAILED: 'fail', FROZEN: 'freeze', DEACTIVATED: 'deactivate' }[to];
      return `/accounts/${accountId}/assets/${asset}/${word}`;
    },
  },
};

/** Returns all paths through a transition table that end in a final status or have four steps. */
function waysThrough({ transitions, from, except = [] }: Kind): string[][] {
  const on = (status: string, way: readonly string[]): string[][] => {
    // In this test an account in OPENING always becomes ACTIVE, because `follow` activates an asset.
    const at = transitions === (accountTransitions as Transitions<string>) && status === 'OPENING' ? 'ACTIVE' : status;
    const next = way.length === 4 ? [] : (transitions[at] ?? []).filter((to) => !except.includes(to));
    return [
      ...(way.length > 0 && (next.length === 0 || !isFinal(transitions, at)) ? [[...way]] : []),
      ...next.flatMap((to) => on(to, [...way, to])),
    ];
  };
  return on(from, []);
}

const reason = { code: 'REQUESTED_BY_TEST', message: 'because a test requires it.', details: { by: 'a test' } };

/** Returns the state and sent webhooks of a world, without their causes. */
async function outcome(harness: Harness, world: string): Promise<unknown> {
  await harness.quiet(world);
  const { tables, ...others } = (await harness.control('GET', '/state', undefined, world)).body;
  for (const name of ['plans', 'jobs', 'ruleCounts', 'scenario', 'idempotency', 'counters']) delete tables[name];
  const { companyId } = harness.sandbox.world(world).identity;
  const own = harness.attempts.filter(({ headers }) => headers['x-company-id'] === companyId);
  const webhooks = own.map(({ headers, body }) => [headers['x-message-id'], headers['x-event-type'], body]);
  return { webhooks, state: JSON.parse(JSON.stringify({ ...others, tables }).replace(/"causeId":"[^"]*"/g, '"causeId":""')) };
}

/** Returns ways, the longest first, that together contain every change of status of all ways. */
function covering(ways: readonly string[][], from: string): string[][] {
  const seen = new Set<string>();
  const longestFirst = ways.toSorted((a, b) => b.length - a.length);
  return longestFirst.filter((way) => {
    const changes = way.map((to, index) => `${way[index - 1] ?? from} ${to}`).filter((change) => !seen.has(change));
    for (const change of changes) seen.add(change);
    return changes.length > 0;
  });
}

describe.each(Object.entries(kinds))('a forced %s', (name, kind) => {
  const all = waysThrough(kind);
  const ways = inLength(covering(all, kind.from), all);

  it('has several possible status histories', () => expect(ways.length).toBeGreaterThan(1));

  it.each(
    ways.flatMap((way) =>
      (way.length < inLength(2, 3) ? [true, false] : [true]).map((withReason) => ({
        way,
        withReason,
        label: `${way.join(', ')}${withReason ? ', each with a reason' : ''}`,
      })),
    ),
  )('that goes through $label has the same state and webhooks as with scenario steps', async ({ way, withReason }) => {
    const world = `${name}-${ways.indexOf(way)}-${withReason ? 'with-reason' : 'silent'}`;
    const why = (to: string) => (withReason && /FAILED|HOLD|ACTION|REJECTED/.test(to) ? { reason } : {});
    const results: unknown[] = [];
    for (const harness of [natural, forcing]) {
      await harness.world(world, { scenario: 'manual' });
      const froms = [kind.from, ...way];
      const steps = way.map((to, index) => ({ after: '1s', ...(kind.step?.(to, froms[index]!) ?? { to }), ...why(to) }));
      if (harness === natural) {
        const rules = [{ on: kind.on, steps, ...(kind.when ? { when: kind.when } : {}) }];
        expect((await harness.control('PUT', '/scenario', { inline: { rules } }, world)).status).toBe(200);
      }
      await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9/', includeAll: true } }, world);
      const id = await kind.make(harness, world);
      for (const [index, to] of way.entries()) {
        await harness.control('POST', '/clock/advance', { by: '1s' }, world);
        if (harness === forcing) {
          const forced = await control(harness, world, kind.verb(id, to, froms[index]!), why(to));
          expect(forced, JSON.stringify(forced.body)).toMatchObject({ status: 200 });
        }
        await kind.follow?.(harness, world, id, to);
      }
      results.push(await outcome(harness, world));
    }
    expect(results[1]).toEqual(results[0]);
  });
});
