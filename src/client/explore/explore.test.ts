import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  ExplorationError,
  startSandbox,
  type Exploration,
  type ExploreOptions,
  type OwnedWorld,
  type RunningSandbox,
} from '../../index.js';
import { PayingClient, type Flaw } from '../../testing/explored-clients.js';
import { root } from '../../testing/root.js';
import { inLength } from '../../testing/long-run.js';
import { temporaryDirectory } from '../../testing/process.js';
import { Player } from '../../server/replay/player.js';
import { readReplay } from '../../server/replay/read-file.js';
import type { EventType, InlineScenario, Replay } from '../types.js';
import { textOf } from './text.js';

let sandbox: RunningSandbox;
beforeAll(async () => void (sandbox = await startSandbox()), 60_000);
afterAll(() => sandbox.close());

/** Creates a world, and a client that listens to the webhooks of the world. */
async function scene(flaw: Flaw | null, laterMs: number | null = null) {
  const world = await sandbox.createWorld({ clock: { mode: 'FROZEN' } });
  const client = await new PayingClient(sandbox, world, flaw, laterMs).open();
  const events: EventType[] = flaw === 'ignoresUnknown' ? ['OPERATION_COMPLETED'] : ['OPERATION_REQUESTED', 'OPERATION_COMPLETED'];
  await world.listen(client.fetch, { events });
  const explore = (options: ExploreOptions<string> = {}) =>
    world.explore(({ ref }) => client.pay('150.00', ref), { throws: false, patience: 200, ...options });
  return { world, client, explore };
}

const hooks = (client: PayingClient) => ({ observe: (id: string) => client.rows(id), recover: () => client.sync() });
const kindsOf = ({ failures }: Exploration) =>
  failures.map(({ deviations }) => deviations.map(({ kind, at }) => `${kind}${at === 'end' || at === 'together' ? `(${at})` : ''}`));
const triedOf = ({ tried }: Exploration) => tried.singles[0]! + tried.pairs[0]! + tried.triples;

// Explorations mostly wait for webhooks: several worlds are explored at the same time.
describe.concurrent('the exploration of a correct client', () => {
  it('finds no failure in its schedules of one and two deviations', { timeout: 60_000 }, async () => {
    const [schedules, least] = inLength([20, 17], [60, 30]);
    const { client, explore } = await scene(null);
    const result = await explore({ ...hooks(client), budget: { schedules, seconds: 50 } });
    expect(result).toMatchObject({ verdict: 'PASSED', failures: [], notOccurred: [], unstable: [] });
    expect(result.tried.singles).toEqual([17, 17]);
    expect(triedOf(result)).toBeGreaterThan(least);
  });

  // One payment has only 469 schedules of up to three deviations, and in most of them one deviation prevents another.
  it.each(inLength([1], [1, 2, 3]))(
    'finds no failure in the schedules of two payments with seed %i',
    { timeout: 600_000 },
    async (seed) => {
      const { world, client } = await scene(null);
      const [schedules, least] = inLength([12, 8], [1800, 667]);
      const result = await world.explore(
        async ({ ref }) => [await client.pay('150.00', `${ref}/1`), await client.pay('20.00', `${ref}/2`)],
        {
          observe: (ids) => ids.map((id) => client.rows(id)),
          recover: () => client.sync(),
          throws: false,
          patience: 200,
          seed,
          deviations: 3,
          budget: { schedules, seconds: 500 },
        },
      );
      expect(result).toMatchObject({ verdict: 'PASSED', failures: [], unstable: [] });
      expect(triedOf(result)).toBeGreaterThanOrEqual(least);
    },
  );

  it(
    'finds no failure without hooks if the client responds to webhooks at once and processes them 300 ms later',
    { timeout: 120_000 },
    async () => {
      const schedules = inLength(3, 100);
      const { explore } = await scene(null, 300);
      const began = performance.now();
      const result = await explore({ patience: 2000, budget: { schedules, seconds: 60 } });
      expect(result).toMatchObject({ verdict: 'PASSED', failures: [] });
      expect(result.baseline.writes).toContain('createWithdrawal#2');
      expect(performance.now() - began).toBeLessThan(60_000);
    },
  );
});

