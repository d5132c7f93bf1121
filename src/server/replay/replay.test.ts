import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxReplayBytes } from '../../contract/control/analysis/replay-limits.js';
import { ReplaySchema, type Replay } from '../../contract/control/analysis/replay.js';
import { useHarness } from '../../testing/harness.js';
import { inLength } from '../../testing/long-run.js';
import { fixtureIds, pixBeneficiary, withdraw } from '../../testing/withdrawals.js';
import { changedBody, Player } from './player.js';
import { readReplay, ReplayFileError } from './read-file.js';

const harness = useHarness();
const runs = inLength(4, 100);
let worlds = 0;

async function replayOf(world: string): Promise<Replay> {
  const { status, body } = await harness.control('GET', '/replay', undefined, world);
  expect(status).toBe(200);
  return ReplaySchema.parse(JSON.parse(JSON.stringify(body)));
}

/** Replays a file after compressing it, as another process would read it. @returns the first difference */
async function checked(file: Replay) {
  const player = await Player.start(readReplay(gzipSync(JSON.stringify(file)), 'test.replay.json'));
  try {
    return await player.check();
  } finally {
    await player.close();
  }
}

/** Actions of a client or tester, which run at random times. */
const deeds: Readonly<Record<string, (world: string, chance: number) => Promise<unknown>>> = {
  withdrawal: (world, chance) => withdraw(harness, world, ['1.00', '2.12', '3.17', '4.00'][chance % 4]),
  'two withdrawals at once': (world) => Promise.all([withdraw(harness, world, '1.00'), withdraw(harness, world, '2.12')]),
  'two quotes at once': (world) => {
    const { accountId } = fixtureIds(harness, world);
    const quote = (sourceAmount: string) =>
      harness.api('POST', '/api/quotes', { body: { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount } }, world);
    return Promise.all([quote('1.00'), quote('2.00')]);
  },
  'wrong quote': (world, chance) => harness.api('POST', '/api/quotes', { body: { sourceAmount: chance } }, world),
  'same key twice': async (world, chance) => {
    const key = `5a1e9c02-7d44-4f0b-9b1a-${String(chance).padStart(12, '0')}`;
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary(), key }, world);
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary(), key }, world);
  },
  subscription: (world, chance) =>
    harness.api(
      'POST',
      '/api/subscriptions',
      { body: { url: `http://localhost:${9000 + (chance % 9)}/`, includeAll: true, allowRetry: chance % 2 === 0 } },
      world,
    ),
  inbox: (world) =>
    harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:4010/_sandbox/inbox/in', includeAll: true } }, world),
  list: (world) => harness.api('GET', '/api/accounts?limit=5', {}, world),
  'wrong token': (world) => harness.api('GET', '/api/subscriptions', { headers: { authorization: 'Bearer nonsense' } }, world),
  'new token': async (world) => {
    harness.forget(world);
    await harness.token(world);
  },
  advance: (world, chance) => harness.control('POST', '/clock/advance', { by: `${1 + (chance % 90)}s` }, world),
  'running clock': (world) => harness.control('PUT', '/clock', { mode: 'RUNNING' }, world),
  'frozen clock': (world) => harness.control('PUT', '/clock', { mode: 'FROZEN' }, world),
  'time passes': (_world, chance) => Promise.resolve((harness.realMs += chance % 20_000)),
  'request fault': (world, chance) =>
    harness.control(
      'POST',
      '/faults',
      { on: 'REQUEST', times: 1, phase: chance % 2 ? 'before' : 'after_commit', effect: { status: 503 } },
      world,
    ),
  'broken response': (world) =>
    harness.control('POST', '/faults', { on: 'REQUEST', times: 1, effect: { truncate: true }, phase: 'after_commit' }, world),
  'delivery fault': (world, chance) => {
    const effects = [
      { delay: '3s' },
      { duplicate: 2 },
      { reorder: true },
      { drop: true },
      { until: 'end' },
      { overlap: true },
      { again: { until: 'end' } },
    ];
    return harness.control('POST', '/faults', { on: 'DELIVERY', times: 2, effect: effects[chance % effects.length] }, world);
  },
  scenario: (world, chance) => harness.control('PUT', '/scenario', { name: ['instant', 'default', 'webhook-chaos'][chance % 3] }, world),
  settings: (world) => harness.control('PUT', '/settings', { retry: { retries: 2, interval: '7s' } }, world),
  approval: (world) => harness.control('POST', `/beneficiaries/${fixtureIds(harness, world).pending.id}/approve`, undefined, world),
  event: (world) => harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, world),
  quiet: (world) => harness.quiet(world),
};

