import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();
const guarded = useHarness({ controlToken: 'a-control-token' });
/** Headers that replace the default world name by none. */
const unnamed = { 'x-sandbox-world': '' };

describe('a control request', () => {
  it('uses the world of its access token, even if the token has expired; without a token, the default world', async () => {
    const world = await harness.world('by-token');
    const authorization = `Bearer ${await harness.token(world)}`;
    const scenarioOf = async (headers: Record<string, string>) =>
      (await harness.control('GET', '/scenario', undefined, '', headers)).body.name;
    await harness.control('PUT', '/scenario', { name: 'manual' }, world);
    expect(await scenarioOf({ ...unnamed, authorization })).toBe('manual');
    await harness.control('POST', '/clock/advance', { by: '2d' }, world);
    expect((await harness.api('GET', '/api/accounts', { headers: { authorization } })).body.code).toBe('EXPIRED_ACCESS_TOKEN');
    expect(await scenarioOf({ ...unnamed, authorization })).toBe('manual');
    expect(await scenarioOf(unnamed)).toBe('default');
  });

  it.each([
    ['an invalid token', 'Bearer foreign'],
    ['Basic credentials', 'Basic c2FuZGJveDpzZWNyZXQ='],
  ])('with %s is rejected, and does not use the default world', async (_what, authorization) => {
    const refused = await harness.control('POST', '/reset', { unknown: true }, '', { ...unnamed, authorization });
    expect(refused).toMatchObject({ status: 401, body: { code: 'INVALID_ACCESS_TOKEN' } });
  });

  it('with the token of a deleted world is rejected', async () => {
    const world = await harness.world('gone');
    const authorization = `Bearer ${await harness.token(world)}`;
    await harness.control('DELETE', '/worlds/gone');
    expect(await harness.control('GET', '/clock', undefined, '', { ...unnamed, authorization })).toMatchObject({ status: 401 });
  });

  it.each([
    ['header and query', 'one', '?world=two', null],
    ['header and token', 'one', '', 'two'],
    ['query and token', '', '?world=one', 'two'],
  ])('whose %s name different worlds is rejected', async (_what, header, query, tokenWorld) => {
    for (const name of ['one', 'two']) if (!harness.sandbox.worlds.has(name)) await harness.world(name);
    const headers = { 'x-sandbox-world': header, ...(tokenWorld ? { authorization: `Bearer ${await harness.token(tokenWorld)}` } : {}) };
    const { status, body } = await harness.control('GET', `/clock${query}`, undefined, '', headers);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'INVALID_DATA', details: { errors: [{ params: { worlds: ['one', 'two'] } }] } },
    });
    expect(body.message).toMatch(/one in .*two in /);
  });

  it.each(['/clock?world=default&world=elsewhere', '/clock?world=default&world=default', '/inbox/some/messages?world=default&world='])(
    'to %s, with a repeated query parameter world, is rejected',
    async (path) => {
      const { status, body } = await harness.control('GET', path, undefined, '', unnamed);
      expect({ status, errors: body.details.errors }).toMatchObject({
        status: 400,
        errors: [{ code: 'INVALID_TYPE', field: 'query:world' }],
      });
    },
  );

  it('can name one world in header, query and token', async () => {
    const world = await harness.world('agreed');
    const authorization = `Bearer ${await harness.token(world)}`;
    expect((await harness.control('GET', '/clock?world=agreed', undefined, world, { authorization })).status).toBe(200);
  });

  it('must have the control token in Authorization if the operator has set one; access tokens are rejected', async () => {
    const authorization = 'Bearer a-control-token';
    expect((await guarded.control('GET', '/clock', undefined, 'default', { authorization })).status).toBe(200);
    const publicToken = `Bearer ${await guarded.token()}`;
    const refused = await guarded.control('GET', '/clock', undefined, 'default', { authorization: publicToken });
    expect(refused).toMatchObject({ status: 401, body: { code: 'CONTROL_TOKEN_REQUIRED' } });
  });

  it('for an unknown world fails, and the error suggests the most similar name', async () => {
    await harness.world('ci-worker-1');
    const { status, body } = await harness.control('GET', '/clock', undefined, 'ci-wroker-1');
    expect({ status, body }).toMatchObject({ status: 404, body: { details: { resource: 'World', nearest: 'ci-worker-1' } } });
    expect(body.message).toBe('There is no world with name ci-wroker-1. Did you mean "ci-worker-1"?');
  });
});

