import { describe, expect, it } from 'vitest';
import { mistakeText } from '../../contract/control/scenario-files.js';
import { useHarness } from '../../testing/harness.js';
import { withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();

/** Creates a world with an inline scenario. */
async function worldWith(name: string, inline: Record<string, unknown>, request: Record<string, unknown> = {}): Promise<string> {
  const world = await harness.world(name, request);
  const answer = await harness.control('PUT', '/scenario', { inline }, world);
  expect(answer).toMatchObject({ status: 200 });
  return world;
}

/** Requests withdrawals of these amounts. @returns their failure codes or statuses after one minute */
async function statuses(world: string, amounts: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const amount of amounts) ids.push((await withdraw(harness, world, amount)).id);
  await harness.control('POST', '/clock/advance', { by: '1m' }, world);
  const { state } = harness.sandbox.world(world);
  return ids.map((id) => {
    const { status, reason } = state.operations.get(id)!.states.at(-1)!;
    return reason?.code ?? status;
  });
}

const to = (...path: string[]) => path.map((status) => ({ after: '1s', to: status }));
const fail = (code: string) => [{ after: '1s', to: 'FAILED', reason: { code } }];
const ten = Array.from({ length: 10 }, () => '10.00');
const hitsOf = async (world: string) =>
  Object.fromEntries(
    (await harness.control('GET', '/scenario', undefined, world)).body.rules.map(
      (rule: { name: string; matches: number; hits: number }) => [rule.name, [rule.matches, rule.hits]],
    ),
  );

