import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdraw } from '../../testing/withdrawals.js';
import { inLength } from '../../testing/long-run.js';

const harness = useHarness({ allowedHosts: ['pay.example.com', '.team.example'] });

describe('the clock', () => {
  it('does not advance while frozen', async () => {
    const world = await harness.world('frozen');
    const { id } = await withdraw(harness, world);
    harness.realMs += 3_600_000;
    expect((await harness.api('GET', `/api/operations/${id}`, {}, world)).body.currentState.status).toBe('REQUESTED');
    expect((await harness.control('GET', '/clock', undefined, world)).body).toEqual({
      now: '2026-11-21T12:00:00.000Z',
      mode: 'FROZEN',
      pendingTimers: 1,
      nextTimerAt: '2026-11-21T12:00:01.000Z',
    });
  });

  it('runs with real time if it is not frozen, and fires due timers before each read', async () => {
    const world = await harness.world('running', { clock: { mode: 'RUNNING', now: '2030-01-01T00:00:00Z' } });
    const { id } = await withdraw(harness, world);
    harness.realMs += 60_000;
    const { body } = await harness.api('GET', `/api/operations/${id}`, {}, world);
    expect(body.states.map((each: { createdAt: string }) => each.createdAt)).toEqual([
      '2030-01-01T00:00:00.000Z',
      '2030-01-01T00:00:01.000Z',
      '2030-01-01T00:00:03.000Z',
    ]);
  });

  it('advances only after all webhooks of each point in time were attempted', async () => {
    const world = await harness.world('webhooks');
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
    const { id } = await withdraw(harness, world);
    await harness.quiet(world);
    const seen: string[] = [];
    harness.receive = async () => {
      await nextTurn();
      // The receiver sends requests during its webhook. The responses show the time of the event, and the operation at that time.
      const { body } = await harness.api('GET', `/api/operations/${id}`, {}, world);
      seen.push(`${body.currentState.status} ${(await harness.control('GET', '/clock', undefined, world)).body.now}`);
      return { httpStatus: 204, error: null };
    };
    const { body } = await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
    harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
    expect(seen).toEqual(['COMPLETED 2026-11-21T12:00:03.000Z']);
    expect(body).toMatchObject({
      now: '2026-11-21T12:01:00.000Z',
      idle: true,
      fired: [
        { at: '2026-11-21T12:00:01.000Z', kind: 'STEP', resource: 'OPERATION', id, from: 'REQUESTED', to: 'PROCESSING' },
        { at: '2026-11-21T12:00:03.000Z', kind: 'STEP', resource: 'OPERATION', id, from: 'PROCESSING', to: 'COMPLETED' },
      ],
      deliveries: [{ eventType: 'OPERATION_COMPLETED', httpStatus: 204, attempt: 1 }],
    });
  });

  it.skipIf(inLength(true, false))('reports the first ten thousand fired timers, and the number of all others', async () => {
    const steps = Array.from({ length: 100 }, (_each, index) => ({ after: '1s', to: index % 2 === 0 ? 'PROCESSING' : 'ON_HOLD' }));
    const world = await harness.world('long-course');
    await harness.control('PUT', '/scenario', { inline: { rules: [{ on: 'OPERATION', steps }] } }, world);
    const { accountIds } = fixtureIds(harness, world);
    const [sourceAccountId, targetAccountId] = accountIds;
    const body = { sourceAccountId, targetAccountId, amount: { value: '1.00', asset: 'BRL' } };
    for (let count = 0; count < 102; count += 1) await harness.api('POST', '/api/operations/transfer', { body }, world);
    const { body: advanced } = await harness.control('POST', '/clock/advance', { by: '1h' }, world);
    expect([advanced.fired.length, advanced.omitted, advanced.idle]).toEqual([10_000, 200, true]);
  });

  it('rejects a second advance while one is in progress', async () => {
    const world = await harness.world('twice');
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
    await withdraw(harness, world);
    await harness.quiet(world);
    let second: string | undefined;
    harness.receive = async () => {
      second = (await harness.control('POST', '/clock/advance', { by: 'PT1S' }, world)).body.code;
      return { httpStatus: 200, error: null };
    };
    expect((await harness.control('POST', '/clock/advance', { untilIdle: true }, world)).body.now).toBe('2026-11-21T12:00:03.000Z');
    harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
    expect(second).toBe('ADVANCE_IN_PROGRESS');
  });

  it('fires three retries of a failed delivery at intervals of five seconds of world time', async () => {
    const world = await harness.world('retries');
    const { body: subscription } = await harness.api(
      'POST',
      '/api/subscriptions',
      { body: { url: 'http://localhost:9000/', includeAll: true, allowRetry: true } },
      world,
    );
    harness.receive = () => Promise.resolve({ httpStatus: 500, error: null });
    await withdraw(harness, world);
    await harness.quiet(world);
    const { body } = await harness.control('POST', '/clock/advance', { by: 'PT16S' }, world);
    harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
    expect(
      body.fired.filter((each: { kind: string }) => each.kind === 'RETRY').map((each: { at: string }) => each.at.slice(17, 19)),
    ).toEqual(['05', '08', '10', '13', '15']);
    const logs = await harness.api(
      'GET',
      `/api/subscriptions/${subscription.id}/executionLogs?sortOrder=ASCENDING&filters=eventType[eq]=OPERATION_REQUESTED`,
      {},
      world,
    );
    expect(
      logs.body.data.map((each: { retryAttempts: number; createdAt: string; status: string }) => [
        each.retryAttempts,
        each.createdAt.slice(17, 19),
        each.status,
      ]),
    ).toEqual([
      [0, '00', 'FAILED'],
      [1, '05', 'FAILED'],
      [2, '10', 'FAILED'],
      [3, '15', 'FAILED'],
    ]);
    expect(new Set(logs.body.data.map((each: { messageId: string }) => each.messageId)).size).toBe(1);
  });

  it('advances to a timestamp, and never back', async () => {
    const world = await harness.world('instants');
    const gone = await harness.control('PUT', '/clock', { mode: 'FROZEN', now: '2027-01-01T00:00:00Z' }, world);
    expect(gone.body.now).toBe('2027-01-01T00:00:00.000Z');
    const back = await harness.control('PUT', '/clock', { mode: 'RUNNING', now: '2026-01-01T00:00:00Z' }, world);
    expect([back.status, back.body.code]).toEqual([422, 'INVALID_STATUS_CHANGE']);
    expect(back.body.message).toContain('it is at 2027-01-01T00:00:00.000Z; the request asked for 2026-01-01T00:00:00.000Z');
    for (const [body, field] of [
      [{}, 'body:by'],
      [{ by: 'PT1S', untilIdle: true }, 'body:untilIdle'],
      [{ by: 'soon' }, 'body:by'],
      [{ to: '2027-01-01T00:00:00+01:00' }, 'body:to'],
      [{ to: '1969-12-31T23:59:59.999Z' }, 'body:to'],
    ] as const) {
      const answer = await harness.control('POST', '/clock/advance', body, world);
      expect([answer.status, answer.body.details.errors[0].field]).toEqual([400, field]);
    }
  });
});

