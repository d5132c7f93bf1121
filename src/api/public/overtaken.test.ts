import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { TestResponse } from '../../testing/calls.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdrawalBody } from '../../testing/withdrawals.js';
import { quoteIn } from '../../testing/money.js';
import { storageTo, type LoggedCommit } from '../../testing/storage.js';

const commits: LoggedCommit[] = [];
const storage = storageTo((commit) => Promise.resolve(void commits.push(commit)));
const harness = useHarness({ storage });

/** Ways to replace or delete a world during requests. */
const changes = {
  reset: (world: string) => harness.control('POST', '/reset', undefined, world),
  restored: (world: string) => harness.control('POST', '/snapshots/start/restore', undefined, world),
  imported: (world: string) => harness.control('PUT', '/state', document, world),
  deleted: (world: string) => harness.control('DELETE', `/worlds/${world}`),
} as const;
let document: unknown;

/** Creates a world with the snapshot `start`. Exports the state of the world to `document`. */
async function slowWorld(name: string): Promise<string> {
  const world = await harness.world(name);
  await harness.control('POST', '/snapshots', { name: 'start' }, world);
  document = (await harness.control('GET', '/state', undefined, world)).body;
  await harness.token(world);
  return world;
}
const slowly = (world: string) => harness.control('POST', '/faults', { on: 'REQUEST', effect: { delay: '1s' } }, world);
/** Waits until the fault of a world delays `count` requests. */
async function underWay(world: string, count: number): Promise<void> {
  const hits = async () => (await harness.control('GET', '/faults', undefined, world)).body.data[0].hits;
  await expect.poll(hits, { interval: 5 }).toBe(count);
}

describe.each(Object.entries(changes))('a request whose world is %s while the request is in progress', (how, change) => {
  it('fails with SERVICE_UNAVAILABLE and has no effect', async () => {
    const world = await slowWorld(`under-way-${how}`);
    const { accountId, accountIds, approved } = fixtureIds(harness, world);
    const quote = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' };
    const { id } = await quoteIn(harness, world, quote);
    await slowly(world);
    const amount = { value: '1.00', asset: 'BRL' };
    const requests: [string, string, unknown?][] = [
      ['GET', '/api/accounts'],
      ['POST', '/api/quotes', quote],
      ['POST', '/api/operations/withdrawal', withdrawalBody(accountId, id, approved)],
      ['POST', '/api/operations/transfer', { sourceAccountId: accountId, targetAccountId: accountIds[1], amount }],
      ['POST', '/api/beneficiaries', pixBeneficiary()],
      ['POST', '/api/subscriptions', { url: 'http://localhost:9/', includeAll: true }],
    ];
    const key = randomUUID();
    const pending = requests.map(([method, path, body], index) =>
      harness.api(method, path, { body, ...(index === 1 ? { key } : {}) }, world),
    );
    await underWay(world, requests.length);
    expect([200, 204]).toContain((await change(world)).status);
    const answers: TestResponse[] = await Promise.all(pending);
    expect(answers.map((answer) => `${answer.status} ${answer.body.code}`)).toEqual(requests.map(() => '503 SERVICE_UNAVAILABLE'));
    if (how === 'deleted') return;
    expect((await harness.control('GET', '/state', undefined, world)).body).toEqual(document);
    expect((await harness.api('POST', '/api/quotes', { body: quote, key }, world)).status).toBe(201);
  });
});

describe('a deleted world', () => {
  it('is not stored again by requests and delivery attempts that were in progress', async () => {
    const world = await slowWorld('gone');
    let attempts = 0;
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    harness.receive = async () => {
      attempts += 1;
      await answered;
      return { httpStatus: 500, error: null };
    };
    const body = { url: 'http://localhost:9/', includeAll: true, allowRetry: true };
    await harness.api('POST', '/api/subscriptions', { body }, world);
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    await slowly(world);
    const request = harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    const advance = harness.control('POST', '/clock/advance', { by: '1h' }, world);
    const waiting = harness.control(
      'GET',
      `/accounts/${fixtureIds(harness, world).accountId}/await?status=CLOSED&timeoutMs=60`,
      undefined,
      world,
    );
    await underWay(world, 1);
    expect(attempts).toBeGreaterThan(0);
    const inMemory = harness.sandbox.world(world);
    expect((await harness.control('DELETE', `/worlds/${world}`)).status).toBe(204);
    expect(commits.at(-1)).toEqual({ world, dropped: true });
    inMemory.write('late', (uow) => uow.put('counters', { id: 'late', value: 1 }));
    answer();
    await Promise.all([request, advance, waiting]);
    for (let turns = 0; turns < 10; turns += 1) await nextTurn();
    expect(commits.findLast((commit) => commit.world === world)).toEqual({ world, dropped: true });
    expect((await harness.control('GET', `/worlds/${world}`)).status).toBe(404);
  });
});