describe('the rules of a scenario', () => {
  it('are tried in order: rules with conditions before rules without, and own rules before inherited ones', async () => {
    const world = await worldWith('order', {
      extends: 'default',
      rules: [
        { name: 'all', on: 'OPERATION', steps: fail('LIMIT_EXCEEDED') },
        { name: 'large', on: 'OPERATION', when: { 'sourceAmount.value': { gte: '1000.00' } }, steps: to('PROCESSING', 'COMPLETED') },
      ],
    });
    expect(await statuses(world, ['10.00', '1000.00', '10.12', '2000.12'])).toEqual([
      'LIMIT_EXCEEDED',
      'COMPLETED',
      'BENEFICIARY_ACCOUNT_CLOSED', // The parent's rule has a condition, so it comes before the own rule without a condition.
      'COMPLETED',
    ]);
    const hits = await hitsOf(world);
    expect(hits).toMatchObject({ all: [1, 1], large: [2, 2], 'operations settle': [0, 0] });
  });

  it.each([
    ['times', { times: 2 }, ['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED', 'COMPLETED', 'COMPLETED'], [4, 2]],
    ['after', { after: 2 }, ['COMPLETED', 'COMPLETED', 'LIMIT_EXCEEDED', 'LIMIT_EXCEEDED'], [4, 2]],
    ['after and times', { after: 1, times: 1 }, ['COMPLETED', 'LIMIT_EXCEEDED', 'COMPLETED', 'COMPLETED'], [4, 1]],
    ['a probability of zero', { probability: 0 }, ['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED'], [4, 0]],
  ])('apply as often as their limits allow: %s', async (what, limits, expected, counts) => {
    const world = await worldWith(`limits-${what.replaceAll(' ', '-')}`, {
      extends: 'default',
      rules: [{ name: 'limited', on: 'OPERATION', when: { 'sourceAmount.asset': 'BRL' }, ...limits, steps: fail('LIMIT_EXCEEDED') }],
    });
    expect(await statuses(world, ten.slice(0, 4))).toEqual(expected);
    expect((await hitsOf(world))['limited']).toEqual(counts);
  });

  it('use the seed of the world for probabilities', async () => {
    const scenario = {
      extends: 'default',
      rules: [{ on: 'OPERATION', when: { 'sourceAmount.asset': 'BRL' }, probability: 0.5, steps: fail('LIMIT_EXCEEDED') }],
    };
    const run = async (world: string) => (await statuses(world, ten)).join(' ');
    const world = await worldWith('chance', scenario, { seed: 'one' });
    const first = await run(world);
    expect(new Set(first.split(' '))).toEqual(new Set(['COMPLETED', 'LIMIT_EXCEEDED']));
    await harness.control('POST', '/reset', undefined, world);
    await harness.control('PUT', '/scenario', { inline: scenario }, world);
    expect(await run(world)).toBe(first);
    expect(await run(await worldWith('other-chance', scenario, { seed: 'two' }))).not.toBe(first);
  });

  it('end when their `ttl` in world time has passed since the scenario was selected', async () => {
    const rules = [{ name: 'brief', on: 'OPERATION', when: { 'sourceAmount.asset': 'BRL' }, ttl: '90s', steps: fail('LIMIT_EXCEEDED') }];
    const world = await worldWith('ttl', { extends: 'default', rules });
    expect(await statuses(world, ['1.00'])).toEqual(['LIMIT_EXCEEDED']);
    expect(await statuses(world, ['1.00'])).toEqual(['LIMIT_EXCEEDED']);
    expect(await statuses(world, ['1.00'])).toEqual(['COMPLETED']);
    await harness.control('PUT', '/scenario', { inline: { extends: 'default', rules } }, world);
    expect(await statuses(world, ['1.00'])).toEqual(['LIMIT_EXCEEDED']);
  });

  it('are chosen when a resource is created, so that a new scenario affects only new resources', async () => {
    const world = await harness.world('fixed');
    const { id } = await withdraw(harness, world);
    await harness.control('PUT', '/scenario', { name: 'manual' }, world);
    const [later] = await statuses(world, ['1.00']);
    expect(later).toBe('REQUESTED');
    expect(harness.sandbox.world(world).state.operations.get(id)!.states.at(-1)!.status).toBe('COMPLETED');
  });

  it('skip a step that is not allowed when it is due', async () => {
    const world = await worldWith('skips', { rules: [{ on: 'OPERATION', steps: to('ON_HOLD', 'PROCESSING', 'COMPLETED') }] });
    const { id } = await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { by: '1m' }, world);
    const { operations, plans } = harness.sandbox.world(world).state;
    expect(operations.get(id)!.states.map((each) => each.status)).toEqual(['REQUESTED', 'PROCESSING', 'COMPLETED']);
    expect(plans.get(id)!.skipped).toEqual([{ step: 1, at: '2026-11-21T12:00:01.000Z', status: 'REQUESTED' }]);
  });

  it('restart their counts when the scenario is selected', async () => {
    const world = await harness.world('counters');
    await statuses(world, ['1.00']);
    expect((await hitsOf(world))['operations settle']).toEqual([1, 1]);
    await harness.control('PUT', '/scenario', { name: 'default' }, world);
    expect((await hitsOf(world))['operations settle']).toEqual([0, 0]);
  });
});

describe('selecting a scenario', () => {
  it.each([
    ['an unknown name', { name: 'none' }, 404, { resource: 'Scenario', parameters: { name: 'none' } }],
    ['neither a name nor a scenario', {}, 400, { errors: [{ code: 'REQUIRED', field: 'body:name' }] }],
    [
      'both a name and a scenario',
      { name: 'default', inline: { rules: [] } },
      400,
      { errors: [{ code: 'INVALID_FORMAT', field: 'body:inline' }] },
    ],
    ['an unknown parent', { inline: { extends: 'none' } }, 400, { errors: [{ field: 'body:inline.extends' }] }],
    [
      'a step that is never allowed',
      { inline: { rules: [{ on: 'OPERATION', steps: to('REQUESTED') }] } },
      400,
      { errors: [{ field: 'body:inline.rules[0].steps[0].to' }] },
    ],
    [
      'a condition on a field that does not exist',
      { inline: { rules: [{ on: 'OPERATION', when: { nothing: 1 }, steps: [] }] } },
      400,
      { errors: [{ field: 'body:inline.rules[0].when.nothing' }] },
    ],
    [
      'a rule without an effect',
      { inline: { rules: [{ on: 'REQUEST', effect: {} }] } },
      400,
      { errors: [{ field: 'body:inline.rules[0].effect' }] },
    ],
  ])('is rejected for %s', async (_what, body, status, details) => {
    const answer = await harness.control('PUT', '/scenario', body);
    expect(answer.status).toBe(status);
    expect(answer.body.details).toMatchObject(details);
    expect((await harness.control('GET', '/scenario')).body.name).toBe('default');
  });
});