describe('forcing a status', () => {
  it('with `hold` stops the scheduled steps until `resume`', async () => {
    const world = await harness.world('plan');
    const { id } = await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { by: 'PT1S' }, world);
    await harness.control('POST', `/operations/${id}/hold`, undefined, world);
    await harness.control('POST', '/clock/advance', { by: 'PT1H' }, world);
    const held = await harness.api('GET', `/api/operations/${id}`, { headers: { authorization: '' } }, world);
    expect(held.status).toBe(401);
    await harness.control('POST', `/operations/${id}/resume`, undefined, world);
    const { body } = await harness.control('POST', '/clock/advance', { by: 'PT2S' }, world);
    expect(body.fired).toMatchObject([{ id, from: 'PROCESSING', to: 'COMPLETED' }]);
  });

  it('with `next` runs the next scheduled step immediately', async () => {
    const world = await harness.world('next');
    const { id } = await withdraw(harness, world);
    const seen = [];
    for (let step = 0; step < 2; step += 1)
      seen.push((await harness.control('POST', `/operations/${id}/next`, undefined, world)).body.currentState.status);
    expect(seen).toEqual(['PROCESSING', 'COMPLETED']);
    const none = await harness.control('POST', `/operations/${id}/next`, undefined, world);
    expect([none.status, none.body.code]).toEqual([422, 'INVALID_STATUS_CHANGE']);
    expect(none.body.message).toBe(`Operation ${id} is COMPLETED; none of its scheduled steps can run now.`);
  });

  it('causes the same webhooks and ledger entries as a scenario step', async () => {
    const results = [];
    for (const forced of [false, true]) {
      const world = await harness.world('same-way');
      harness.attempts.length = 0;
      await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
      const { id } = await withdraw(harness, world);
      if (forced) {
        await harness.control('POST', '/clock/advance', { by: 'PT1S' }, world);
        await harness.control('POST', `/operations/${id}/process`, undefined, world);
        await harness.control('POST', '/clock/advance', { by: '1999ms' }, world);
        await harness.control('POST', '/clock/advance', { by: '1ms' }, world);
      } else await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
      await harness.quiet(world);
      const { state } = harness.sandbox.world(world);
      results.push({
        webhooks: harness.attempts.map((each) => each.body),
        entries: [...state.ledgerEntries.values()].map((each) => each.postings),
      });
      await harness.control('DELETE', `/worlds/${world}`);
      harness.forget(world);
    }
    expect(results[1]).toEqual(results[0]);
  });

  it.each([
    ['approve', 'APPROVED'],
    ['reject', 'REJECTED'],
  ])('with `%s` ends the review of a payment instruction, but only once', async (verb, status) => {
    const world = await harness.world(`instruction-${verb}`);
    const { pending } = fixtureIds(harness, world);
    const path = `/payment-instructions/${pending.paymentInstructions[0]!.id}/${verb}`;
    const forced = await harness.control('POST', path, undefined, world);
    expect([forced.status, forced.body.status]).toEqual([200, status]);
    expect((await harness.api('GET', `/api/beneficiaries/${pending.id}`, {}, world)).body.status).toBe(status);
    const again = await harness.control('POST', path, undefined, world);
    expect([again.status, again.body.code, again.body.details.possible]).toEqual([422, 'INVALID_STATUS_CHANGE', []]);
    expect((await harness.control('POST', `/payment-instructions/${randomUUID()}/${verb}`, undefined, world)).status).toBe(404);
  });
});