describe('a 404 of the control API', () => {
  it('names the searched world, and a different world that has the id', async () => {
    const [here, there] = [await harness.world('here'), await harness.world('there', { seed: 'another' })];
    const { id } = await withdraw(harness, there);
    const { body } = await harness.control('POST', `/operations/${id}/fail`, {}, here);
    expect(body).toEqual({
      code: 'RESOURCE_NOT_FOUND',
      message: `There is no operation with id ${id} in world here. World there has it: send that name in the header X-Sandbox-World.`,
      details: {
        resource: 'Operation',
        parameters: { id },
        world: 'here',
        foundIn: ['there'],
        help: '/docs/guides/errors#RESOURCE_NOT_FOUND',
      },
    });
  });

  it.each([
    ['no world contains', '0b6f4a3e-5d0c-4d7e-9a51-6d2f8a4c1e77'],
    ['has a name instead of an id', 'before'],
  ])('for a resource that %s names only the searched world', async (_what, id) => {
    const world = await harness.world(`alone-${id.slice(0, 2)}`);
    const path = id === 'before' ? `/snapshots/${id}/restore` : `/operations/${id}/fail`;
    const { status, body } = await harness.control('POST', path, undefined, world);
    expect({ status, body }).toMatchObject({ status: 404, body: { details: { world } } });
    expect(body.message).toMatch(new RegExp(` in world ${world}\\.$`));
    expect(body.details).not.toHaveProperty('foundIn');
  });

  it('names a different world if a beneficiary of that world has the payment instruction', async () => {
    const [here, there] = [await harness.world('holds-none'), await harness.world('holds-one', { seed: 'another' })];
    const [beneficiary] = harness.sandbox.world(there).state.beneficiaries.values();
    const { id } = beneficiary!.paymentInstructions[0]!;
    const { body } = await harness.control('POST', `/payment-instructions/${id}/approve`, {}, here);
    expect(body.details.foundIn).toEqual(['holds-one']);
  });
});

describe('unknown fields of a control body', () => {
  const places = () => {
    const [accountId = ''] = harness.sandbox.world('default').state.accounts.keys();
    return harness.routes
      .filter(({ path, method, rawBody }) => path.startsWith('/_sandbox/') && method !== 'get' && !rawBody)
      .map(({ method, path, operationId }) => ({
        operationId,
        method: method.toUpperCase(),
        path: path
          .slice('/_sandbox'.length)
          .replace(/\{\w+Id\}/, accountId)
          .replace('{asset}', 'BRL')
          .replace(/\{\w+Name\}/, 'some'),
      }));
  };

  it('are rejected by every operation', async () => {
    const taken: string[] = [];
    for (const { operationId, method, path } of places()) {
      const body = operationId === 'putInboxResponses' ? [{ status: 500, elephant: 1 }] : { elephant: 1 };
      const { status, body: answer } = await harness.control(method, path, body);
      const codes = (answer?.details?.errors ?? []).map(({ code }: { code: string }) => code) as string[];
      // `createFault` rejects the missing kind of fault first, because the kind determines the fields.
      if (status !== 400 || !(codes.includes('UNKNOWN_FIELD') || operationId === 'createFault')) taken.push(operationId);
    }
    expect(taken).toEqual([]);
    expect(places().length).toBeGreaterThan(40);
  });

  it.each<[string, string, unknown, string, string | undefined]>([
    ['POST', '/worlds', { nam: 'x' }, 'body:nam', 'name'],
    ['POST', '/worlds', { clock: { mode: 'FROZEN', at: 1 } }, 'body:clock.at', undefined],
    ['PUT', '/clock', { mode: 'FROZEN', mod: 1 }, 'body:mod', 'mode'],
    ['PUT', '/settings', { quote_ttl: '1s' }, 'body:quote_ttl', 'quoteTtl'],
    ['POST', '/faults', { on: 'REQUEST', effect: { stauts: 503 } }, 'body:effect.stauts', 'status'],
    ['PUT', '/scenario', { inline: { rulse: [] } }, 'body:inline.rulse', 'rules'],
    ['POST', '/reset', { world: 'x' }, 'body:world', undefined],
    ['POST', '/operations/0b6f4a3e-5d0c-4d7e-9a51-6d2f8a4c1e77/fail', { reson: {} }, 'body:reson', 'reason'],
  ])('are reported with the most similar name, before any lookup: %s %s %j', async (method, path, sent, field, nearest) => {
    const before = harness.sandbox.worlds.size;
    const { status, body } = await harness.control(method, path, sent);
    const params = nearest === undefined ? {} : { nearest };
    expect({ status, errors: body.details.errors }).toMatchObject({ status: 400, errors: [{ code: 'UNKNOWN_FIELD', field, params }] });
    expect(harness.sandbox.worlds.size).toBe(before);
  });
});