describe.concurrent('the exploration of a broken client', () => {
  const cases: [flaw: Flaw, deviations: number, kinds: string[][], path: string, shard?: readonly [number, number]][] = [
    ['blindOverwrite', 1, [['late']], '[0].status'],
    ['noDeduplication', 1, [['twice']], '[0].repeated'],
    ['ignoresUnknown', 1, [['early']], '[0].status'],
    ['checkThenInsert', 1, [['overlap']], '[1]'],
    ['newKeyAfterLoss', 1, [['lostResponse']], 'money.BRL'],
    ['neverReads', 1, [['lost']], '[0].status'],
    // The search among all pairs takes long: the short form tries only the part with the pair that breaks the client.
    ['blindAfterLoss', 2, [['late', 'lostResponse']], '[0].status', inLength([63, 108], [1, 1])],
  ];
  /** Flaws that the same deviations as above find. */
  const similar: typeof cases = [
    ['checkThenRemember', 1, [['twice(together)']], '[0].repeated'],
    ['staleResponse', 1, [['early']], '[0].status'],
    ['reappliesDuplicates', 1, [['twice(end)']], '[0].status'],
  ];

  it.each(inLength(cases, [...cases, ...similar]))(
    'finds the flaw %s, and reduces the schedule to the fewest deviations',
    { timeout: 120_000 },
    async (flaw, deviations, kinds, path, shard = [1, 1]) => {
      const { client, explore } = await scene(flaw);
      const result = await explore({ ...hooks(client), deviations, patience: 120, shard });
      expect(kindsOf(result)).toEqual(kinds);
      expect(result.verdict).toBe('FAILED');
      const [failure] = result.failures;
      expect(failure!.stability).toEqual({ kind: 'STABLE', runs: [3, 3] });
      expect(failure!.differences.map((each) => each.path)).toContain(path);
      expect(failure!.point).toBe(flaw === 'neverReads' ? 'AFTER_RECOVERY' : 'AFTER_DELIVERY');
    },
  );

  it('shows how much money moved twice, even without hooks', { timeout: 60_000 }, async () => {
    const { explore } = await scene('newKeyAfterLoss');
    const { failures } = await explore({ deviations: 1 });
    expect(failures).toMatchObject([
      {
        deviations: [{ kind: 'lostResponse', subject: 'createWithdrawal#1' }],
        effects: [{ operationId: 'createWithdrawal', expected: 1, found: 2 }],
        money: [{ asset: 'BRL', expected: '-150.00', found: '-300.00' }],
      },
    ]);
  });

  const seeds = inLength([], [5]);
  it.each(seeds)(
    'finds a failure that needs two deviations among three, and reports only these, with seed %i',
    { timeout: 120_000 },
    async (seed) => {
      const { client, explore } = await scene('blindAfterLoss');
      const { failures } = await explore({ ...hooks(client), deviations: 3, seed });
      expect(failures.map(({ deviations }) => deviations.length)).toEqual([2]);
    },
  );

  it('has identical schedules and text for identical seeds, except ids', { timeout: 60_000 }, async () => {
    const texts = await Promise.all(
      [1, 2].map(async () => {
        const { client, explore } = await scene('blindOverwrite');
        const result = await explore({ ...hooks(client), budget: { schedules: inLength(8, 20) } });
        return textOf(result).replaceAll(/[0-9a-f-]{36}/g, '<id>');
      }),
    );
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toContain('OPERATION_REQUESTED arrives after OPERATION_COMPLETED');
    expect(texts[0]).toContain('after delivery  [0].status: expected COMPLETED, found REQUESTED');
    expect(texts[0]).toContain(inLength('tried 8 of 17 singles', 'tried 17 of 17 singles and'));
  });

  it('tries each schedule in exactly one of its parts', { timeout: 60_000 }, async () => {
    const run = async (shard: readonly [number, number]) => {
      const { client, explore } = await scene('blindOverwrite');
      return explore({ ...hooks(client), deviations: 1, budget: { schedules: 6 }, shard });
    };
    const [whole, first, second] = await Promise.all([run([1, 1]), run([1, 2]), run([2, 2])]);
    expect(first.tried.singles[0]! + second.tried.singles[0]!).toBe(whole.tried.singles[0]);
    expect([first, second].map(({ tried }) => tried.singles[1])).toEqual([whole.tried.singles[1], whole.tried.singles[1]]);
    expect([first, second].flatMap(kindsOf)).toEqual(expect.arrayContaining(kindsOf(whole)));
  });

  it('finds a client by its records alone if only late events make them wrong', { timeout: 60_000 }, async () => {
    const recordsOf = (client: PayingClient) => (id: string) => ({ operations: client.rows(id).map(({ status }) => ({ id, status })) });
    const wrong = await scene('blindOverwrite');
    const options = { deviations: 1, budget: { schedules: 3 } };
    const result = await wrong.explore({ reconcile: recordsOf(wrong.client), ...options });
    expect(kindsOf(result)).toEqual([['late']]);
    expect(result.failures[0]!.differences.map(({ path }) => path)).toEqual([expect.stringMatching(/^reconciliation/)]);
    const right = await scene(null);
    const passed = await right.explore({ reconcile: recordsOf(right.client), ...options });
    expect(passed).toMatchObject({ verdict: 'PASSED', failures: [] });
  });

  it('saves a scenario that breaks the client in an ordinary test', { timeout: 60_000 }, async () => {
    const directory = temporaryDirectory();
    const { client, explore } = await scene('blindOverwrite');
    let replay: Replay | null = null;
    const save = (scenario: InlineScenario, recorded: Replay | null) => {
      replay = recorded;
      const file = join(directory, `${scenario.scenario}.yaml`);
      writeFileSync(file, stringify(scenario));
      return file;
    };
    const { failures } = await explore({ ...hooks(client), budget: { schedules: 1 }, save });
    expect(failures[0]!.savedAs).toBe(join(directory, 'late-operation-requested-after-operation-completed.yaml'));
    const player = await Player.start(readReplay(Buffer.from(JSON.stringify(replay)), 'explored.replay.json'));
    try {
      expect(await player.check()).toBeNull();
    } finally {
      await player.close();
    }
    const other = await startSandbox({ scenariosDir: directory });
    try {
      const world = await other.createWorld({ clock: { mode: 'FROZEN' }, scenario: 'late-operation-requested-after-operation-completed' });
      const again = await new PayingClient(other, world, 'blindOverwrite').open();
      await world.listen(again.fetch);
      const id = await again.pay('150.00', 'ordinary');
      await world.settle();
      expect(again.rows(id)).toMatchObject([{ status: 'REQUESTED' }]);
      expect((await world.operation(id).get()).currentState.status).toBe('COMPLETED');
    } finally {
      await other.close();
    }
  });

  it.each([
    { failing: [3, 4], runs: [2, 3] as const, saved: 4 },
    { failing: [3, 5], runs: [2, 3] as const, saved: 5 },
    { failing: [3], runs: [1, 3] as const, saved: null },
  ])('saves the replay of a run that failed if runs $failing fail', { timeout: 60_000 }, async ({ failing, runs, saved }) => {
    const { explore } = await scene(null);
    const numberOf = (ref: string) => Number(ref.slice(ref.lastIndexOf('-') + 1));
    const replays: (number | null)[] = [];
    const { failures } = await explore({
      observe: (_id, { ref }) => (failing.includes(numberOf(ref)) ? 'wrong' : 'right'),
      save: (_scenario, replay) => {
        replays.push(replay && numberOf(replay.test.name!));
        return 'saved';
      },
      budget: { schedules: 1 },
    });
    expect(failures).toMatchObject([{ stability: { kind: 'RACY', runs }, savedAs: 'saved' }]);
    expect(replays).toEqual([saved]);
  });

  it('throws an error with its text and result, and stores the result', { timeout: 60_000 }, async () => {
    const { world, client, explore } = await scene('blindOverwrite');
    const thrown = await explore({ ...hooks(client), budget: { schedules: 1 }, throws: true }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ExplorationError);
    const { message, result } = thrown as ExplorationError;
    expect(message).toContain('how      your endpoint could not be reached once');
    expect(await world.exploration()).toEqual(result);
    expect((await world.scenario.get()).name).toBe('default');
  });
});

