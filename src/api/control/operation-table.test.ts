import { beforeAll, describe, expect, it } from 'vitest';
import { operationStatuses } from '../../contract/public/operations.js';
import { operationTransitions, type OperationStatus } from '../../domain/operations/operation.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdraw } from '../../testing/withdrawals.js';
import { operationIn, quoteIn, request, statuses, transitionsTo } from '../../testing/money.js';

const harness = useHarness();
const world = 'operation-table';

/** Requests an operation of each kind, in a world without automatic steps. */
const kinds = {
  WITHDRAWAL: () => withdraw(harness, world, '1.00'),
  TRANSFER: async () => {
    const [sourceAccountId, targetAccountId] = fixtureIds(harness, world).accountIds;
    return (await request(harness, world, 'transfer', { sourceAccountId, targetAccountId, amount: { value: '1.00', asset: 'BRL' } })).body;
  },
  SWAP: () => quoted('swap', 'USD'),
  DEPOSIT: () => quoted('deposit', 'BRL', { fundingInstruction: { rail: 'TED' } }),
};

async function quoted(kind: 'swap' | 'deposit', sourceAsset: string, more = {}) {
  const { accountId } = fixtureIds(harness, world);
  const { id } = await quoteIn(harness, world, { accountId, sourceAsset, targetAsset: 'BRL', sourceAmount: '5.00' });
  return (await request(harness, world, kind, { accountId, quoteId: id, ...more })).body;
}

/** Returns the status that a verb must set, according to the table; null if the verb must be rejected. */
function targetOf(verb: string, kind: string, from: OperationStatus): OperationStatus | null {
  const isOpen = operationTransitions[from].length > 0;
  if (verb === 'pay') return kind === 'DEPOSIT' && from === 'REQUESTED' ? 'PROCESSING' : null;
  if (verb === 'resume') return from === 'ON_HOLD' || from === 'ACTION_REQUIRED' ? 'PROCESSING' : null;
  if (verb === 'complete') return isOpen ? 'COMPLETED' : null;
  const to = ({ process: 'PROCESSING', fail: 'FAILED', hold: 'ON_HOLD', 'require-action': 'ACTION_REQUIRED' } as const)[verb]!;
  return operationTransitions[from].includes(to) ? to : null;
}

const verbs = ['process', 'complete', 'fail', 'hold', 'require-action', 'resume', 'pay'];
const cases = (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) =>
  operationStatuses.flatMap((from) => verbs.map((verb) => ({ kind, from, verb, to: targetOf(verb, kind, from) }))),
);

/** Returns all rows of the world. Rows are never changed in place, so identical rows prove that nothing has changed. */
function rows(): unknown[] {
  return Object.values(harness.sandbox.world(world).state).flatMap((table: { values(): Iterable<unknown> }) => [...table.values()]);
}

describe('forcing an operation', () => {
  beforeAll(async () => {
    await harness.world(world, { scenario: 'manual' });
    const resources = [{ name: 'OPERATION' }];
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', resources } }, world);
  });

  async function operationAt(kind: keyof typeof kinds, status: OperationStatus): Promise<string> {
    const { id } = await kinds[kind]();
    for (const verb of transitionsTo[status]) await harness.control('POST', `/operations/${id}/${verb}`, undefined, world);
    await harness.quiet(world);
    harness.attempts.length = 0;
    return id;
  }

  // §D9-moves
  it.each(cases.filter((each) => each.to !== null))('by `$verb` changes a $kind from $from to $to', async ({ kind, from, verb, to }) => {
    const id = await operationAt(kind, from);
    const before = harness.sandbox.world(world).state.ledgerEntries.size;
    const { status, body } = await harness.control('POST', `/operations/${id}/${verb}`, undefined, world);
    expect(status).toBe(200);
    expect(body).toEqual(await operationIn(harness, world, id));
    const walked = statuses(body);
    expect(walked.at(-1)).toBe(to);
    for (const [index, next] of walked.slice(1).entries()) {
      expect(operationTransitions[walked[index] as OperationStatus]).toContain(next);
    }
    await harness.quiet(world);
    const settles = to === 'COMPLETED';
    expect(harness.attempts.map((each) => each.headers['x-event-type'])).toEqual(
      settles ? ['OPERATION_COMPLETED'] : to === 'FAILED' ? ['OPERATION_FAILED'] : [],
    );
    expect(harness.sandbox.world(world).state.ledgerEntries.size - before).toBe(settles ? 1 : 0);
  });

  // §D9-moves
  it.each(cases.filter((each) => each.to === null))('by `$verb` is rejected for a $kind in $from, and changes nothing', async (each) => {
    const id = await operationAt(each.kind, each.from);
    const before = new Set(rows());
    const { status, body } = await harness.control('POST', `/operations/${id}/${each.verb}`, undefined, world);
    expect([status, body.code, body.details.from]).toEqual([422, 'INVALID_STATUS_CHANGE', each.from]);
    const { possible } = (await harness.control('GET', `/why/${id}`, undefined, world)).body;
    const legal = cases.filter(({ kind, from, to }) => kind === each.kind && from === each.from && to !== null);
    expect(new Set(possible)).toEqual(new Set(legal.map(({ verb, to }) => ({ verb, to }))));
    expect(body.details.actions).toEqual(possible);
    expect(rows().filter((row) => !before.has(row))).toEqual([]);
    expect(rows()).toHaveLength(before.size);
    expect(harness.attempts).toEqual([]);
  });
});