describe('a checked scenario file', () => {
  const check = async (text: string, file?: string) => (await harness.control('POST', '/scenarios/check', { text, file })).body;
  const mine = (rest: string) => `scenario: mine\nsummary: Mine.\n${rest}`;

  it('is reported as valid, with own and inherited rules, and is not loaded', async () => {
    const checked = await check(mine('extends: manual\nrules:\n  - { name: own, on: DOCUMENT, steps: [{ after: 1s, to: APPROVED }] }\n'));
    expect(checked).toMatchObject({ valid: true, errors: [] });
    expect(checked.rules).toContainEqual({ name: 'own', scenario: 'mine', on: 'DOCUMENT' });
    expect(checked.rules.map(({ scenario }: { scenario: string }) => scenario)).toContain('manual');
    expect(await harness.control('PUT', '/scenario', { name: 'mine' })).toMatchObject({ status: 404 });
  });

  it.each([
    [
      'an unknown step',
      mine('rules:\n  - on: DOCUMENT\n    steps: [{ after: 1s, to: APROVED }]\n'),
      'mine.yaml:5:30: ',
      /did you mean "APPROVED"/,
    ],
    ['an unknown field', mine('rule: []\n'), 'mine.yaml:3:1: ', /rules/],
    ['an unknown parent', mine('extends: defualt\nrules: []\n'), 'mine.yaml:3:10: ', /did you mean "default"/],
    [
      'a scenario that extends itself',
      'scenario: mine\nsummary: Mine.\nextends: mine\nrules: []\n',
      'mine.yaml:3:10: ',
      /got the cycle mine -> mine/,
    ],
    ['invalid YAML', 'scenario: [\n', 'mine.yaml:', /./],
    ['an empty file', '', 'mine.yaml:1:1: ', /the file/],
  ])('is reported as invalid for %s, with the position of the error', async (_what, text, place, message) => {
    const { valid, errors: mistakes, rules } = await check(text, 'mine.yaml');
    expect([valid, rules]).toEqual([false, []]);
    const texts = mistakes.map((each: Parameters<typeof mistakeText>[0]) => mistakeText(each)).join('\n');
    expect(texts).toContain(place);
    expect(texts).toMatch(message);
  });

  it('is reported with at most a hundred errors, and can have at most 64 Ki characters', async () => {
    const rules = Array.from({ length: 200 }, () => '  - { on: DOCUMENT, steps: [{ after: 1s, to: X }] }').join('\n');
    expect((await check(mine(`rules:\n${rules}\n`))).errors).toHaveLength(100);
    expect(await check('x'.repeat(65_537))).toMatchObject({ code: 'INVALID_DATA' });
  });
});