describe('an exploration', () => {
  it('tries no schedule if the state of the client differs between runs, and names the differing path', { timeout: 60_000 }, async () => {
    const { explore } = await scene(null);
    const observe = () => ({ payment: { luck: Math.random() }, other: 1 });
    const result = await explore({ observe });
    expect(result).toMatchObject({ verdict: 'UNSTABLE', tried: { singles: [0, 0] }, unstable: [{ path: 'payment.luck' }] });
    expect(textOf(result)).toContain('payment.luck differs');
    expect((await explore({ observe, ignore: ['payment.luck'], budget: { schedules: 1 } })).verdict).toBe('PASSED');
  });

  it('tries a third journey if the first two differ, and begins if the third agrees with one of them', { timeout: 60_000 }, async () => {
    const { explore } = await scene(null);
    const refs: string[] = [];
    const observe = (_id: unknown, { ref }: { ref: string }) => {
      if (!refs.includes(ref)) refs.push(ref);
      return { luck: refs.indexOf(ref) === 0 ? 'first' : 'later' };
    };
    expect(await explore({ observe, budget: { schedules: 1 } })).toMatchObject({
      verdict: 'PASSED',
      tried: { singles: [1, expect.any(Number)] },
    });
    expect(refs).toHaveLength(4);
  });

  it('has nothing to explore if the journey sends no request', { timeout: 60_000 }, async () => {
    const world = await sandbox.createWorld({});
    expect(await world.explore(() => 1, { throws: false, patience: 40 })).toMatchObject({ verdict: 'NOTHING_TO_EXPLORE' });
  });

  it('is inconclusive if the client accepts no webhook in the journey without deviations', { timeout: 60_000 }, async () => {
    const world = await sandbox.createWorld({ clock: { mode: 'FROZEN' } });
    const client = await new PayingClient(sandbox, world).open();
    const options = { throws: false, patience: 100, deviations: 1, budget: { schedules: 1 } } as const;
    const result = await world.explore(({ ref }) => client.pay('150.00', ref), { ...options, recover: () => client.sync() });
    expect(result).toMatchObject({ verdict: 'INCONCLUSIVE', failures: [], baseline: { events: [] } });
    expect(textOf(result)).toContain('the client accepted no webhook');
  });

  it('rejects a journey that fails without deviations', { timeout: 60_000 }, async () => {
    const world = await sandbox.createWorld({});
    const exploring = world.explore(() => Promise.reject(new Error('no money')), { patience: 40 });
    await expect(exploring).rejects.toMatchObject({ code: 'JOURNEY_FAILED', message: expect.stringContaining('threw no money') });
  });

  it.each<[ExploreOptions, string]>([
    [{ budget: { schedules: 0 } }, 'budget.schedules'],
    [{ budget: { seconds: -1 } }, 'budget.seconds'],
    [{ deviations: 4 }, 'deviations'],
    [{ seed: 1.5 }, 'seed'],
    [{ shard: [3, 2] }, 'shard'],
    [{ patience: 0 }, 'patience'],
  ])('rejects the option %j', async (options, name) => {
    const exploring = sandbox.world('default').explore(() => 1, options);
    await expect(exploring).rejects.toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining(name) });
  });

  it('ends with the failures so far when it is interrupted, and restores the scenario', { timeout: 60_000 }, async () => {
    const { world, client, explore } = await scene('blindOverwrite');
    const leaving = new AbortController();
    const onProgress = ({ failures }: { failures: number }) => {
      if (failures > 0) leaving.abort(new Error('enough'));
    };
    const result = await explore({ ...hooks(client), signal: leaving.signal, onProgress });
    expect(result).toMatchObject({ verdict: 'FAILED', ended: 'INTERRUPTED' });
    expect((await world.scenario.get()).name).toBe('default');
    expect(await world.faults()).toEqual([]);
  });

  it('reports a schedule for which the journey fails', { timeout: 60_000 }, async () => {
    const { world, client } = await scene(null);
    let calls = 0;
    const journey = async (ref: string): Promise<string> => {
      const id = await client.pay('150.00', ref);
      calls += 1;
      await world.settle();
      if (client.rows(id)[0]!.status !== 'COMPLETED') throw new Error(`payment ${id} is not completed`);
      return id;
    };
    const result = await world.explore(({ ref }) => journey(ref), {
      throws: false,
      patience: 200,
      deviations: 1,
      recover: () => client.sync(),
    });
    expect(calls).toBeGreaterThan(17);
    expect(kindsOf(result)).toEqual([['lost']]);
    expect(result.failures[0]!.differences).toContainEqual({
      path: 'journey',
      expected: 'returned',
      found: 'threw payment <operation 1> is not completed',
    });
  });
});

