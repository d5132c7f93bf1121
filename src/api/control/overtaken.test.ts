import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import recorded from '../../../openapi/control-examples.json' with { type: 'json' };
import { controlRoutes } from '../../contract/control/routes.js';
import { fractions } from '../../testing/chance.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds } from '../../testing/withdrawals.js';
import { HeldBody } from '../../testing/held-body.js';
import { inLength } from '../../testing/long-run.js';

const harness = useHarness({ maxWorlds: 5000 });

/** Returns the exported state of a world. */
const stateOf = async (world: string) => (await harness.control('GET', '/state', undefined, world)).body;
const snapshotsOf = async (world: string): Promise<string[]> =>
  (await harness.control('GET', '/snapshots', undefined, world)).body.data.map(({ name }: { name: string }) => name);

/** Creates a world with a snapshot of its initial state. @returns this state */
async function worldAtStart(name: string): Promise<unknown> {
  await harness.world(name);
  await harness.control('POST', '/snapshots', { name: 'start' }, name);
  return stateOf(name);
}

/** Ways to replace the state of a world during a request. */
const changes = {
  reset: (world: string) => harness.control('POST', '/reset', undefined, world),
  restored: (world: string) => harness.control('POST', '/snapshots/start/restore', undefined, world),
  imported: (world: string, start: unknown) => harness.control('PUT', '/state', start, world),
  deleted: async (world: string) => {
    const answer = await harness.control('DELETE', `/worlds/${world}`);
    await worldAtStart(world);
    return answer;
  },
} as const;

const requests = recorded.operations as Record<string, { request?: unknown }>;

/** Every control request that writes to a world, with a valid body. */
function writingCalls(world: string, start: unknown) {
  const { accountId } = fixtureIds(harness, world);
  return controlRoutes
    .filter((route) => route.method !== 'get' && route.world !== 'none')
    .map(({ operationId, method, path }) => ({
      operationId,
      method: method.toUpperCase(),
      path: path
        .slice('/_sandbox'.length)
        .replace('{worldName}', operationId === 'putWorld' ? `${world}?ifExists=replace` : world)
        .replace('{snapshotName}', 'start')
        .replace(/\{\w+Id\}/, accountId)
        .replace('{asset}', 'BRL')
        .replace(/\{(inbox|listener)Name\}/, 'some'),
      body: operationId === 'putState' ? start : (requests[operationId]?.request ?? {}),
    }));
}

describe.each(Object.entries(changes))('a control request whose world is %s while the request body arrives', (how, change) => {
  it('fails with an error and without effect', async () => {
    const world = `held-${how}`;
    const start = await worldAtStart(world);
    const calls = writingCalls(world, start).map((call) => ({ ...call, held: new HeldBody(call.body) }));
    expect(calls.length).toBeGreaterThan(30);
    const answers = calls.map(({ method, path, held }) => harness.control(method, path, held.stream, world));
    await Promise.all(calls.map(({ held }) => held.asked));
    expect([200, 204]).toContain((await change(world, start)).status);
    for (const { held } of calls) held.release();
    const shown = (await Promise.all(answers)).map(({ status, body }) => `${status} ${body?.code}`);
    expect(shown.map((each, index) => `${calls[index]!.operationId}: ${each}`)).toEqual(
      calls.map(({ operationId }) => `${operationId}: 409 WORLD_REPLACED`),
    );
    expect(await stateOf(world)).toEqual(start);
    expect(await snapshotsOf(world)).toEqual(['start']);
  });

  it('fails immediately if it waits for a status or a message', async () => {
    const world = `waiting-${how}`;
    const start = await worldAtStart(world);
    const { accountId } = fixtureIds(harness, world);
    const waits = [`/accounts/${accountId}/await?status=CLOSED&timeoutMs=60000`, '/inbox/some/await?count=1&timeoutMs=60000'];
    const answers = waits.map((path) => harness.control('GET', path, undefined, world));
    for (let turns = 0; turns < 20; turns += 1) await nextTurn();
    await change(world, start);
    const shown = (await Promise.all(answers)).map(({ status, body }) => `${status} ${body.code}`);
    expect(shown).toEqual(waits.map(() => '409 WORLD_REPLACED'));
  });
});

describe('a world that is replaced at any time during a request', () => {
  it('has exactly the new state afterwards', async () => {
    const rounds = inLength(30, 1000);
    const chance = fractions(7);
    const draw = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)]!;
    const world = 'raced';
    const start = await worldAtStart(world);
    for (let round = 0; round < rounds; round += 1) {
      const { operationId, method, path, body } = draw(
        writingCalls(world, start).filter(
          // The first two change the initial state of the world; the third waits for a listener.
          (call) => !['deleteWorld', 'putWorld', 'postToListener'].includes(call.operationId),
        ),
      );
      const how = draw(Object.keys(changes) as (keyof typeof changes)[]);
      const answer = harness.control(method, path, body, world);
      for (let turns = Math.floor(chance() * 8); turns > 0; turns -= 1) await (chance() < 0.5 ? nextTurn() : undefined);
      await changes[how](world, start);
      const { status } = await answer;
      await harness.quiet(world);
      expect(await stateOf(world), `${operationId}, ${how}, round ${round}`).toEqual(start);
      const isKept = operationId === 'createSnapshot' && status === 201 && how !== 'deleted';
      for (const name of await snapshotsOf(world)) {
        if (name === 'start') continue;
        expect(isKept, `snapshot ${name} in round ${round}`).toBe(true);
        await harness.control('DELETE', `/snapshots/${name}`, undefined, world);
      }
      if (!(await snapshotsOf(world)).includes('start')) await harness.control('POST', '/snapshots', { name: 'start' }, world);
    }
  });
});