describe('a tried scenario', () => {
  const tried = async (text: string, world: string) => (await harness.control('POST', '/scenario/trial', { text }, world)).body;
  const mine = (rules: string) => `scenario: mine\nsummary: Mine.\nrules:\n${rules}`;

  it('names the rule that each past operation would have matched, newest first, and changes nothing', async () => {
    const world = await harness.world('tried');
    const small = await withdraw(harness, world, '10.00');
    const large = await withdraw(harness, world, '20000.00');
    const before = (await harness.control('GET', '/state', undefined, world)).body;
    const text = mine(
      '  - { name: large, on: OPERATION, when: { sourceAmount.value: { gte: 10000 } }, steps: [{ after: 1s, to: PROCESSING }] }\n',
    );
    const { valid, scenario, data } = await tried(text, world);
    expect([valid, scenario]).toEqual([true, 'mine']);
    expect(data.slice(0, 2)).toMatchObject([
      { on: 'OPERATION', id: large.id, rule: 'large', scenario: 'mine', missed: [] },
      {
        on: 'OPERATION',
        id: small.id,
        rule: null,
        scenario: null,
        missed: ['Rule "large" did not match: sourceAmount.value is 10.00, the rule asks for gte 10000.'],
      },
    ]);
    expect(data.map(({ on }: { on: string }) => on).filter((on: string) => on !== 'OPERATION')).toEqual([]);
    expect((await harness.control('GET', '/state', undefined, world)).body).toEqual(before);
  });

  it('is explained with the rules of the active scenario that did not match, if an inherited rule applied', async () => {
    const world = await harness.world('missed');
    const when = { 'intent.type': 'WITHDRAWAL', 'sourceAmount.asset': { in: ['USDT', 'USDC'] } };
    const before = await withdraw(harness, world, '10.00');
    const inline = { extends: 'default', rules: [{ name: 'stablecoins', on: 'OPERATION', when, steps: [] }] };
    await harness.control('POST', '/clock/advance', { by: '1s' }, world);
    expect((await harness.control('PUT', '/scenario', { inline }, world)).status).toBe(200);
    const after = await withdraw(harness, world, '10.00');
    const notesOf = async (id: string) => (await harness.control('GET', `/why/${id}`, undefined, world)).body.notes as string[];
    expect(await notesOf(after.id)).toContain(
      'Rule "stablecoins" did not match: sourceAmount.asset is BRL, the rule asks for in USDT, USDC.',
    );
    expect((await notesOf(before.id)).join()).not.toContain('did not match');
  });

  it('counts `after` and `times` from the oldest trigger, and tries ancestors', async () => {
    const world = await harness.world('tried-counts');
    for (const amount of ['1.00', '2.00', '3.00', '4.00']) await withdraw(harness, world, amount);
    const when = 'when: { intent.type: WITHDRAWAL, sourceAmount.value: { lt: 5 } }';
    const rule = `  - { name: second, on: OPERATION, ${when}, after: 1, times: 1, steps: [{ after: 1s, to: PROCESSING }] }\n`;
    const { data } = await tried(`scenario: mine\nsummary: Mine.\nextends: manual\nrules:\n${rule}`, world);
    const operations = data.filter(({ on }: { on: string }) => on === 'OPERATION').slice(0, 4);
    expect(operations.map(({ rule: name }: { rule: string }) => name)[2]).toBe('second');
    expect(operations.filter(({ scenario }: { scenario: string }) => scenario === 'mine')).toHaveLength(1);
    expect(operations.filter(({ scenario }: { scenario: string }) => scenario === 'manual')).toHaveLength(3);
  });

  it('matches requests by header, phase and age of their resource, and webhooks by event and kind', async () => {
    const world = await harness.world('tried-requests');
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/hooks', includeAll: true } }, world);
    const { id } = await withdraw(harness, world);
    await harness.api('GET', `/api/operations/${id}`, { headers: { 'x-team': 'payments' } }, world);
    await harness.control('POST', '/clock/advance', { by: '1m' }, world);
    await harness.api('GET', `/api/operations/${id}`, {}, world);
    const text = mine(
      [
        '  - { name: new, on: REQUEST, when: { operationId: getOperation, resource.age: { lt: 2s } }, effect: { status: 404 } }',
        '  - { name: old, on: REQUEST, when: { operationId: getOperation }, phase: after_commit, effect: { connectionReset: true } }',
        '  - { name: first, on: DELIVERY, when: { kind: FIRST, eventType: OPERATION_COMPLETED, payload.intent.type: WITHDRAWAL }, effect: { drop: true } }',
        '  - { name: any, on: DELIVERY, when: { attempt: 1, retryAttempts: 0 }, effect: { drop: true } }',
        '',
      ].join('\n'),
    );
    const { valid, errors, data } = await tried(text, world);
    expect([valid, errors]).toEqual([true, []]);
    const rulesOf = (on: string, summary: string) =>
      data
        .filter((each: { on: string; summary: string }) => each.on === on && each.summary.startsWith(summary))
        .map(({ rule }: { rule: string | null }) => rule);
    expect(rulesOf('REQUEST', `GET /api/operations/${id}`)).toEqual(['old', 'new']);
    expect(rulesOf('REQUEST', 'POST /api/operations/withdrawal')).toEqual([null]);
    expect(rulesOf('DELIVERY', 'OPERATION_COMPLETED')).toEqual(['first']);
    expect(rulesOf('DELIVERY', 'OPERATION_REQUESTED')).toEqual(['any']);
  });

  it('leaves out what no rule applies to: rejected tokens, copies of webhooks, unknown events, and commits of rejected requests', async () => {
    const world = await harness.world('tried-rejected', { scenario: 'tomorrow' });
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/hooks', includeAll: true } }, world);
    await harness.control('POST', '/faults', { on: 'DELIVERY', times: 1, effect: { duplicate: 1, unknownEvent: true } }, world);
    await withdraw(harness, world);
    await harness.api('GET', '/api/operations/00000000-0000-4000-8000-000000000000', {}, world);
    const { accessToken } = (await harness.control('POST', '/token', undefined, world)).body;
    await harness.control('POST', '/faults', { on: 'REQUEST', times: 1, effect: { expireToken: true } }, world);
    const authorization = `Bearer ${accessToken}`;
    for (let count = 0; count < 2; count += 1) await harness.api('GET', '/api/accounts', { headers: { authorization } }, world);
    await harness.quiet(world);
    const attempts = (await harness.control('GET', '/requests?kind=ATTEMPT', undefined, world)).body.data;
    expect(attempts.map(({ attemptKind, eventType }: { attemptKind: string; eventType: string }) => `${attemptKind} ${eventType}`)).toEqual(
      expect.arrayContaining(['FIRST OPERATION_REQUESTED', 'DUPLICATE OPERATION_REQUESTED', 'FIRST OPERATION_FUTURE_EVENT']),
    );
    const rules = [
      '  - { name: committed, on: REQUEST, phase: after_commit, effect: { connectionReset: true } }',
      '  - { name: sent, on: DELIVERY, effect: { drop: true } }',
      '',
    ];
    const { data } = await tried(mine(rules.join('\n')), world);
    const rulesOf = (summary: string) =>
      data.filter((each: { summary: string }) => each.summary.startsWith(summary)).map(({ rule }: { rule: string | null }) => rule);
    expect(rulesOf('GET /api/operations/')).toEqual([null]);
    expect(rulesOf('POST /api/operations/withdrawal')).toEqual(['committed']);
    expect(rulesOf('GET /api/accounts').filter((rule: string | null) => rule !== 'committed')).toEqual([null]);
    expect(rulesOf('OPERATION_')).toEqual(['sent']);
  });

  it.each(['PAYMENT_INSTRUCTION', 'DOCUMENT', 'UBO', 'ACCOUNT', 'ASSET'])('can have rules on %s', async (on) => {
    const world = await harness.world(`tried-${on.toLowerCase().replace('_', '-')}`);
    const { valid, data } = await tried(mine(`  - { name: all, on: ${on}, steps: [] }\n`), world);
    expect(valid).toBe(true);
    for (const each of data) expect(each).toMatchObject({ on, rule: 'all' });
    if (on !== 'DOCUMENT') expect(data.length).toBeGreaterThan(0);
  });

  it('looks at no more than 50 triggers of a kind', async () => {
    const world = await harness.world('tried-limit');
    for (let count = 0; count < 60; count += 1) await harness.api('GET', '/api/accounts', {}, world);
    const { data } = await tried(mine('  - { name: all, on: REQUEST, effect: { status: 503 } }\n'), world);
    expect(data).toHaveLength(50);
  });

  it('is not tried if it has errors', async () => {
    const { valid, errors, scenario, data } = await tried(mine('  - { on: OPERATION, steps: [{ after: 1s, to: DONE }] }\n'), 'default');
    expect([valid, scenario, data]).toEqual([false, null, []]);
    expect(errors[0]).toMatchObject({ line: 4, file: 'scenario.yaml' });
  });
});