/** Explores a journey that creates two payments. */
async function twoPayments(world: OwnedWorld, client: PayingClient) {
  return world.explore(async ({ ref }) => [await client.pay('150.00', `${ref}-a`), await client.pay('75.00', `${ref}-b`)], {
    throws: false,
    patience: 200,
    deviations: 1,
    budget: { schedules: inLength(10, 200) },
    observe: (ids) => ids.map((id) => client.rows(id)),
    recover: () => client.sync(),
  });
}

describe('a journey with two payments', () => {
  it('is tried with a delay of each payment, and with deviations of each numbered event', { timeout: 120_000 }, async () => {
    const { world, client } = await scene(null);
    const result = await twoPayments(world, client);
    expect(result).toMatchObject({ verdict: 'PASSED', notOccurred: [] });
    const names = result.baseline.deviations.map(({ kind, subject }) => `${kind} ${subject}`);
    expect(names).toEqual(expect.arrayContaining(['slow operation#1', 'slow operation#2', 'lost OPERATION_COMPLETED#2']));
    expect(parse(stringify(result.baseline)).events).toHaveLength(4);
  });
});

/** The application of the recipe for vitest. */
interface Payouts {
  readonly outcomes: ReadonlyMap<string, { readonly status: string }>;
  pay(beneficiary: unknown, amount: string): Promise<{ readonly id: string }>;
  receive(webhook: { headers: Record<string, string>; body: string }): boolean;
  refresh(id: string): Promise<void>;
}

