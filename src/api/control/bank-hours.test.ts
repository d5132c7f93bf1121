import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { operationIn } from '../../testing/money.js';
import { withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();

const control = (world: string, method: string, path: string, body?: unknown) => harness.control(method, path, body, world);

/** Creates a world whose scenario has these rules, and `default` as its parent. */
async function worldWith(name: string, rules: readonly object[], now = '2026-11-21T12:00:00Z') {
  const world = await harness.world(name, { clock: { mode: 'FROZEN', now }, seed: 'bank' });
  const { status } = await control(world, 'PUT', '/scenario', { inline: { extends: 'default', rules } });
  expect(status).toBe(200);
  return world;
}

/** Requests a withdrawal in a world and advances the clock. @returns the statuses of the withdrawal with their times */
async function timesOf(world: string, advance: string) {
  const { id } = await withdraw(harness, world);
  await control(world, 'POST', '/clock/advance', { by: advance });
  harness.forget(world); // The token may have expired.
  const { states } = await operationIn(harness, world, id);
  return { id, states: states.map(({ status, createdAt }: Record<string, string>) => `${status} ${createdAt}`) as string[] };
}

const onOperations = (steps: readonly object[]) => [{ name: 'own', on: 'OPERATION', steps }];

const ted = [
  { after: { businessDays: 0, calendar: 'BR', cutoff: '17:00' }, to: 'PROCESSING' },
  { after: '10m', to: 'COMPLETED' },
];

describe('business days in scenario steps', () => {
  it('delay a step after the cut-off to the next business day, and skip holidays', async () => {
    // 30 October 2026 is a Friday; Monday is a holiday in Brazil.
    const early = await timesOf(await worldWith('friday-1659', onOperations(ted), '2026-10-30T19:59:00Z'), 'PT1H');
    expect(early.states.slice(1)).toEqual(['PROCESSING 2026-10-30T19:59:00.000Z', 'COMPLETED 2026-10-30T20:09:00.000Z']);
    const late = await timesOf(await worldWith('friday-1701', onOperations(ted), '2026-10-30T20:01:00Z'), 'P5D');
    expect(late.states.slice(1)).toEqual(['PROCESSING 2026-11-03T12:00:00.000Z', 'COMPLETED 2026-11-03T12:10:00.000Z']);
  });

  it('accept a range of days, a custom calendar, a time zone and an additional delay, and give one time for one seed', async () => {
    const after = {
      businessDays: { min: 1, max: 3 },
      calendar: { holidays: ['2026-11-24'] },
      zone: 'Asia/Tokyo',
      opens: '10:30',
      plus: { min: '1m', max: '30m' },
    };
    const run = async () =>
      timesOf(await worldWith('own-calendar', onOperations([{ after, to: 'PROCESSING' }]), '2026-11-20T12:00:00Z'), 'P10D');
    const first = await run();
    const at = Date.parse(first.states[1]!.split(' ')[1]!);
    const opened = [23, 25, 26].map((day) => Date.UTC(2026, 10, day, 1, 30));
    expect(opened.some((each) => at >= each + 60_000 && at <= each + 30 * 60_000)).toBe(true);
    await control('own-calendar', 'DELETE', '/worlds/own-calendar');
    harness.forget('own-calendar');
    expect((await run()).states).toEqual(first.states);
  });

  it('are shown by `why`, with a note for years that the calendar does not cover', async () => {
    const steps = [{ after: { businessDays: 2, calendar: 'BR' }, to: 'PROCESSING' }];
    const world = await worldWith('year-2040', onOperations(steps), '2040-01-02T12:00:00Z');
    const { id } = await timesOf(world, 'PT1S');
    const { plan, notes } = (await control(world, 'GET', `/why/${id}`)).body;
    expect(notes).toContain('Calendar BR covers 2024 to 2035; outside of these years only weekends count.');
    expect(plan.steps[0].after).toEqual({ businessDays: 2, calendar: 'BR' });
  });

  it.each([
    ['an unknown calendar', { businessDays: 1, calendar: 'FR' }, /BR.*TARGET/],
    ['a custom calendar without a time zone', { businessDays: 1, calendar: { holidays: [] } }, /time zone/],
    ['an unknown time zone', { businessDays: 1, calendar: 'BR', zone: 'America/Brasilia' }, /IANA time zone/],
    ['a time that does not exist', { businessDays: 1, calendar: 'BR', cutoff: '25:00' }, /17:00/],
    ['a range that ends before it begins', { min: '5s', max: '1s' }, /not shorter than min/],
    ['a day that does not exist', { businessDays: 1, calendar: { holidays: ['2026-02-30'] }, zone: 'Asia/Tokyo' }, /a day that exists/],
  ])('are rejected with an error that names the expected value: %s', async (_name, after, expected) => {
    const rules = [{ name: 'own', on: 'OPERATION', steps: [{ after, to: 'PROCESSING' }] }];
    const { status, body } = await control('default', 'PUT', '/scenario', { inline: { extends: 'default', rules } });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(expected);
  });
});

describe('the scenario bank-hours', () => {
  it('completes a PIX withdrawal within seconds on a Sunday, always at the same times for the same seed', async () => {
    const run = async () => {
      const world = await harness.world('sunday', {
        clock: { mode: 'FROZEN', now: '2026-11-22T03:00:00Z' },
        seed: 'bank',
        scenario: 'bank-hours',
      });
      const { states } = await timesOf(world, 'PT10S');
      await control(world, 'DELETE', '/worlds/sunday');
      harness.forget('sunday');
      return states;
    };
    const first = await run();
    expect(first.at(-1)).toMatch(/^COMPLETED 2026-11-22T03:00:0/);
    expect(await run()).toEqual(first);
  });
});

describe('a limit of requests', () => {
  it('rejects further requests until the time in Retry-After, and counts the rejections as hits of the rule', async () => {
    const world = await harness.world('limited', { scenario: 'rate-limited' });
    const statuses: number[] = [];
    for (let count = 0; count < 53; count += 1) statuses.push((await harness.api('GET', '/api/accounts', {}, world)).status);
    expect(statuses.slice(0, 49)).toEqual(Array.from({ length: 49 }, () => 200)); // The token was the first request.
    const refused = await harness.api('GET', '/api/accounts', {}, world);
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe('RATE_LIMIT_EXCEEDED');
    expect(refused.headers.get('retry-after')).toBe('1');
    const { rules } = (await control(world, 'GET', '/scenario')).body;
    const limit = rules.find(({ name }: Record<string, unknown>) => name === 'limit of requests');
    expect(limit).toMatchObject({ matches: 55, hits: statuses.filter((each) => each === 429).length + 1 });
    harness.realMs += 1000;
    expect((await harness.api('GET', '/api/accounts', {}, world)).status).toBe(200);
  });

  it('can count the requests of each operation separately', async () => {
    const rule = { name: 'each', on: 'REQUEST', effect: { limit: { calls: 1, per: '1m', by: 'operation' } } };
    const world = await worldWith('limited-each', [rule]);
    const get = async (path: string) => (await harness.api('GET', path, {}, world)).status;
    expect([await get('/api/accounts'), await get('/api/accounts'), await get('/api/subscriptions')]).toEqual([200, 429, 200]);
    const refused = await harness.api('GET', '/api/accounts', {}, world);
    expect(refused.headers.get('retry-after')).toBe('60');
  });
});

describe('the scenario eventual-consistency', () => {
  it('hides a new resource for one second, and in lists for two seconds', async () => {
    const world = await harness.world('eventual', { scenario: 'eventual-consistency' });
    const url = 'https://hooks.example.com/b';
    const made = await harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true } }, world);
    expect(made.status).toBe(201);
    const look = async () => {
      const one = await harness.api('GET', `/api/subscriptions/${made.body.id}`, {}, world);
      const list = await harness.api('GET', '/api/subscriptions', {}, world);
      return [one.status, list.body.data.some(({ id }: { id: string }) => id === made.body.id)];
    };
    expect(await look()).toEqual([404, false]);
    await control(world, 'POST', '/clock/advance', { by: 'PT1S' });
    expect(await look()).toEqual([200, false]);
    await control(world, 'POST', '/clock/advance', { by: 'PT1S' });
    expect(await look()).toEqual([200, true]);
  });
});

it('an inline scenario is rejected with the expected value if a rule compares an age with a value that is not a duration', async () => {
  const rules = [{ name: 'own', on: 'REQUEST', when: { 'resource.age': { lt: 'soon' } }, effect: { status: 404 } }];
  const { status, body } = await control('default', 'PUT', '/scenario', { inline: { extends: 'default', rules } });
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('a duration, for example')]);
});
