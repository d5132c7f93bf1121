import { describe, expect, it } from 'vitest';
import { StreamItemSchema } from '../../contract/control/analysis/stream.js';
import type { ReadEvent } from '../../testing/event-reader.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();
const linesOf = (events: readonly ReadEvent[]) => events.map(({ data: { kind, status, summary } }) => `${kind} ${status}: ${summary}`);
/** Whether an event is the response to the marker request, which ends a test. */
const isMark = ({ data }: ReadEvent) => data.kind === 'CONTROL' && data.summary === 'GET /_sandbox/clock';
const mark = (world: string) => harness.control('GET', '/clock', undefined, world);

async function upToMark(reader: Awaited<ReturnType<typeof harness.events>>, world: string): Promise<ReadEvent[]> {
  await mark(world);
  return (await reader.until(isMark)).slice(0, -1);
}

describe('the event stream', () => {
  it('reports every step of a withdrawal, from request to webhook, with its cause', async () => {
    const world = await harness.world('stream-course', { scenario: 'default' });
    await harness.api(
      'POST',
      '/api/subscriptions',
      { body: { url: 'http://localhost:4010/_sandbox/inbox/orders', resources: [{ name: 'OPERATION' }] } },
      world,
    );
    const reader = await harness.events('/stream', world);
    expect([reader.status, reader.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await reader.next()).toMatchObject({ event: 'ready', data: { seq: 0 } });
    const { id } = await withdraw(harness, world, '10.00');
    await harness.control('POST', '/clock/advance', { by: '1m' }, world);
    const events = await upToMark(reader, world);
    await reader.close();
    for (const [index, { id: eventId, data }] of events.entries()) {
      expect(StreamItemSchema.strict().parse(data).seq).toBe(index + 1);
      expect(eventId).toMatch(new RegExp(`^[A-Za-z0-9_-]{10}\\.${index + 1}$`));
    }
    const ofOperation = events.filter(({ data }) => data.resourceId === id);
    // The position of the request relative to the webhook depends on the storage.
    expect(linesOf(ofOperation)).toContain('REQUEST 201: POST /api/operations/withdrawal');
    expect(
      linesOf(ofOperation.filter(({ data }) => data.kind !== 'REQUEST')).map((each) =>
        each
          .replaceAll(/http\S+/g, 'URL')
          .replace(/due at .*/, 'due')
          .replaceAll(/customer:\S+/g, 'customer'),
      ),
    ).toEqual([
      'STATE REQUESTED: OPERATION REQUESTED',
      'DELIVERY DUE: OPERATION_REQUESTED for URL',
      'JOB 2026-11-21T12:00:01.000Z: step 1 of rule "operations settle": PROCESSING, due',
      'INBOX VALID: inbox orders: OPERATION_REQUESTED',
      'DELIVERY SUCCESS: OPERATION_REQUESTED for URL',
      'ATTEMPT 200: OPERATION_REQUESTED to URL',
      'STATE PROCESSING: OPERATION REQUESTED to PROCESSING',
      expect.stringMatching(/^JOB 2026-11-21T12:00:0.*COMPLETED, due$/),
      'STATE COMPLETED: OPERATION PROCESSING to COMPLETED',
      expect.stringMatching(/^LEDGER null: customer -10.00 BRL, /),
      'DELIVERY DUE: OPERATION_COMPLETED for URL',
      'INBOX VALID: inbox orders: OPERATION_COMPLETED',
      'DELIVERY SUCCESS: OPERATION_COMPLETED for URL',
      'ATTEMPT 200: OPERATION_COMPLETED to URL',
    ]);
    const request = ofOperation.find(({ data }) => data.kind === 'REQUEST');
    const causes = Object.fromEntries(ofOperation.map(({ data }) => [`${data.kind} ${data.status}`, data.causeId]));
    expect(causes).toMatchObject({
      'STATE REQUESTED': request!.data.id,
      'STATE COMPLETED': 'rule:default/operations settle#2',
      'LEDGER null': 'rule:default/operations settle#2',
      'REQUEST 201': null,
    });
    expect(linesOf(events)).toEqual(
      expect.arrayContaining([
        'CLOCK FROZEN: the clock is frozen at 2026-11-21T12:00:01.000Z',
        'RULE HIT: rule "operations settle" of default applied',
      ]),
    );
  });

  it.each<[string, (world: string) => Promise<unknown>, string[]]>([
    [
      'an applied fault',
      async (world) => {
        await harness.control('POST', '/faults', { on: 'REQUEST', when: { operationId: 'listAccounts' }, effect: { status: 503 } }, world);
        await harness.api('GET', '/api/accounts', {}, world);
      },
      [
        'FAULT ARMED: fault on REQUEST: {"status":503}',
        'FAULT HIT: fault ID applied',
        'REQUEST 503: GET /api/accounts (SERVICE_UNAVAILABLE)',
      ],
    ],
    [
      'the selection of a scenario',
      (world) => harness.control('PUT', '/scenario', { name: 'manual' }, world),
      ['SCENARIO null: scenario manual is active'],
    ],
    [
      'a change of the settings',
      (world) => harness.control('PUT', '/settings', { quoteTtl: 'PT1M' }, world),
      ['SCENARIO null: settings were changed'],
    ],
    ['the start of the clock', (world) => harness.control('PUT', '/clock', { mode: 'RUNNING' }, world), ['CLOCK RUNNING: the clock runs']],
    [
      'a snapshot and its restoration',
      async (world) => {
        await harness.control('POST', '/snapshots', { name: 'before' }, world);
        await harness.control('POST', '/snapshots/before/restore', undefined, world);
      },
      ['WORLD SNAPSHOT: snapshot before was taken', 'WORLD RESTORE: world stream-other was restored from a snapshot'],
    ],
    [
      'a finding',
      (world) => harness.api('GET', '/api/accounts?filter=x', {}, world),
      ['FINDING CERTAIN ERROR: request.unknown-parameter: A query had a parameter that the operation does not support'],
    ],
    ['a reset', (world) => harness.control('POST', '/reset', undefined, world), ['WORLD RESET: world stream-other was reset']],
    [
      'a beneficiary and its payment instruction',
      async (world) => {
        const { pending } = fixtureIds(harness, world);
        await harness.control('POST', `/beneficiaries/${pending.id}/approve`, undefined, world);
      },
      ['STATE APPROVED: BENEFICIARY PENDING_REVIEW to APPROVED', 'STATE APPROVED: PAYMENT_INSTRUCTION PENDING_REVIEW to APPROVED'],
    ],
    [
      'an asset',
      async (world) => {
        await harness.control('POST', `/accounts/${fixtureIds(harness, world).accountId}/assets/BRL/freeze`, undefined, world);
      },
      ['STATE FROZEN: ASSET ACTIVE to FROZEN'],
    ],
  ])('reports %s', async (_what, act, expected) => {
    const world = await harness.world('stream-other');
    const reader = await harness.events('/stream', world);
    await reader.next();
    await act(world);
    const lines = linesOf(await upToMark(reader, world)).map((line) => line.replace(/fault [0-9a-f-]{36}/, 'fault ID'));
    await reader.close();
    await harness.control('DELETE', `/worlds/${world}`);
    harness.forget(world);
    expect(lines.filter((line) => expected.includes(line))).toEqual(expected);
  });

  it('can be filtered by kinds and resource, and rejects unknown kinds', async () => {
    const world = await harness.world('stream-filters');
    const [kinds, one] = [
      await harness.events('/stream?kinds=STATE,CONTROL', world),
      await harness.events(`/stream?resourceId=${fixtureIds(harness, world).pending.id}`, world),
    ];
    await withdraw(harness, world);
    await harness.control('POST', `/beneficiaries/${fixtureIds(harness, world).pending.id}/reject`, undefined, world);
    await mark(world);
    expect(new Set((await kinds.until(isMark)).slice(1).map(({ data }) => data.kind))).toEqual(new Set(['STATE', 'CONTROL']));
    expect(linesOf((await one.take(3)).slice(1))).toEqual([
      'STATE REJECTED: BENEFICIARY PENDING_REVIEW to REJECTED (HOLDER_MISMATCH)',
      expect.stringMatching(/^CONTROL 200: POST .*reject$/),
    ]);
    await Promise.all([kinds.close(), one.close()]);
    const refused = await harness.control('GET', '/stream?kinds=STATES', undefined, world);
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/expected one or more of REQUEST, .*; got "STATES"; did you mean "STATE"\?/) },
    });
  });

  it('continues after the event in Last-Event-ID, and reports evicted events as a gap', async () => {
    const world = await harness.world('stream-resume');
    const first = await harness.events('/stream', world);
    for (let count = 0; count < 5; count += 1) await mark(world);
    const events = (await first.take(6)).slice(1); // The request that opened the stream is the first.
    await first.close();
    const resumed = await harness.events('/stream', world, { 'last-event-id': events[2]!.id });
    expect((await resumed.take(3)).map(({ event, data }) => [event, data.seq])).toEqual([
      ['ready', 3],
      ['message', 4],
      ['message', 5],
    ]);
    await resumed.close();
    const stranger = await harness.events('/stream', world, { 'last-event-id': 'other.3' });
    expect((await stranger.take(2)).map(({ event, data }) => [event, data])).toEqual([
      ['gap', { from: null, to: 0 }],
      ['message', expect.objectContaining({ seq: 1 })],
    ]);
    for (let count = 0; count < 2100; count += 1) await mark(world);
    const late = await harness.events('/stream', world, { 'last-event-id': events[0]!.id });
    const [gap, next] = await late.take(3).then((all) => all.slice(1));
    expect(gap).toMatchObject({ event: 'gap', data: { from: 2 } });
    expect(next!.data.seq).toBe(gap!.data.to + 1);
    await Promise.all([stranger.close(), late.close()]);
  });

  it('accepts at most 64 clients for each world, and ends when its world is deleted', async () => {
    const world = await harness.world('stream-crowd');
    const readers = await Promise.all(Array.from({ length: 64 }, () => harness.events('/stream', world)));
    expect(await harness.control('GET', '/stream', undefined, world)).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } });
    await readers[0]!.close();
    readers[0] = await harness.events('/stream', world);
    await harness.control('DELETE', `/worlds/${world}`);
    for (const reader of readers) {
      const events = [];
      for (let event = await reader.next(); event; event = await reader.next()) events.push(event);
      expect(linesOf(events.slice(-1))).toEqual([`WORLD DELETED: world ${world} was deleted`]);
    }
  });
});