describe('worlds', () => {
  it('keep their credentials and tokens when they are reset to their initial state', async () => {
    const world = await harness.world('reset');
    const fresh = JSON.stringify(Object.entries(harness.sandbox.world(world).state).map(([name, rows]) => [name, [...rows]]));
    const { id } = await withdraw(harness, world);
    await harness.control('PUT', '/scenario', { name: 'manual' }, world);
    await harness.control('POST', '/clock/advance', { by: 'PT10M' }, world);
    expect((await harness.control('POST', '/reset', undefined, world)).status).toBe(200);
    expect(JSON.stringify(Object.entries(harness.sandbox.world(world).state).map(([name, rows]) => [name, [...rows]]))).toBe(fresh);
    expect((await harness.api('GET', `/api/operations/${id}`, {}, world)).status).toBe(404);
  });

  it.each(['/snapshots', '/faults', '/scenarios'])('list all items of %s on one page', async (path) => {
    const world = await harness.world(`listed-${path.slice(1)}`);
    await harness.control('POST', '/snapshots', { name: 'one' }, world);
    await harness.control('POST', '/faults', { on: 'REQUEST', effect: { delay: '1s' } }, world);
    const { data, meta } = (await harness.control('GET', path, undefined, world)).body;
    expect(data).not.toEqual([]);
    expect(meta).toEqual({ previousCursor: null, nextCursor: null, total: data.length });
  });

  it('are listed page by page, ordered by name', async () => {
    for (const name of ['page-c', 'page-a', 'page-b']) await harness.world(name);
    const names: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const { data, meta }: { data: { name: string }[]; meta: { nextCursor: string | null; total: number } } = (
        await harness.control('GET', `/worlds?limit=2&cursor=${cursor}`)
      ).body;
      expect(meta.total).toBe(data.length);
      expect(data.length).toBeLessThan(3);
      names.push(...data.map(({ name }) => name));
      cursor = meta.nextCursor;
    }
    expect(names).toEqual([...harness.sandbox.worlds.keys()].toSorted());
    expect(pages).toBe(Math.ceil(names.length / 2));
    const refused = await harness.control('GET', '/worlds?cursor=bm90aGluZw');
    expect([refused.status, refused.body.details.errors[0].field]).toEqual([400, 'query:cursor']);
    expect((await harness.control('GET', '/worlds?limit=101')).status).toBe(400);
  });

  it('have unique names, and the default world cannot be deleted', async () => {
    await harness.world('taken');
    const again = await harness.control('POST', '/worlds', { name: 'taken' });
    expect([again.status, again.body.code]).toEqual([409, 'RESOURCE_ALREADY_EXISTS']);
    for (const [body, field] of [
      [{ name: 'No Good' }, 'body:name'],
      [{ ttl: '0s' }, 'body:ttl'],
      [{ clock: { mode: 'FROZEN', now: '1969-12-31T23:59:59Z' } }, 'body:clock.now'],
    ] as const) {
      const refused = await harness.control('POST', '/worlds', body);
      expect([refused.status, refused.body.details.errors?.[0].field]).toEqual([400, field]);
    }
    expect((await harness.control('DELETE', '/worlds/default')).status).toBe(422);
    expect((await harness.control('GET', '/clock', undefined, 'nowhere')).status).toBe(404);
    const unnamed = await harness.control('POST', '/worlds', {});
    expect(unnamed.status).toBe(201);
    expect((await harness.control('GET', '/worlds?limit=100')).body.data.map((each: { name: string }) => each.name)).toContain(
      unnamed.body.name,
    );
  });
});