const names = Object.keys(deeds);

async function randomRun(steps: readonly (readonly [number, number])[], how: Record<string, unknown>): Promise<Replay> {
  const world = `red-${(worlds += 1)}`;
  const answer = await harness.control('POST', '/worlds', { name: world, ...how });
  expect(answer.status).toBe(201);
  harness.receive = ({ body }) => Promise.resolve({ httpStatus: body.length % 3 === 0 ? 500 : 200, error: null });
  for (const [deed, chance] of steps) await deeds[names[deed % names.length]!]!(world, chance).catch(() => undefined);
  await harness.quiet(world);
  return replayOf(world);
}

const plan = fc.array(fc.tuple(fc.nat(1000), fc.nat(100_000)), { minLength: 5, maxLength: 30 });
const how = fc.record({
  seed: fc.constantFrom('sandbox', 'other'),
  clock: fc.constantFrom({ mode: 'FROZEN', now: '2026-11-21T12:00:00Z' }, { mode: 'FROZEN' }, { mode: 'RUNNING' }),
});

describe('a replay', () => {
  it('repeats random runs without a difference', async () => {
    await fc.assert(
      fc.asyncProperty(plan, how, async (steps, world) => {
        const file = await randomRun(steps, world);
        expect(file.complete).toBe(true);
        expect(await checked(file)).toBeNull();
      }),
      { numRuns: runs, endOnFailure: true, ...(process.env['LONG_RUNS'] === undefined ? { seed: 37 } : {}) },
    );
  }, 600_000);
});

describe('a replay of a world whose clock runs', () => {
  it.each(['challenge', 'certification'])(
    'repeats the times at which each request stored its changes, in the scenario %s',
    async (scenario) => {
      const deed = (name: string, chance = 0) => [names.indexOf(name), chance] as const;
      harness.tickMs = 1;
      const run = [
        deed('subscription', 1),
        ...Array.from({ length: 3 }, () => deed('withdrawal')),
        deed('advance', 20),
        deed('withdrawal'),
      ];
      const file = await randomRun(run, { scenario, clock: { mode: 'RUNNING' } }).finally(() => (harness.tickMs = 0));
      expect(file.steps.some((step) => step.kind === 'CALL' && step.instants !== undefined)).toBe(true);
      expect(await checked(file)).toBeNull();
    },
  );
});