describe('PUT of a world', () => {
  const put = (name: string, body: unknown, ifExists: string | null = 'replace') =>
    harness.control('PUT', `/worlds/${name}${ifExists === null ? '' : `?ifExists=${ifExists}`}`, body);

  it('creates the world; a repeated PUT replaces the world, but keeps its credentials and tokens', async () => {
    const made = await put('again', { seed: 'one', scenario: 'manual', clock: { mode: 'FROZEN', now: '2026-11-21T12:00:00Z' } });
    expect(made.status).toBe(201);
    expect((await harness.control('GET', '/worlds/again')).body).toEqual(made.body);
    const { id } = await withdraw(harness, 'again');
    await harness.control('POST', '/snapshots', { name: 'before' }, 'again');

    const remade = await put('again', { seed: 'one', clock: { mode: 'FROZEN', now: '2026-11-21T12:30:00Z' } });
    const clock = { mode: 'FROZEN', now: '2026-11-21T12:30:00.000Z' };
    expect(remade).toMatchObject({ status: 200, body: { ...made.body, scenario: 'default', clock } });
    expect((await harness.api('GET', `/api/operations/${id}`, {}, 'again')).status).toBe(404);
    expect((await harness.control('GET', '/scenario', undefined, 'again')).body.name).toBe('default');
    expect((await harness.control('GET', '/snapshots', undefined, 'again')).body.data).toEqual([]);
    expect((await harness.control('GET', '/clock', undefined, 'again')).body).toMatchObject({
      mode: 'FROZEN',
      now: '2026-11-21T12:30:00.000Z',
    });
  });

  it('without ifExists rejects an existing world, and names both answers to that', async () => {
    await put('guarded', { scenario: 'manual' });
    const { id } = await withdraw(harness, 'guarded');
    const { status, body } = await put('guarded', {}, null);
    expect({ status, body }).toMatchObject({ status: 409, body: { code: 'RESOURCE_ALREADY_EXISTS', details: { name: 'guarded' } } });
    expect(body.message).toMatch(/\?ifExists=keep returns it unchanged; .*\?ifExists=replace creates it again, and its data is lost\.$/);
    expect((await harness.api('GET', `/api/operations/${id}`, {}, 'guarded')).status).toBe(200);
  });

  it('with ifExists=keep creates a world once, and otherwise returns it unchanged', async () => {
    const made = await put('steady', { seed: 'one', ttl: '1h' }, 'keep');
    expect(made).toMatchObject({ status: 201, body: { seed: 'one', ttl: '1h', fixtures: 'default', clock: { mode: 'RUNNING' } } });
    const { id } = await withdraw(harness, 'steady');
    const { body } = await harness.control('GET', '/worlds/steady');
    expect(await put('steady', { seed: 'two', fixtures: 'empty' }, 'keep')).toMatchObject({ status: 200, body });
    expect((await harness.api('GET', `/api/operations/${id}`, {}, 'steady')).status).toBe(200);
  });

  it.each(['keep', 'replace'])(
    'with ifExists=%s succeeds for requests at the same time, one of which creates the world',
    async (ifExists) => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => put(`together-${ifExists}`, {}, ifExists)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 201]);
      expect(new Set(answers.map(({ body }) => body.credentials.clientSecret)).size).toBe(1);
    },
  );

  it('accepts the name of its path in the body, and no other', async () => {
    expect((await put('named', { name: 'named' })).status).toBe(201);
    const { status, body } = await put('named', { name: 'other' });
    expect({ status, errors: body.details.errors }).toMatchObject({
      status: 400,
      errors: [{ field: 'body:name', message: 'name: expected named, the name in the path, or no name; got "other".' }],
    });
    expect(harness.sandbox.worlds.has('other')).toBe(false);
  });

  it('creates a world that equals a world created by POST, except for the credentials', async () => {
    await put('equal', { seed: 'old' });
    const { credentials } = (await put('equal', { seed: 'new' })).body;
    const again = (await harness.control('DELETE', '/worlds/equal')).status;
    const { body } = await harness.control('POST', '/worlds', { name: 'equal', seed: 'new' });
    expect(again).toBe(204);
    expect(body.customerId).toBe((await harness.control('GET', '/worlds/equal')).body.customerId);
    expect(body.credentials.clientSecret).not.toBe(credentials.clientSecret);
  });

  it('defines the state to which later resets return', async () => {
    await put('reset', { scenario: 'manual' });
    await put('reset', { scenario: 'instant', fixtures: 'empty' });
    await harness.control('POST', '/reset', undefined, 'reset');
    expect((await harness.control('GET', '/scenario', undefined, 'reset')).body.name).toBe('instant');
    expect(harness.sandbox.world('reset').state.accounts.size).toBe(0);
  });

  it('works for the default world, which keeps its public credentials', async () => {
    const { status, body } = await put('default', {});
    expect({ status, body }).toMatchObject({ status: 200, body: { credentials: { clientId: 'sandbox', clientSecret: 'sandbox-secret' } } });
  });

  it.each([
    ['an invalid name', 'A_b', {}, 400, 'INVALID_DATA'],
    ['an unknown field', 'fine', { label: 'fine' }, 400, 'INVALID_DATA'],
    ['an unknown scenario', 'fine', { scenario: 'none' }, 404, 'RESOURCE_NOT_FOUND'],
  ])('with %s changes nothing', async (_what, name, body, status, code) => {
    await harness.control('PUT', '/worlds/fine', { scenario: 'manual' });
    expect(await put(name, body)).toMatchObject({ status, body: { code } });
    expect((await harness.control('GET', '/scenario', undefined, 'fine')).body.name).toBe('manual');
  });
});