describe('the protection against foreign pages', () => {
  const call = async (headers: Record<string, string>) => {
    const { status, body } = await harness.control('GET', '/clock', undefined, 'default', headers);
    return status === 200 ? '200' : `${status} ${body.code}`;
  };
  it.each([
    'localhost',
    'app.localhost:4010',
    '127.0.0.1:4010',
    '[::1]:4010',
    '[::ffff:127.0.0.1]',
    'sandbox:4010',
    'host.docker.internal',
    'host.testcontainers.internal:4010',
    'host.containers.internal',
    'payments.default.svc',
    'payments.default.svc.cluster.local.',
    'printer.LAN',
    'app.test',
    'pay.example.com',
    'one.team.example',
  ])('accepts the host %s', async (host) => {
    expect(await call({ host })).toBe('200');
  });
  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    'a b',
    '',
    '1.2.3.4.5',
    '256.256.256.256',
    'user@localhost',
    'internal.example',
    'evilteam.example',
    'pay.example.com.evil.example',
  ])('rejects the host "%s"', async (host) => {
    expect(await call({ host })).toBe('403 HOST_NOT_ALLOWED');
  });
  it('explains how to allow a host', async () => {
    const { body } = await harness.control('GET', '/clock', undefined, 'default', { host: 'sandbox.payments.example:4010' });
    expect(body.message).toContain('SANDBOX_ALLOWED_HOSTS=sandbox.payments.example,');
  });
  it('accepts requests of a page only if the page belongs to the sandbox', async () => {
    for (const origin of ['http://localhost:4010', 'https://localhost:4010'])
      expect(await call({ host: 'localhost:4010', origin })).toBe('200');
    for (const origin of ['http://evil.example', 'http://localhost:3000', 'https://localhost', 'null']) {
      expect(await call({ host: 'localhost:4010', origin })).toBe('403 ORIGIN_NOT_ALLOWED');
    }
  });
  it('requires JSON for writes', async () => {
    const { status, body } = await harness.control('POST', '/clock/advance', { by: 'PT1S' }, 'default', { 'content-type': 'text/plain' });
    expect([status, body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});

describe('a request that clients may expect of the control API', () => {
  it.each([
    ['/operations/1', 404, 'GET /api/operations/1, or GET /_sandbox/operations?filters=id[eq]=1, shows it.'],
    ['/quotes/1', 404, 'GET /_sandbox/quotes?filters=id[eq]=1 shows it.'],
    ['/inbox/orders', 405, 'GET /_sandbox/inbox/orders/messages lists the received messages.'],
  ])('is rejected, and the error names the equivalent request: GET %s', async (path, status, instead) => {
    const answer = await harness.control('GET', path);
    expect([answer.status, answer.body.details.instead]).toEqual([status, instead]);
    expect(answer.body.message).toContain(instead);
  });
});