describe('a replay file', () => {
  it('in which one byte of a body was changed causes a difference that names the step', async () => {
    const file = await randomRun(
      [
        [names.indexOf('subscription'), 1],
        [names.indexOf('withdrawal'), 0],
      ],
      {},
    );
    const step = file.steps.findIndex((each) => each.kind === 'CALL' && each.operationId === 'createQuote');
    const text = JSON.stringify(file).replace('\\"sourceAmount\\":\\"1', '\\"sourceAmount\\":\\"7');
    const changed = JSON.parse(text) as Replay;
    expect(changedBody(file)).toBeNull();
    expect(await checked(changed)).toMatchObject({ step: step + 1, field: 'body' });
  });

  it('in which a response was changed causes a difference that names the step and the field', async () => {
    const file = await randomRun(
      [
        [names.indexOf('withdrawal'), 0],
        [names.indexOf('list'), 0],
      ],
      {},
    );
    const step = file.steps.findIndex((each) => each.kind === 'CALL' && each.operationId === 'createQuote');
    (file.steps[step] as { response: { status: number } }).response.status = 409;
    expect(await checked(file)).toMatchObject({ step: step + 1, field: 'response.status', recorded: 409, now: 201 });
  });

  it('is rejected if it has a newer format or is damaged; the error names the version or the position', async () => {
    const file = await randomRun([[names.indexOf('withdrawal'), 0]], {});
    const read = (data: unknown) => readReplay(Buffer.from(JSON.stringify(data)), 'a.json');
    expect(() => read({ ...file, replay: 2, madeBy: { ...file.madeBy, version: '9.9.9' } })).toThrow(
      /format 2 from crossborder-sandbox 9\.9\.9/,
    );
    expect(() => read({ ...file, steps: [{ ...file.steps[0], method: 3 }] })).toThrow(/step 1\.method/);
    expect(() => readReplay(Buffer.from(JSON.stringify(file).slice(0, 500)), 'a.json')).toThrow(ReplayFileError);
    expect(() => readReplay(gzipSync(JSON.stringify(file)).subarray(0, 90), 'a.json')).toThrow(/cannot be read/);
  });

  it('contains no secrets of its world', async () => {
    const world = await harness.world('secretive');
    const { clientSecret } = harness.sandbox.world(world).identity;
    await harness.api(
      'POST',
      '/api/subscriptions',
      { body: { url: `https://hooks.example.com/${clientSecret}?token=open-sesame`, includeAll: true } },
      world,
    );
    harness.receive = () => Promise.resolve({ httpStatus: 200, error: null, answer: { location: null, body: Buffer.from(clientSecret) } });
    await harness.token(world);
    await withdraw(harness, world, '1.00');
    await harness.control('POST', '/snapshots', { name: 'then' }, world);
    await harness.control('POST', '/snapshots/then/restore', undefined, world);
    await harness.quiet(world);
    const text = JSON.stringify(await replayOf(world));
    expect(text).not.toContain(clientSecret);
    expect(text).not.toContain('open-sesame');
    expect(text).not.toContain(await harness.token(world));
  });

  const ordinary = inLength(50, 500);
  it(`of ${ordinary} ordinary requests is complete; a longer file is cut off, and can be replayed up to the cut`, async () => {
    const world = await harness.world('busy');
    for (let count = 0; count < ordinary / 2; count += 1) await withdraw(harness, world, '1.00');
    const file = await replayOf(world);
    expect(file.steps.length).toBeGreaterThanOrEqual(ordinary);
    expect(file.complete).toBe(true);
    expect(JSON.stringify(file).length).toBeLessThan(maxReplayBytes);
    const body = { ...pixBeneficiary(), nickname: 'x'.repeat(200_000) };
    for (let count = 0; count < 12; count += 1) await harness.api('POST', '/api/beneficiaries', { body }, world);
    const cut = await replayOf(world);
    expect(cut).toMatchObject({ complete: false, cutFrom: cut.steps.length + 1 });
    expect(JSON.stringify(cut).length).toBeLessThan(maxReplayBytes);
    expect(await checked(cut)).toBeNull();
  }, 60_000);

  it('of a test that starts in a used world begins with the state of the world', async () => {
    const world = await harness.world('middle');
    await withdraw(harness, world, '1.00');
    await harness.control('PUT', '/test', { name: 'pays out' }, world);
    await withdraw(harness, world, '2.12');
    await harness.control('POST', '/clock/advance', { by: '90s' }, world);
    const file = await replayOf(world);
    expect(file).toMatchObject({ complete: true, test: { name: 'pays out' }, world: { base: { state: expect.any(String) as string } } });
    expect(await checked(file)).toBeNull();
    const other = await harness.control('GET', '/replay?test=another', undefined, world);
    expect(other).toMatchObject({ status: 404, body: { message: expect.stringContaining('pays out') as string } });
  });
});