describe('the application of the recipe for vitest', () => {
  const seeds = inLength([1], [1, 2, 3]);

  it.each(seeds)('ends in the same state in any order of events, with seed %i', { timeout: 600_000 }, async (seed) => {
    const recipe = (await import(join(root, 'docs/recipes/vitest/payouts.js'))) as { createPayouts(env: object): Payouts };
    const world = await sandbox.createWorld({ clock: { mode: 'FROZEN' } });
    const payouts = recipe.createPayouts(await world.env());
    const beneficiary = await world.beneficiaries({ filters: 'status[eq]=APPROVED' }).first();
    await world.listen(async (request) => {
      const isGenuine = payouts.receive({ headers: Object.fromEntries(request.headers), body: await request.text() });
      return new Response(null, { status: isGenuine ? 204 : 401 });
    });
    const result = await world.explore(async () => (await payouts.pay(beneficiary, '150.00')).id, {
      observe: (id) => payouts.outcomes.get(id)?.status,
      recover: (id) => payouts.refresh(id),
      budget: { schedules: inLength(12, 670), seconds: 500 },
      deviations: inLength(2, 3),
      seed,
      patience: 200,
    });
    expect(result).toMatchObject({ verdict: 'PASSED', failures: [], notOccurred: [] });
  });
});