describe('an inbox without a world in its URL', () => {
  const subscribe = (url: string, world: string) => harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true } }, world);
  const messages = async (name: string, world: string) =>
    (await harness.control('GET', `/inbox/${name}/messages`, undefined, world)).body.data.length as number;
  const fire = (world: string) => harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, world);

  it.each([
    'http://localhost:4010/_sandbox/inbox/mapped',
    'http://sandbox:8080/_sandbox/inbox/mapped',
    'http://host.docker.internal:31000/_sandbox/inbox/mapped',
    'https://sandbox.tests.svc.cluster.local/_sandbox/inbox/mapped',
    'http://10.0.0.7/_sandbox/inbox/mapped',
  ])('receives webhooks of a subscription to %s without a connection, in the world of the subscription', async (url) => {
    const world = await harness.world(`mapped-${harness.sandbox.worlds.size}`);
    expect((await subscribe(url, world)).status).toBe(201);
    await fire(world);
    await harness.quiet(world);
    expect(await messages('mapped', world)).toBe(1);
    expect(harness.attempts).toEqual([]);
  });

  it('receives external POST requests for the world that subscribes; X-Company-Id selects one of several worlds', async () => {
    const [one, two] = [await harness.world('posts-1'), await harness.world('posts-2')];
    const post = (headers = {}) => harness.control('POST', '/inbox/posts', { hello: 1 }, '', { ...unnamed, ...headers });
    await post();
    expect(await messages('posts', 'default')).toBe(1);
    await subscribe('http://sandbox/_sandbox/inbox/posts', one);
    await post();
    expect(await messages('posts', one)).toBe(1);
    await subscribe('http://sandbox/_sandbox/inbox/posts', two);
    await post({ 'x-company-id': harness.sandbox.world(two).identity.companyId });
    expect(await messages('posts', two)).toBe(1);
    await post();
    expect(await messages('posts', 'default')).toBe(2);
    await post({ 'x-sandbox-world': one });
    expect(await messages('posts', one)).toBe(2);
  });
});
